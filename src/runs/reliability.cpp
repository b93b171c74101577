#include "runs/reliability.h"

#include <algorithm>
#include <cmath>

namespace sotto::runs {
namespace {

constexpr std::size_t kBins = 10;

std::vector<ReliabilityBin> empty_bins() {
  std::vector<ReliabilityBin> bins(kBins);
  for (std::size_t i = 0; i < kBins; ++i) {
    bins[i].from = static_cast<double>(i) / kBins;
    bins[i].to = static_cast<double>(i + 1) / kBins;
  }
  return bins;
}

// mean_probability is a sum until the end.
void put(std::vector<ReliabilityBin>& bins, double probability, bool happened) {
  const auto index = static_cast<std::size_t>(probability * kBins);
  auto& bin = bins[std::min(index, kBins - 1)];
  bin.records += 1;
  bin.happened += happened ? 1 : 0;
  bin.mean_probability += probability;
}

double squared_error(const std::vector<double>& probabilities, std::size_t truth) {
  if (probabilities.size() == 2) return std::pow(probabilities[1 - truth], 2);
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    sum += std::pow(probabilities[i] - (i == truth ? 1 : 0), 2);
  }
  return sum;
}

// -ln p, exact where p itself rounds to 0 or 1.
double surprise(const ScoredRecords& records, std::size_t record, std::size_t truth) {
  const double odds = records.log_odds(record, truth);
  return odds > 0 ? std::log1p(std::exp(-odds)) : std::log1p(std::exp(odds)) - odds;
}

double finish(std::vector<ReliabilityBin>& bins, double records) {
  double error = 0;
  for (auto& bin : bins) {
    if (bin.records == 0) continue;
    bin.mean_probability /= static_cast<double>(bin.records);
    error += static_cast<double>(bin.records) / records *
             std::abs(bin.mean_probability - *bin.observed());
  }
  return error;
}

}  // namespace

std::optional<double> ReliabilityBin::observed() const {
  if (records == 0) return std::nullopt;
  return static_cast<double>(happened) / static_cast<double>(records);
}

std::optional<Interval> ReliabilityBin::interval() const {
  if (records == 0) return std::nullopt;
  return clopper_pearson(happened, records);
}

std::optional<Reliability> reliability(const ScoredRecords& records) {
  if (records.size() == 0 || records.classes < 2 || !records.all_finite()) return std::nullopt;
  const auto count = static_cast<double>(records.size());
  Reliability result{empty_bins()};
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto truth = static_cast<std::size_t>(records.labels[i]);
    const auto likely = records.probabilities(i);
    const auto best = std::max_element(likely.begin(), likely.end()) - likely.begin();
    const auto about = records.classes == 2 ? std::size_t{1} : static_cast<std::size_t>(best);
    put(result.bins, likely[about], about == truth);
    result.brier += squared_error(likely, truth) / count;
    result.log_loss += surprise(records, i, truth) / count;
  }
  result.expected_error = finish(result.bins, count);
  return result;
}

}  // namespace sotto::runs
