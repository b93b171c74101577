#include "sotto/engine/privacy_engine.h"

#include <torch/optim/lbfgs.h>
#include <nlohmann/json.hpp>

#include "engine/bounded_source.h"
#include "engine/engine_implementation.h"
#include "engine/fused_source.h"
#include "engine/graph_source.h"
#include "engine/norm_source.h"
#include "sotto/core/error.h"
#include "sotto/engine/inspector.h"

namespace sotto {

namespace {

void require_first_order(torch::optim::Optimizer& optimizer) {
  check_argument(dynamic_cast<torch::optim::LBFGS*>(&optimizer) == nullptr,
                 "the LBFGS optimizer evaluates a batch many times; use any first-order optimizer");
}

void require_max_physical_batch_size(const EngineOptions& options) {
  check_argument(options.max_physical_batch_size >= 0, "physical batch must be at least 0, got ",
                 options.max_physical_batch_size);
}

}  // namespace

const char* const kProvedArithmetic =
    "Rounding is in the proof: sums are exact, one record moves them by no more than its bound, "
    "and "
    "noise is exactly distributed.";
const char* const kLibTorchAssumption =
    "Rounding is in the proof: sums are exact and noise is exactly distributed. One thing is "
    "assumed: what LibTorch computes for a sample does not depend on the values of the others in "
    "its batch.";

PrivacyEngine::PrivacyEngine(BoundedModel& bounded, torch::nn::Module& model,
                             torch::optim::Optimizer& optimizer, const Plan& plan,
                             const EngineOptions& options) {
  require_first_order(optimizer);
  require_max_physical_batch_size(options);
  check_argument(options.norm_observer == nullptr,
                 "clipless training has no per-sample norms to show");
  implementation_ = std::make_unique<Implementation>(model, optimizer, plan, options, &bounded);
}

PrivacyEngine::PrivacyEngine(torch::nn::Module& model, torch::optim::Optimizer& optimizer,
                             const Plan& plan, const EngineOptions& options) {
  require_compatible(model);
  check_argument(!plan.options().bounded,
                 "the plan is one of clipless training, and needs a bounded model");
  require_first_order(optimizer);
  require_max_physical_batch_size(options);
  implementation_ = std::make_unique<Implementation>(model, optimizer, plan, options, nullptr);
}

PrivacyEngine::~PrivacyEngine() = default;
PrivacyEngine::PrivacyEngine(PrivacyEngine&&) noexcept = default;
PrivacyEngine& PrivacyEngine::operator=(PrivacyEngine&&) noexcept = default;

std::optional<Batch> PrivacyEngine::next_batch() { return implementation_->next_batch(); }

StepReport PrivacyEngine::step(const at::Tensor& losses) {
  implementation_->require_clipping();
  GraphSource source(losses, parameters());
  return implementation_->step(source);
}

StepReport PrivacyEngine::step(grad::FusedModel& model, const grad::FusedBatch& batch) {
  implementation_->require_clipping();
  FusedSource source(model, batch, parameters());
  return implementation_->step(source);
}

StepReport PrivacyEngine::step(const at::Tensor& inputs, const at::Tensor& labels) {
  auto& model = implementation_->bounded_model();
  if (auto* search = implementation_->search_in_work()) {
    NormSource source(model, {inputs, labels}, *search);
    return implementation_->step(source);
  }
  BoundedSource source(model, {inputs, labels}, parameters());
  return implementation_->step(source);
}

void PrivacyEngine::set_clip_groups(const std::vector<ClipGroup>& groups) {
  implementation_->set_clip_groups(groups);
}

at::Tensor PrivacyEngine::release(const std::string& name, const at::Tensor& rows) {
  return implementation_->release(name, rows);
}

bool PrivacyEngine::was_released(const std::string& name) const {
  return implementation_->charges().was_released(name);
}

const Plan& PrivacyEngine::plan() const { return implementation_->plan(); }
const StepSeconds& PrivacyEngine::seconds() const { return implementation_->seconds(); }

const std::vector<grad::NamedParameter>& PrivacyEngine::parameters() const {
  return implementation_->parameters();
}

bool PrivacyEngine::inside_batch() const { return implementation_->queue().is_inside_batch(); }
std::int64_t PrivacyEngine::steps() const { return implementation_->charges().steps(); }
std::int64_t PrivacyEngine::step_limit() const { return implementation_->limit().steps(); }
Spend PrivacyEngine::spend() const { return implementation_->charges().spend(); }
bool PrivacyEngine::is_private() const { return implementation_->noise().is_private(); }
double PrivacyEngine::max_grad_norm() const { return implementation_->threshold().norm(); }
std::int64_t PrivacyEngine::discarded() const { return implementation_->discarded(); }

std::int64_t PrivacyEngine::threshold_searches() const {
  return implementation_->charges().searches();
}

bool PrivacyEngine::used_libtorch_gradients() const {
  return implementation_->sums().used_libtorch();
}

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

void PrivacyEngine::flush() { implementation_->flush(); }
std::string PrivacyEngine::ledger_hash() const { return implementation_->charges().ledger_hash(); }
std::string PrivacyEngine::checkpoint() const { return implementation_->checkpoint().dump(); }

std::int64_t PrivacyEngine::lost_steps() const { return implementation_->charges().lost_steps(); }
void PrivacyEngine::accept_lost_steps() { implementation_->accept_lost_steps(); }

void PrivacyEngine::restore(const std::string& checkpoint) {
  implementation_->restore(nlohmann::json::parse(checkpoint, nullptr, /*allow_exceptions=*/false));
}

}  // namespace sotto
