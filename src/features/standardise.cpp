#include "features/standardise.h"

#include <algorithm>
#include <cmath>

#include "fused/thread_team.h"

namespace sotto::features {
namespace {

constexpr double kSmallestVariance = 1e-5;  // that is told from none

void standardise_group(float* values, std::int64_t size) {
  double sum = 0;
  for (std::int64_t i = 0; i < size; ++i) sum += values[i];
  const double mean = sum / static_cast<double>(size);
  double squares = 0;
  for (std::int64_t i = 0; i < size; ++i) squares += (values[i] - mean) * (values[i] - mean);
  const double variance = squares / static_cast<double>(size);
  const double factor = 1 / std::sqrt(variance + kSmallestVariance);
  for (std::int64_t i = 0; i < size; ++i) {
    values[i] = static_cast<float>((values[i] - mean) * factor);
  }
}

}  // namespace

void standardise(float* maps, std::int64_t count, const StandardisedGroups& groups, int threads) {
  const int busy = static_cast<int>(std::clamp<std::int64_t>(count, 1, threads));
  fused::on_threads(busy, [&](int thread) {
    for (std::int64_t sample = thread; sample < count; sample += busy) {
      float* values = maps + sample * groups.per_sample * groups.size;
      for (std::int64_t group = 0; group < groups.per_sample; ++group) {
        standardise_group(values + group * groups.size, groups.size);
      }
    }
  });
}

}  // namespace sotto::features
