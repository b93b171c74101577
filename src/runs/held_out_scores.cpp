#include "runs/held_out_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto::runs {
namespace {

double records_of(const AnswerCounts& count) {
  return static_cast<double>(count.right) + static_cast<double>(count.wrong);
}

double noised_records(const HeldOutRelease& release) {
  return std::accumulate(
      release.counts.begin(), release.counts.end(), 0.0,
      [](double sum, const AnswerCounts& count) { return sum + records_of(count); });
}

// `accuracy` and its error are there.
Interval interval_with_noise(const HeldOutRelease& release) {
  const double share = *release.accuracy();
  const double noise = kTwoSidedQuantile * *release.accuracy_error();
  const auto drawn = wilson(share, noised_records(release));
  return {std::max(0.0, share - std::hypot(share - drawn.low, noise)),
          std::min(1.0, share + std::hypot(drawn.high - share, noise))};
}

std::optional<double> noised_recall(const AnswerCounts& count) {
  const double records = records_of(count);
  if (records <= 0) return std::nullopt;
  return std::clamp(static_cast<double>(count.right) / records, 0.0, 1.0);
}

std::optional<double> mean_of_all(const std::vector<std::optional<double>>& values) {
  double sum = 0;
  for (const auto& value : values) {
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace

HeldOutScores held_out_scores(const HeldOutRelease& release) {
  HeldOutScores scores;
  for (const auto& count : release.counts) scores.recalls.push_back(noised_recall(count));
  if (!release.accuracy()) return scores;
  scores.accuracy_interval = interval_with_noise(release);
  const auto most = std::max_element(
      release.counts.begin(), release.counts.end(),
      [](const AnswerCounts& a, const AnswerCounts& b) { return records_of(a) < records_of(b); });
  scores.most_frequent = static_cast<std::size_t>(most - release.counts.begin());
  scores.baseline = std::min(1.0, records_of(*most) / noised_records(release));
  scores.balanced_accuracy = mean_of_all(scores.recalls);
  return scores;
}

}  // namespace sotto::runs
