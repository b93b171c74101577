// What a checkpoint holds of an engine, and how a run goes on from it.
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/engine_implementation.h"
#include "plan/plan_json.h"
#include "sotto/core/error.h"

namespace sotto {

nlohmann::json PrivacyEngine::Implementation::checkpoint() const {
  if (queue_.is_inside_batch()) {
    throw std::logic_error("a checkpoint is taken between logical batches");
  }
  nlohmann::json json = {{"plan", json_of(plan_)},
                         {"private", noise_.is_private()},
                         {"libtorch_gradients", sums_.used_libtorch()}};
  charges_.add_to(json);
  threshold_.add_to(json);
  return json;
}

void PrivacyEngine::Implementation::restore(const nlohmann::json& checkpoint) {
  if (queue_.is_inside_batch()) {
    throw std::logic_error("restore() is called between logical batches");
  }
  try {
    require_same_run(checkpoint);
    restore_run(checkpoint);
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("the checkpoint lacks what the engine needs, or it has the wrong type");
  }
}

void PrivacyEngine::Implementation::require_same_run(const nlohmann::json& checkpoint) const {
  check_argument(checkpoint.at("plan") == json_of(plan_),
                 "the checkpoint belongs to another plan: ", checkpoint.at("plan").dump(),
                 "; this run's is ", json_of(plan_).dump());
  check_argument(checkpoint.at("private").get<bool>() == noise_.is_private(),
                 "a private run cannot continue one that was not private, nor the other way");
}

void PrivacyEngine::Implementation::restore_run(const nlohmann::json& checkpoint) {
  const auto steps = checkpoint.at("steps").get<std::int64_t>();
  const auto norm = checkpoint.at("max_grad_norm").get<double>();
  check_argument(steps >= 0 && threshold_.can_be(norm),
                 "the checkpoint's steps or threshold are out of range");
  charges_.catch_up_steps(steps, checkpoint.at("ledger_hash").get<std::string>());
  threshold_.restore_norm(norm);
  update_.doubt_bounds();
  buffers_.look_away();  // from weights that were loaded
  if (!sums_.used_libtorch() && checkpoint.value("libtorch_gradients", /*older files=*/true)) {
    sums_.remember_libtorch();
  }
  charges_.catch_up_releases(checkpoint.at("released").get<std::vector<std::string>>());
  restore_search(checkpoint);
  finish_begun_pass();
  restored_ = true;
}

void PrivacyEngine::Implementation::restore_search(const nlohmann::json& checkpoint) {
  auto* search = threshold_.search();
  if (search == nullptr) return;
  const auto searches = checkpoint.at("searches").get<std::int64_t>();
  const auto epoch = checkpoint.at("searched_epoch").get<std::int64_t>();
  charges_.catch_up_searches(searches);
  search->restore_epoch(epoch);
  limit_.pay_for_searches(charges_.searches(), charges_.steps());
}

}  // namespace sotto
