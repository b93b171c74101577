#include "plan/clipping.h"

#include <array>
#include <cmath>
#include <string>

#include "sotto/core/error.h"

namespace sotto {
namespace {

using nlohmann::json;

template <typename... Kinds>
struct Visitor : Kinds... {
  using Kinds::operator()...;
};
template <typename... Kinds>
Visitor(Kinds...) -> Visitor<Kinds...>;

void check_quantile(double quantile) {
  check_argument(quantile > 0 && quantile < 1,
                 "target quantile must be strictly between 0 and 1, got ", quantile);
}

void check(const AdaptiveClipping& clipping, const PlanOptions& options) {
  check_quantile(clipping.target_quantile);
  check_argument(clipping.learning_rate > 0 && std::isfinite(clipping.learning_rate),
                 "quantile learning rate must be positive, got ", clipping.learning_rate);
  if (clipping.count_noise) {
    check_argument(*clipping.count_noise > 0 && std::isfinite(*clipping.count_noise),
                   "count noise must be positive, got ", *clipping.count_noise);
  }
  check_argument(gradient_noise(clipping, options.noise_multiplier, options.batch_size) > 0,
                 "adaptive clipping: count noise ", count_noise_of(clipping, options.batch_size),
                 " must exceed half the noise multiplier ", options.noise_multiplier,
                 " (by default it is batch size / 20: take larger batches, or flat clipping)");
}

void check(const SearchedClipping& clipping, const PlanOptions& options,
           accounting::Adjacency adjacency) {
  check_quantile(clipping.target_quantile);
  check_argument(options.bounded.has_value(),
                 "clipping laplace: only clipless training searches a threshold this way; accepted "
                 "are flat, per-layer, automatic and adaptive");
  check_argument(clipping.epsilon > 0 && clipping.epsilon <= 100,
                 "threshold epsilon must be above 0 and at most 100, got ", clipping.epsilon);
  if (options.sampling != accounting::Sampling::kPoisson ||
      adjacency == accounting::Adjacency::kReplaceOne) {
    throw NoValidAnalysis(
        "clipping laplace: a search on a sampled batch is priced for Poisson sampling under "
        "add-remove or zero-out only");
  }
}

void check_bounded(const Clipping& clipping) {
  check_argument(
      is<FlatClipping>(clipping) || is<AdaptiveClipping>(clipping) ||
          is<SearchedClipping>(clipping),
      "clipping ", to_string(clipping),
      ": clipless training clips only the gradient of the loss, and takes flat, adaptive or "
      "laplace");
}

}  // namespace

std::string_view to_string(const Clipping& clipping) {
  constexpr std::array<std::string_view, std::variant_size_v<Clipping>> kNames = {
      "flat", "per-layer", "automatic", "adaptive", "laplace", "grouped"};
  return kNames[clipping.index()];
}

Clipping clipping_from_name(std::string_view text) {
  for (const Clipping& clipping :
       {Clipping(FlatClipping{}), Clipping(PerLayerClipping{}), Clipping(AutomaticClipping{}),
        Clipping(AdaptiveClipping{}), Clipping(SearchedClipping{})}) {
    if (to_string(clipping) == text) return clipping;
  }
  throw InvalidArgument("clipping '" + std::string(text) +
                        "': accepted are flat, per-layer, automatic, adaptive and laplace");
}

void check_clipping(const PlanOptions& options, accounting::Adjacency adjacency) {
  if (options.bounded) check_bounded(options.clipping);
  std::visit(Visitor{
                 [](const auto& /*nothing to set*/) {},
                 [&](const AdaptiveClipping& adaptive) { check(adaptive, options); },
                 [&](const SearchedClipping& searched) { check(searched, options, adjacency); },
                 [](const GroupedClipping& grouped) {
                   check_argument(grouped.groups >= 1, "clip groups ", grouped.groups,
                                  ": grouped clipping needs at least 1");
                 },
             },
             options.clipping);
}

double count_noise_of(const AdaptiveClipping& clipping, std::int64_t batch_size) {
  return clipping.count_noise.value_or(static_cast<double>(batch_size) / 20);
}

// arXiv:1905.03871, Theorem 1: the gradient (noise z_g relative to its bound) and the count of
// values ±1/2 (noise σ_b relative to 1/2) together are one Gaussian of multiplier
// (z_g^-2 + (2 σ_b)^-2)^-1/2.
double gradient_noise(const Clipping& clipping, double noise, std::int64_t batch_size) {
  if (const auto* grouped = std::get_if<GroupedClipping>(&clipping)) {
    return noise * std::sqrt(static_cast<double>(grouped->groups));
  }
  const auto* adaptive = std::get_if<AdaptiveClipping>(&clipping);
  if (adaptive == nullptr) return noise;
  const double left = std::pow(noise, -2) - std::pow(2 * count_noise_of(*adaptive, batch_size), -2);
  return left > 0 ? std::pow(left, -0.5) : 0;
}

void add_to_json(const Clipping& clipping, std::int64_t batch_size, std::int64_t steps_per_epoch,
                 json& plan) {
  plan["clipping"] = to_string(clipping);
  std::visit(Visitor{
                 [](const auto& /*nothing to set*/) {},
                 [&](const AdaptiveClipping& adaptive) {
                   plan["target_quantile"] = adaptive.target_quantile;
                   plan["quantile_learning_rate"] = adaptive.learning_rate;
                   plan["count_noise"] = count_noise_of(adaptive, batch_size);
                 },
                 [&](const SearchedClipping& searched) {
                   plan["target_quantile"] = searched.target_quantile;
                   plan["threshold_epsilon"] = searched.epsilon;
                   plan["threshold_interval"] = steps_per_epoch;
                 },
                 [&](const GroupedClipping& grouped) { plan["clip_groups"] = grouped.groups; },
             },
             clipping);
}

Clipping clipping_from_json(const json& plan) {
  const auto text = plan.at("clipping").get<std::string>();
  if (text == to_string(GroupedClipping{})) {
    return GroupedClipping{plan.at("clip_groups").get<std::int64_t>()};
  }
  Clipping clipping = clipping_from_name(text);
  if (is<AdaptiveClipping>(clipping)) {
    return AdaptiveClipping{plan.at("target_quantile").get<double>(),
                            plan.at("quantile_learning_rate").get<double>(),
                            plan.at("count_noise").get<double>()};
  }
  if (is<SearchedClipping>(clipping)) {
    return SearchedClipping{plan.at("target_quantile").get<double>(),
                            plan.at("threshold_epsilon").get<double>()};
  }
  return clipping;
}

}  // namespace sotto
