#include "sotto/engine/privacy_engine.h"

#include <torch/optim/lbfgs.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "engine/engine_state.h"
#include "sotto/core/error.h"
#include "sotto/engine/inspector.h"

namespace sotto {

namespace {

// A model compiled for other parameters would leave this engine's without gradient, or clip them by
// other parameters' norms.
void require_same_parameters(const std::vector<grad::NamedParameter>& compiled,
                             const std::vector<grad::NamedParameter>& trained) {
  const bool same = std::equal(
      compiled.begin(), compiled.end(), trained.begin(), trained.end(),
      [](const auto& one, const auto& other) { return one.tensor.is_same(other.tensor); });
  check_argument(same,
                 "the fused model was compiled for other parameters: compile it with this engine's "
                 "parameters()");
}

void require_first_order(torch::optim::Optimizer& optimizer) {
  check_argument(dynamic_cast<torch::optim::LBFGS*>(&optimizer) == nullptr,
                 "the LBFGS optimizer evaluates a batch many times; use any first-order optimizer");
}

}  // namespace

PrivacyEngine::PrivacyEngine(BoundedModel& bounded, torch::nn::Module& model,
                             torch::optim::Optimizer& optimizer, const Plan& plan,
                             const EngineOptions& options) {
  require_first_order(optimizer);
  check_argument(options.physical_batch >= 0, "physical batch must be at least 0, got ",
                 options.physical_batch);
  check_argument(options.norm_observer == nullptr,
                 "clipless training knows no per-sample norms to show");
  // The bounds are checked before a ledger is made.
  EngineOptions without_ledger = options;
  without_ledger.ledger.clear();
  EngineState(model, optimizer, plan, without_ledger).use(bounded);
  state_ = std::make_unique<EngineState>(model, optimizer, plan, options);
  state_->use(bounded);
}

PrivacyEngine::PrivacyEngine(torch::nn::Module& model, torch::optim::Optimizer& optimizer,
                             const Plan& plan, const EngineOptions& options) {
  require_compatible(model);
  check_argument(!plan.options().bounded,
                 "the plan is one of clipless training, and needs a bounded model");
  require_first_order(optimizer);
  check_argument(options.physical_batch >= 0, "physical batch must be at least 0, got ",
                 options.physical_batch);
  state_ = std::make_unique<EngineState>(model, optimizer, plan, options);
}

PrivacyEngine::~PrivacyEngine() = default;
PrivacyEngine::PrivacyEngine(PrivacyEngine&&) noexcept = default;
PrivacyEngine& PrivacyEngine::operator=(PrivacyEngine&&) noexcept = default;

const Plan& PrivacyEngine::plan() const { return state_->plan; }

std::optional<Batch> PrivacyEngine::next_batch() {
  auto& s = *state_;
  if (s.waiting)
    throw std::logic_error("the batch drawn last was not used: call step(losses) first");
  if (s.bounded == nullptr) s.buffers.watch();
  empty_batch_ = false;
  while (s.next_part == s.parts.size()) {
    if (!s.start_batch()) return std::nullopt;
    if (!s.parts.empty()) continue;
    if (s.searching) {
      s.finish_search();
      continue;
    }
    s.release();  // nobody was drawn: noise alone
    empty_batch_ = true;
    return Batch{at::empty({0}, at::kLong), true};
  }
  s.waiting = true;
  const at::Tensor indices = s.parts[s.next_part++].records;
  return Batch{indices, s.next_part == s.parts.size()};
}

std::int64_t PrivacyEngine::expected_samples() const {
  return empty_batch_ ? 0 : state_->waiting_samples();
}

bool PrivacyEngine::take_empty_batch() { return std::exchange(empty_batch_, false); }

StepReport PrivacyEngine::step(const at::Tensor& inputs, const at::Tensor& labels) {
  auto& s = *state_;
  check_argument(s.bounded != nullptr, "inputs and labels are for engines of a bounded model");
  const std::int64_t expected = expected_samples();
  for (const auto& tensor : {inputs, labels}) {
    check_argument(tensor.defined() && tensor.dim() >= 1 && tensor.size(0) == expected,
                   "step: expected the batch's ", expected, " samples, got ",
                   tensor.defined() ? detail::join_message("shape ", tensor.sizes()) : "nothing");
  }
  if (take_empty_batch()) return {.stepped = true, .losses = at::empty({0})};
  StepReport report;
  if (s.searching) {
    s.search_part(inputs, labels, report);
    return report;
  }
  s.accumulate_bounded(inputs, labels, report);
  report.stepped = s.release_if_whole();
  return report;
}

StepReport PrivacyEngine::step(const at::Tensor& losses) {
  auto& s = *state_;
  check_argument(s.bounded == nullptr,
                 "a bounded model computes its own losses: call step(inputs, labels)");
  const std::int64_t expected = expected_samples();
  check_argument(losses.defined() && losses.dim() == 1 && losses.size(0) == expected,
                 "losses: got ",
                 losses.defined() ? detail::join_message("shape ", losses.sizes()) : "nothing",
                 "; expected one value for each of the batch's ", expected,
                 " samples, not reduced (reduction none)");
  if (take_empty_batch()) return {.stepped = true};
  check_argument(losses.requires_grad(), "losses do not depend on any trainable parameter");
  StepReport report;
  s.accumulate(losses, report);
  report.stepped = s.release_if_whole();
  return report;
}

StepReport PrivacyEngine::step(grad::FusedModel& model, const grad::FusedBatch& batch) {
  auto& s = *state_;
  check_argument(s.bounded == nullptr,
                 "a bounded model computes its own losses: call step(inputs, labels)");
  const std::int64_t expected = expected_samples();
  const auto& samples = batch.records.defined() ? batch.records : batch.inputs;
  check_argument(samples.defined() && samples.dim() >= 1 && samples.size(0) == expected,
                 "fused step: expected the batch's ", expected, " samples, got ",
                 samples.defined() ? detail::join_message("shape ", samples.sizes()) : "nothing");
  require_same_parameters(model.parameters(), s.parameters);
  if (take_empty_batch()) return {.stepped = true, .losses = at::empty({0})};
  StepReport report;
  s.accumulate(model, batch, report);
  report.stepped = s.release_if_whole();
  return report;
}

void PrivacyEngine::set_clip_groups(std::vector<ClipGroup> groups) {
  if (state_->inside_batch()) throw std::logic_error("clip groups are set between batches");
  state_->set_groups(groups);
}

at::Tensor PrivacyEngine::release(const std::string& name, const at::Tensor& rows) {
  return state_->release_sum(name, rows);
}

bool PrivacyEngine::was_released(const std::string& name) const {
  return state_->released.contains(name);
}

const StepSeconds& PrivacyEngine::seconds() const { return state_->seconds; }

const std::vector<grad::NamedParameter>& PrivacyEngine::parameters() const {
  return state_->parameters;
}

bool PrivacyEngine::inside_batch() const { return state_->inside_batch(); }
std::int64_t PrivacyEngine::steps() const { return state_->steps; }
std::int64_t PrivacyEngine::step_limit() const { return state_->step_limit; }
Spend PrivacyEngine::spend() const { return state_->spend(); }
std::int64_t PrivacyEngine::threshold_searches() const { return state_->searches; }
bool PrivacyEngine::is_private() const { return state_->noise.is_private(); }
double PrivacyEngine::max_grad_norm() const { return state_->max_grad_norm; }
std::int64_t PrivacyEngine::discarded() const { return state_->discarded; }
bool PrivacyEngine::used_libtorch_gradients() const { return state_->libtorch_gradients; }

const char* const kProvedArithmetic =
    "Rounding is in the proof: sums are exact, one record moves them by no more than its bound, "
    "and "
    "noise is exactly distributed.";
const char* const kLibTorchAssumption =
    "Rounding is in the proof: sums are exact and noise is exactly distributed. One thing is "
    "assumed: what LibTorch computes for a sample does not depend on the values of the others in "
    "its batch.";

accounting::PrivacyCost PrivacyEngine::privacy_spent(
    double delta, const accounting::AccountingOptions& options) const {
  if (!is_private()) {
    accounting::PrivacyCost cost;
    cost.accountant = options.accountant;
    cost.delta = delta;
    return cost;  // ε = ∞: whoever knows the seed can subtract the noise
  }
  return spend().cost_at_delta(delta, options);
}

void PrivacyEngine::flush() {
  if (state_->ledger) state_->ledger->flush();
}

std::string PrivacyEngine::ledger_hash() const {
  return state_->ledger ? state_->ledger->head_hash() : std::string();
}

nlohmann::json PrivacyEngine::checkpoint() const {
  if (state_->inside_batch()) {
    throw std::logic_error("a checkpoint is taken between logical batches");
  }
  nlohmann::json json = {{"plan", plan().to_json()},
                         {"steps", steps()},
                         {"max_grad_norm", max_grad_norm()},
                         {"private", is_private()},
                         {"ledger_hash", ledger_hash()},
                         {"released", state_->released},
                         {"libtorch_gradients", used_libtorch_gradients()}};
  if (is<SearchedClipping>(plan().options().clipping)) {
    json["searches"] = state_->searches;
    json["searched_epoch"] = state_->searched_epoch;
  }
  return json;
}

void PrivacyEngine::restore(const nlohmann::json& checkpoint) {
  auto& s = *state_;
  if (s.inside_batch()) throw std::logic_error("restore() is called between logical batches");
  try {
    check_argument(checkpoint.at("plan") == plan().to_json(),
                   "the checkpoint belongs to another plan: ", checkpoint.at("plan").dump(),
                   "; this run's is ", plan().to_json().dump());
    check_argument(checkpoint.at("private").get<bool>() == is_private(),
                   "a private run cannot continue one that was not private, nor the other way");
    const auto steps = checkpoint.at("steps").get<std::int64_t>();
    const auto norm = checkpoint.at("max_grad_norm").get<double>();
    check_argument(steps >= 0 && norm > 0 && std::isfinite(norm),
                   "the checkpoint's steps or threshold are out of range");
    const auto hash = checkpoint.at("ledger_hash").get<std::string>();
    if (s.ledger && !hash.empty()) s.ledger->contents().require_at_least(steps, hash);
    check_argument(s.ledger.has_value() || hash.empty(),
                   "the checkpoint's run has a ledger; it cannot continue without it");
    if (s.ledger && s.ledger->steps_charged() < steps) {
      s.ledger->charge_steps(steps - s.ledger->steps_charged());
    }
    s.steps = std::max(s.steps, steps);
    s.max_grad_norm = norm;
    s.projected = false;
    s.buffers.look_away();  // from weights that were loaded
    s.libtorch_gradients =
        s.libtorch_gradients || checkpoint.value("libtorch_gradients", /*older files=*/true);
    const auto released = checkpoint.at("released").get<std::vector<std::string>>();
    s.released.insert(released.begin(), released.end());
    if (is<SearchedClipping>(plan().options().clipping)) {
      s.restore_searches(checkpoint.at("searches").get<std::int64_t>(),
                         checkpoint.at("searched_epoch").get<std::int64_t>());
    }
    s.finish_begun_pass();
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("the checkpoint lacks what the engine needs, or it has the wrong type");
  }
}

}  // namespace sotto
