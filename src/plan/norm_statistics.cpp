#include "sotto/plan/norm_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sotto {
namespace {

// Powers of two times the clipping norm are exact: the bin's side of 1 agrees with what is clipped.
std::size_t norm_bin(double norm, double clipping_norm) {
  const auto* end = std::find_if(kNormBinEnds.begin(), kNormBinEnds.end(),
                                 [&](double multiple) { return norm <= multiple * clipping_norm; });
  return static_cast<std::size_t>(end - kNormBinEnds.begin());
}

// Of n >= 1 values, which are reordered.
double quantile_of(std::vector<double>& values, double share) {
  const auto rank = std::ceil(share * static_cast<double>(values.size()));
  const auto place =
      values.begin() + std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(rank) - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

std::optional<double> NormSummary::clipped_share() const {
  if (samples == 0) return std::nullopt;
  return static_cast<double>(clipped) / static_cast<double>(samples);
}

void NormStatistics::on_norms(std::span<const double> norms, double clipping_norm) {
  seen_.clipping_norm = clipping_norm;
  for (const double norm : norms) {
    if (!std::isfinite(norm)) continue;
    norms_.push_back(norm);
    ++seen_.samples;
    seen_.clipped += norm > clipping_norm ? 1 : 0;
    ++seen_.histogram[norm_bin(norm, clipping_norm)];
  }
}

void NormStatistics::on_batch(std::int64_t samples) {
  seen_.smallest_batch = seen_.batches == 0 ? samples : std::min(seen_.smallest_batch, samples);
  seen_.largest_batch = std::max(seen_.largest_batch, samples);
  ++seen_.batches;
  batch_samples_ += samples;
}

NormSummary NormStatistics::take() {
  NormSummary summary = std::exchange(seen_, NormSummary());
  if (summary.batches > 0) {
    summary.mean_batch = static_cast<double>(batch_samples_) / static_cast<double>(summary.batches);
  }
  if (!norms_.empty()) {
    summary.quantiles.emplace();
    for (std::size_t i = 0; i < kNormQuantiles.size(); ++i) {
      (*summary.quantiles)[i] = quantile_of(norms_, kNormQuantiles[i]);
    }
  }
  norms_.clear();
  batch_samples_ = 0;
  return summary;
}

}  // namespace sotto
