#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include "plan/clipping.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

using nlohmann::json;

std::vector<OneTimeRelease> releases_of(const json& plan) {
  std::vector<OneTimeRelease> releases;
  if (!plan.contains("releases")) return releases;
  for (const auto& release : plan.at("releases")) {
    releases.push_back(
        {release.at("name").get<std::string>(), release.at("noise_multiplier").get<double>()});
  }
  return releases;
}

std::optional<BoundedNoise> bounded_of(const json& plan) {
  if (!plan.contains("gradient_bounds")) return std::nullopt;
  return BoundedNoise{noise_strategy_from_name(plan.at("noise_strategy").get<std::string>()),
                      plan.at("noise_coefficients").get<std::vector<double>>(),
                      plan.at("gradient_bounds").get<std::vector<double>>()};
}

PlanOptions options_of(const json& plan, std::int64_t steps) {
  PlanOptions options;
  options.dataset_size = plan.at("dataset_size").get<std::int64_t>();
  options.batch_size = plan.at("batch_size").get<std::int64_t>();
  options.steps = steps;
  options.sampling = accounting::sampling_from_name(plan.at("sampling").get<std::string>());
  options.adjacency = accounting::adjacency_from_name(plan.at("relation").get<std::string>());
  options.group_size = plan.value("group_size", std::int64_t{1});
  options.fill_batches = plan.contains("places");
  options.noise_multiplier = plan.at("noise_multiplier").get<double>();
  options.max_grad_norm = plan.at("max_grad_norm").get<double>();
  options.clipping = clipping_from_json(plan);
  options.bounded = bounded_of(plan);
  options.releases = releases_of(plan);
  options.held_out_epsilon = plan.value("held_out_epsilon", 0.0);
  return options;
}

}  // namespace

json json_of(const Plan& plan) {
  const auto& options = plan.options();
  json described = {
      {"dataset_size", options.dataset_size},
      {"batch_size", options.batch_size},
      {"sampling", accounting::to_string(options.sampling)},
      {"relation", accounting::to_string(plan.neighbours().adjacency())},
      {"noise_multiplier", options.noise_multiplier},
      {"max_grad_norm", options.max_grad_norm},
  };
  if (options.group_size > 1) described["group_size"] = options.group_size;
  if (const auto count = plan.places()) described["places"] = *count;
  add_to_json(options.clipping, options.batch_size, plan.steps_per_epoch(), described);
  if (options.bounded) {
    described["gradient_bounds"] = options.bounded->bounds;
    described["noise_strategy"] = to_string(options.bounded->strategy);
    described["noise_coefficients"] = options.bounded->coefficients;
  }
  if (options.held_out_epsilon > 0) described["held_out_epsilon"] = options.held_out_epsilon;
  for (const auto& release : options.releases) {
    described["releases"].push_back(
        {{"name", release.name}, {"noise_multiplier", release.noise_multiplier}});
  }
  return described;
}

Plan plan_from_json(const json& plan, std::int64_t steps) {
  try {
    Plan read(options_of(plan, steps));
    check_argument(!read.places() || plan.at("places") == *read.places(),
                   "the plan's batches have ", plan.value("places", json()).dump(),
                   " places; expected ", read.places().value_or(0));
    return read;
  } catch (const json::exception& error) {
    const std::string text = error.what();  // "[json.exception...] what is wrong"
    throw InvalidArgument("the plan cannot be read: " + text.substr(text.find("] ") + 2));
  }
}

}  // namespace sotto
