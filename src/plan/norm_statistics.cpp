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

nlohmann::json quantiles_json(const NormSummary& summary) {
  if (!summary.quantiles) return nullptr;
  const auto& [low, median, high] = *summary.quantiles;
  return {{"10", low}, {"50", median}, {"90", high}};
}

}  // namespace

std::optional<double> NormSummary::clipped_share() const {
  if (samples == 0) return std::nullopt;
  return static_cast<double>(clipped) / static_cast<double>(samples);
}

nlohmann::json NormSummary::to_json() const {
  const auto share = clipped_share();
  return {{"clipped_share", share ? nlohmann::json(*share) : nlohmann::json()},
          {"gradient_norms",
           {{"samples", samples},
            {"clipped", clipped},
            {"clipping_norm", clipping_norm},
            {"quantiles_percent", quantiles_json(*this)},
            {"bin_ends_over_clipping_norm", kNormBinEnds},
            {"bin_counts", histogram}}},
          {"batch_sizes",
           {{"batches", batches},
            {"min", smallest_batch},
            {"mean", mean_batch},
            {"max", largest_batch}}}};
}

NormSummary NormSummary::from_json(const nlohmann::json& json) {
  NormSummary summary;
  const auto& norms = json.at("gradient_norms");
  norms.at("samples").get_to(summary.samples);
  norms.at("clipped").get_to(summary.clipped);
  norms.at("clipping_norm").get_to(summary.clipping_norm);
  norms.at("bin_counts").get_to(summary.histogram);
  const auto& quantiles = norms.at("quantiles_percent");
  if (!quantiles.is_null()) {
    summary.quantiles = {quantiles.at("10").get<double>(), quantiles.at("50").get<double>(),
                         quantiles.at("90").get<double>()};
  }
  const auto& sizes = json.at("batch_sizes");
  sizes.at("batches").get_to(summary.batches);
  sizes.at("min").get_to(summary.smallest_batch);
  sizes.at("mean").get_to(summary.mean_batch);
  sizes.at("max").get_to(summary.largest_batch);
  return summary;
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
