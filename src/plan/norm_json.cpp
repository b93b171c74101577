#include "plan/norm_json.h"

#include <nlohmann/json.hpp>

namespace sotto {
namespace {

nlohmann::json quantiles_json(const NormSummary& summary) {
  if (!summary.quantiles) return nullptr;
  const auto& [low, median, high] = *summary.quantiles;
  return {{"10", low}, {"50", median}, {"90", high}};
}

}  // namespace

nlohmann::json json_of(const NormSummary& summary) {
  const auto share = summary.clipped_share();
  return {{"clipped_share", share ? nlohmann::json(*share) : nlohmann::json()},
          {"gradient_norms",
           {{"samples", summary.samples},
            {"clipped", summary.clipped},
            {"clipping_norm", summary.clipping_norm},
            {"quantiles_percent", quantiles_json(summary)},
            {"bin_ends_over_clipping_norm", kNormBinEnds},
            {"bin_counts", summary.histogram}}},
          {"batch_sizes",
           {{"batches", summary.batches},
            {"min", summary.smallest_batch},
            {"mean", summary.mean_batch},
            {"max", summary.largest_batch}}}};
}

NormSummary norm_summary_from_json(const nlohmann::json& json) {
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

}  // namespace sotto
