#include "sotto/private/privacy_engine.h"

#include <ATen/ATen.h>
#include <torch/optim/lbfgs.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "private/clip_factors.h"
#include "private/noise.h"
#include "sotto/accounting/calibration.h"
#include "sotto/core/error.h"
#include "sotto/grad/per_sample_gradients.h"
#include "sotto/private/batch_sampler.h"
#include "sotto/private/inspector.h"
#include "sotto/private/ledger.h"

namespace sotto {
namespace {

using at::Tensor;
using grad::NamedParameter;

// The optimizer's trainable parameters, by the model's names.
std::vector<NamedParameter> trained_parameters(const torch::nn::Module& model,
                                               torch::optim::Optimizer& optimizer) {
  std::unordered_map<const c10::TensorImpl*, std::string> names;
  for (const auto& item : model.named_parameters()) {
    names.emplace(item.value().unsafeGetTensorImpl(), item.key());
  }
  std::vector<NamedParameter> trained;
  std::unordered_set<const c10::TensorImpl*> seen;
  for (auto& group : optimizer.param_groups()) {
    for (auto& tensor : group.params()) {
      const auto name = names.find(tensor.unsafeGetTensorImpl());
      check_argument(name != names.end(), "the optimizer holds a parameter of shape ",
                     tensor.sizes(), " that is not the model's: it would be updated without noise");
      check_argument(seen.insert(tensor.unsafeGetTensorImpl()).second, "parameter '", name->second,
                     "' is in the optimizer twice");
      if (tensor.requires_grad()) trained.push_back({name->second, tensor});
    }
  }
  check_argument(!trained.empty(), "the optimizer holds no trainable parameter");
  return trained;
}

// Parameters of one module form a layer.
std::vector<std::int64_t> layers_of(const std::vector<NamedParameter>& parameters) {
  std::map<std::string, std::int64_t> numbers;
  std::vector<std::int64_t> layers;
  for (const auto& parameter : parameters) {
    const auto dot = parameter.name.rfind('.');
    const auto layer = dot == std::string::npos ? std::string() : parameter.name.substr(0, dot);
    layers.push_back(
        numbers.emplace(layer, static_cast<std::int64_t>(numbers.size())).first->second);
  }
  return layers;
}

Noise make_noise(const EngineOptions& options) {
  return options.insecure_seed ? Noise(*options.insecure_seed) : Noise();
}

std::int64_t affordable_steps(const Plan& plan, const EngineOptions& options) {
  if (!options.target) return plan.steps();
  return accounting::most_rounds(
      *options.target, plan.neighbours(),
      [&](std::int64_t steps) { return plan.composition(steps); }, plan.steps());
}

}  // namespace

struct EngineState {
  EngineState(torch::nn::Module& model, torch::optim::Optimizer& the_optimizer,
              const Plan& the_plan, const EngineOptions& the_options)
      : plan(the_plan),
        options(the_options),
        optimizer(&the_optimizer),
        parameters(trained_parameters(model, the_optimizer)),
        layers(layers_of(parameters)),
        noise(make_noise(the_options)),
        sampler(plan, noise.random()),
        step_limit(affordable_steps(plan, the_options)),
        max_grad_norm(plan.options().max_grad_norm) {
    if (!options.ledger.empty()) open_ledger();
  }

  void open_ledger();
  void finish_begun_pass();
  void charge();
  bool start_batch();
  void accumulate(const Tensor& losses, StepReport& report);
  void release();
  void adapt_threshold();
  void forget_batch();
  void forbid_other_gradients();
  bool inside_batch() const { return waiting || next_part < parts.size(); }

  Plan plan;
  EngineOptions options;
  torch::optim::Optimizer* optimizer;
  std::vector<NamedParameter> parameters;
  std::vector<std::int64_t> layers;
  Noise noise;
  BatchSampler sampler;
  std::optional<Ledger> ledger;
  std::int64_t step_limit;
  std::int64_t steps = 0;
  double max_grad_norm;

  // The logical batch in work.
  std::vector<Tensor> parts;
  std::size_t next_part = 0;
  bool waiting = false;  // a part was handed out, its losses are not in yet
  std::vector<Tensor> sums;
  std::int64_t unclipped = 0;
  std::int64_t batch_samples = 0;
  std::int64_t batch_discarded = 0;
  std::int64_t discarded = 0;
};

void EngineState::open_ledger() {
  auto recorded = plan.to_json();
  if (!noise.is_private()) recorded["not_private"] = "sampling and noise came from a seed";
  ledger = std::filesystem::exists(options.ledger) ? Ledger::resume(options.ledger, recorded)
                                                   : Ledger::create(options.ledger, recorded);
  check_argument(ledger->events().empty(), options.ledger.string(),
                 ": holds releases other than steps, whose cost this engine cannot add");
  steps = ledger->steps_charged();
  finish_begun_pass();
}

// A resumed shuffled pass has lost its order: records already used could come again within the same
// pass. So the begun pass is charged to its end, and a new one starts.
void EngineState::finish_begun_pass() {
  if (plan.options().sampling != accounting::Sampling::kShuffled) return;
  while (steps % plan.steps_per_epoch() != 0) charge();
}

void EngineState::charge() {
  if (ledger) ledger->charge_step();
  ++steps;
}

bool EngineState::start_batch() {
  if (steps >= step_limit) return false;
  const Tensor records = at::tensor(sampler.draw(), at::kLong);
  const std::int64_t at_once =
      options.physical_batch > 0 ? options.physical_batch : records.numel();
  parts = records.numel() == 0 ? std::vector<Tensor>() : records.split(at_once);
  next_part = 0;
  sums.clear();
  for (const auto& parameter : parameters)
    sums.push_back(at::zeros_like(parameter.tensor.detach(), at::MemoryFormat::Contiguous));
  unclipped = batch_samples = batch_discarded = 0;
  return true;
}

void EngineState::accumulate(const Tensor& losses, StepReport& report) {
  const grad::PerSampleGradients gradients(losses, parameters);
  const auto clip =
      clip_factors(gradients.squared_norms(), plan.options().clipping, max_grad_norm, layers);
  const auto clipped_sums = gradients.weighted_sums(clip.factors);
  waiting = false;  // from here on these samples are used
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add_(clipped_sums[i]);
  unclipped += clip.unclipped;
  batch_samples += gradients.samples();
  batch_discarded += clip.discarded;
  report.samples = gradients.samples();
  report.clipped = clip.clipped;
  report.discarded = clip.discarded;
}

// Charges the step, then gives the noised mean to the optimizer.
void EngineState::release() {
  if (batch_samples > 0 && batch_discarded == batch_samples) {
    forget_batch();
    throw std::runtime_error(
        "all samples of a batch have gradients that are not finite: training has diverged, or the "
        "data are damaged; lower the learning rate or check the data");
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].isfinite().all().item<bool>()) continue;
    forget_batch();
    throw std::runtime_error("the clipped gradient of parameter '" + parameters[i].name +
                             "' is not finite; nothing was released");
  }
  forbid_other_gradients();
  charge();
  const double deviation = plan.gradient_noise_multiplier() * max_grad_norm;
  const auto divisor = static_cast<double>(plan.batch_size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    noise.add_and_divide(sums[i], deviation, divisor);
    parameters[i].tensor.mutable_grad() = sums[i];
  }
  optimizer->step();
  for (auto& parameter : parameters) parameter.tensor.mutable_grad() = Tensor();
  if (plan.options().clipping == Clipping::kAdaptive) adapt_threshold();
  discarded += batch_discarded;
  forget_batch();
}

void EngineState::forget_batch() {
  parts.clear();
  sums.clear();
  next_part = 0;
  waiting = false;
}

// The optimizer moves every parameter that has a gradient. One that was frozen, or not there, when
// the engine was made must have none.
void EngineState::forbid_other_gradients() {
  std::unordered_set<const c10::TensorImpl*> noised;
  for (const auto& parameter : parameters) noised.insert(parameter.tensor.unsafeGetTensorImpl());
  for (auto& group : optimizer->param_groups()) {
    for (auto& tensor : group.params()) {
      if (noised.contains(tensor.unsafeGetTensorImpl())) continue;
      check_argument(!tensor.requires_grad(), "the optimizer holds a trainable parameter of shape ",
                     tensor.sizes(),
                     " that it did not hold when the engine was made: it would be updated without "
                     "noise");
      tensor.mutable_grad() = Tensor();
    }
  }
}

// arXiv:1905.03871, Algorithm 1. The count's noise is part of the plan's multiplier.
void EngineState::adapt_threshold() {
  const double centred = static_cast<double>(unclipped) - 0.5 * static_cast<double>(batch_samples);
  const double noised = centred + noise.draw(plan.count_noise());
  const double fraction = noised / static_cast<double>(plan.batch_size()) + 0.5;
  max_grad_norm *= std::exp(-plan.options().quantile_learning_rate *
                            (fraction - plan.options().target_quantile));
  // Where most gradients vanish, the threshold would follow them to where floats end.
  const double start = plan.options().max_grad_norm;
  max_grad_norm = std::clamp(max_grad_norm, 1e-6 * start, 1e6 * start);
}

PrivacyEngine::PrivacyEngine(torch::nn::Module& model, torch::optim::Optimizer& optimizer,
                             const Plan& plan, const EngineOptions& options) {
  require_compatible(model);
  check_argument(dynamic_cast<torch::optim::LBFGS*>(&optimizer) == nullptr,
                 "the LBFGS optimizer evaluates a batch many times; use any first-order optimizer");
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
  while (s.next_part == s.parts.size()) {
    if (!s.start_batch()) return std::nullopt;
    if (s.parts.empty()) s.release();  // nobody was drawn: noise alone
  }
  s.waiting = true;
  const Tensor indices = s.parts[s.next_part++];
  return Batch{indices, s.next_part == s.parts.size()};
}

StepReport PrivacyEngine::step(const Tensor& losses) {
  auto& s = *state_;
  if (!s.waiting) {
    throw std::logic_error("no batch is waiting: each batch from next_batch() may be used once");
  }
  const std::int64_t expected = s.parts[s.next_part - 1].size(0);
  check_argument(losses.defined() && losses.dim() == 1 && losses.size(0) == expected,
                 "losses: got ",
                 losses.defined() ? detail::join_message("shape ", losses.sizes()) : "nothing",
                 "; expected one value for each of the batch's ", expected,
                 " samples, not reduced (reduction none)");
  check_argument(losses.requires_grad(), "losses do not depend on any trainable parameter");
  StepReport report;
  s.accumulate(losses, report);
  if (s.next_part < s.parts.size()) return report;
  s.release();
  report.stepped = true;
  return report;
}

bool PrivacyEngine::inside_batch() const { return state_->inside_batch(); }
std::int64_t PrivacyEngine::steps() const { return state_->steps; }
std::int64_t PrivacyEngine::step_limit() const { return state_->step_limit; }
bool PrivacyEngine::is_private() const { return state_->noise.is_private(); }
double PrivacyEngine::max_grad_norm() const { return state_->max_grad_norm; }
std::int64_t PrivacyEngine::discarded() const { return state_->discarded; }

accounting::PrivacyCost PrivacyEngine::privacy_spent(
    double delta, const accounting::AccountingOptions& options) const {
  if (!is_private()) {
    accounting::PrivacyCost cost;
    cost.accountant = options.accountant;
    cost.delta = delta;
    return cost;  // ε = ∞: whoever knows the seed can subtract the noise
  }
  return accounting::cost_at_delta(plan().composition(steps()), plan().neighbours(), delta,
                                   options);
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
  return {{"plan", plan().to_json()},         {"steps", steps()},
          {"max_grad_norm", max_grad_norm()}, {"private", is_private()},
          {"discarded", discarded()},         {"ledger_hash", ledger_hash()}};
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
    s.discarded = checkpoint.at("discarded").get<std::int64_t>();
    s.finish_begun_pass();
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("the checkpoint lacks what the engine needs, or it has the wrong type");
  }
}

PrivacyEngine make_private(torch::nn::Module& model, torch::optim::Optimizer& optimizer,
                           const PlanOptions& plan, const EngineOptions& options) {
  return PrivacyEngine(model, optimizer, Plan(plan), options);
}

double noise_multiplier_for(const accounting::EpsilonDelta& target, const PlanOptions& options) {
  PlanOptions flat = options;
  flat.clipping = Clipping::kFlat;  // the multiplier is that of all a step releases
  flat.noise_multiplier = 1;
  const Plan plan(flat);
  return accounting::smallest_noise_multiplier(target, plan.neighbours(), [&](double noise) {
    PlanOptions with_noise = flat;
    with_noise.noise_multiplier = noise;
    return Plan(with_noise).composition(plan.steps());
  });
}

PrivacyEngine make_private_with_epsilon(torch::nn::Module& model,
                                        torch::optim::Optimizer& optimizer,
                                        const accounting::EpsilonDelta& target, PlanOptions plan,
                                        EngineOptions options) {
  plan.noise_multiplier = noise_multiplier_for(target, plan);
  options.target = target;
  return make_private(model, optimizer, plan, options);
}

}  // namespace sotto
