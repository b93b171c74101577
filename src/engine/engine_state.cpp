#include "engine/engine_state.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "engine/clipped_rows.h"
#include "engine/trained_parameters.h"
#include "plan/blocks.h"
#include "plan/noise_scales.h"
#include "sotto/core/error.h"
#include "sotto/core/stopwatch.h"
#include "sotto/plan/training_ledger.h"

namespace sotto {
namespace {

using at::Tensor;

Noise make_noise(const EngineOptions& options) {
  return options.insecure_seed ? Noise(*options.insecure_seed) : Noise();
}

// Samples through the model at once: whole chains, so that the sum is the same whatever the limit.
std::vector<BatchPart> cut_into_parts(const ChainedRecords& batch, std::int64_t at_most) {
  std::vector<BatchPart> parts;
  const Tensor records = at::tensor(batch.records, at::kLong);
  std::int64_t begin = 0;
  std::vector<std::int64_t> ends;
  for (std::size_t i = 0; i < batch.chain_ends.size(); ++i) {
    const std::int64_t end = batch.chain_ends[i];
    ends.push_back(end - begin);
    const bool last = i + 1 == batch.chain_ends.size();
    if (!last && (at_most == 0 || batch.chain_ends[i + 1] - begin <= at_most)) continue;
    parts.push_back({records.narrow(0, begin, end - begin), std::move(ends)});
    ends.clear();
    begin = end;
  }
  return parts;
}

}  // namespace

EngineState::EngineState(torch::nn::Module& model, torch::optim::Optimizer& the_optimizer,
                         const Plan& the_plan, const EngineOptions& the_options)
    : plan(the_plan),
      options(the_options),
      optimizer(&the_optimizer),
      parameters(trained_parameters(model, the_optimizer)),
      buffers(model, parameters),
      layers(layers_of(parameters)),
      noise(make_noise(the_options)),
      sampler(plan, noise.random()),
      step_limit(affordable_steps(plan, the_options)),
      max_grad_norm(plan.options().max_grad_norm) {
  require_proved_sizes();
  if (!options.ledger.empty()) open_ledger();
}

// Beyond these the proof of docs/finite-precision.md ends.
void EngineState::require_proved_sizes() const {
  constexpr std::int64_t kMostParameters = std::int64_t{1} << 28;
  constexpr std::int64_t kLargestBatch = std::int64_t{1} << 23;
  std::int64_t count = 0;
  for (const auto& parameter : parameters) count += parameter.tensor.numel();
  check_argument(count <= kMostParameters, "trained parameters: ", count,
                 "; sums are proved for up to 2^28");
  check_argument(plan.batch_size() <= kLargestBatch, "batch size ", plan.batch_size(),
                 ": sums are proved for up to 2^23");
}

void EngineState::open_ledger() {
  TrainingHeader header{plan};
  if (!noise.is_private()) header.not_private = "sampling and noise came from a seed";
  ledger = Ledger::open(options.ledger, header.to_json());
  for (const auto& event : ledger->events()) {
    if (plan.searches_thresholds() && event.name == kThresholdSearch) {
      ++searches;
      continue;
    }
    const bool planned =
        std::any_of(plan.options().releases.begin(), plan.options().releases.end(),
                    [&](const auto& release) { return release.name == event.name; });
    check_argument(planned && released.insert(event.name).second, options.ledger.string(),
                   ": holds releases other than steps, whose cost this engine cannot add");
  }
  steps = ledger->steps_charged();
  step_limit = affordable_with(searches);
  finish_begun_pass();
}

void EngineState::finish_begun_pass() {
  if (plan.options().sampling != accounting::Sampling::kShuffled) return;
  while (steps % plan.steps_per_epoch() != 0) charge();
}

ClipRule EngineState::clip_rule() const {
  if (!is<GroupedClipping>(plan.options().clipping)) {
    return {plan.options().clipping, max_grad_norm, layers};
  }
  return {layers, group_bounds};
}

void EngineState::set_groups(const std::vector<ClipGroup>& groups) {
  const auto* planned = std::get_if<GroupedClipping>(&plan.options().clipping);
  const std::int64_t expected = planned != nullptr ? planned->groups : 0;
  check_argument(static_cast<std::int64_t>(groups.size()) == expected, "clip groups: got ",
                 groups.size(), ", the plan has ", expected);
  constexpr std::int64_t kNone = -1;
  std::vector<std::int64_t> group_of(parameters.size(), kNone);
  std::vector<double> bounds;
  for (const auto& group : groups) {
    check_argument(group.bound >= kLeastNorm && group.bound <= kLargestNorm,
                   "clip groups: a bound must be from 1e-12 to 1e12, got ", group.bound);
    for (const auto p : group.parameters) {
      check_argument(p < parameters.size() && group_of[p] == kNone, "clip groups: parameter ", p,
                     " is not one of ", parameters.size(), ", or in two groups");
      group_of[p] = static_cast<std::int64_t>(bounds.size());
    }
    bounds.push_back(group.bound);
  }
  check_argument(std::find(group_of.begin(), group_of.end(), kNone) == group_of.end(),
                 "clip groups: a parameter is in none");
  layers = group_of;
  group_bounds = bounds;
}

Tensor EngineState::release_sum(const std::string& name, const Tensor& rows) {
  const auto& planned = plan.options().releases;
  const auto found = std::find_if(planned.begin(), planned.end(),
                                  [&](const auto& release) { return release.name == name; });
  check_argument(found != planned.end(), "release '", name, "' is not in the plan");
  check_argument(rows.dim() == 2 && rows.size(0) == plan.dataset_size(), "release '", name,
                 "': expected one row for each of ", plan.dataset_size(), " records, got shape ",
                 rows.sizes());
  if (!released.insert(name).second) {
    throw std::runtime_error("release '" + name + "' was made before, and is paid for once");
  }
  ClippedRowSums sums(1, 1);
  sums.add(rows, at::zeros({rows.size(0)}, at::kLong));
  if (ledger) ledger->charge_event(name, {{"noise_multiplier", found->noise_multiplier}});
  return noise.release(sums.sums()[0], sums.unit(), found->noise_multiplier, 1, at::kDouble);
}

void EngineState::charge() {
  const Stopwatch watch(seconds.ledger);
  if (ledger) ledger->charge_step();
  ++steps;
}

bool EngineState::start_batch() {
  if (steps >= step_limit) return false;
  if (noise.is_private()) draw_masks_in_secret();
  if (is<GroupedClipping>(plan.options().clipping) && group_bounds.empty()) {
    throw std::logic_error("grouped clipping: call set_clip_groups() before the first batch");
  }
  if (bounded != nullptr && !projected) bounded->project();
  projected = true;
  if (search_is_due()) {
    step_limit = affordable_with(searches + 1);
    if (steps >= step_limit) return false;
    searching = true;
  }
  searched_norms.clear();
  draw_batch();
  return true;
}

// What a model draws of itself, as dropout's masks, comes from LibTorch's generator: with a known
// seed one record would shift the known masks of all behind it. A seed has 32 bits there, which can
// be tried one by one; so all of the generator's state is drawn.
void EngineState::draw_masks_in_secret() {
  at::mt19937_data_pod state{};
  state.seeded_ = true;
  state.left_ = 1;  // the state is turned over before the first number
  for (auto& word : state.state_) word = static_cast<std::uint32_t>(noise.random()() >> 32U);
  at::mt19937 engine;
  engine.set_data(state);
  auto generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  auto* cpu = generator.get<at::CPUGeneratorImpl>();
  cpu->set_engine(engine);
  cpu->set_next_float_normal_sample({});
  cpu->set_next_double_normal_sample({});
}

// Without a record a batch has one sample less, and LibTorch's kernels, which are chosen by a
// batch's size and treat its places differently, may round all other samples otherwise: for data
// made for it, by any number of bounds.
void EngineState::require_fixed_batch_sizes() const {
  check_argument(plan.neighbours().relation() != accounting::Relation::kAddRemove ||
                     options.physical_batch == 1,
                 "add-remove: LibTorch's kernels may round the other samples differently without a "
                 "record; expected zero-out, which costs the same ε, fused kernels, or physical "
                 "batches of 1");
}

void EngineState::draw_batch() {
  const Stopwatch watch(seconds.sampling);
  const std::int64_t at_most = options.physical_batch;
  // Chains that are shorter would be many in a block; single samples move no others.
  const std::int64_t chain = at_most == 0 || at_most >= kLongestChain ? kLongestChain : 1;
  parts = cut_into_parts(in_blocks(sampler.draw(), plan, chain, noise.random()), at_most);
  next_part = 0;
  if (sums) {
    sums->restart(noise_scales_now());
  } else {
    sums.emplace(tensors_of(parameters), noise_scales_now());
  }
  unclipped = batch_samples = batch_discarded = 0;
}

const BatchPart& EngineState::part_in_work() const { return parts[next_part - 1]; }

void EngineState::accumulate(const Tensor& losses, StepReport& report) {
  const Stopwatch watch(seconds.gradients);
  require_fixed_batch_sizes();
  const grad::PerSampleGradients gradients(losses, parameters);
  require_isolated_samples(gradients);
  const auto clip = clip_factors(gradients.squared_norms(), clip_rule());
  waiting = false;  // from here on these samples are used
  libtorch_gradients = true;
  gradients.add_to(*sums, clip.factors, part_in_work().chain_ends);
  note(clip, report);
}

void EngineState::accumulate(grad::FusedModel& model, const grad::FusedBatch& batch,
                             StepReport& report) {
  const Stopwatch watch(seconds.gradients);
  const ClipRule rule = clip_rule();
  const auto clip = [&](const double* squared_norms, std::int64_t stride, std::int64_t samples,
                        double* factors) { rule.factors(squared_norms, stride, samples, factors); };
  grad::FusedGradients gradients;
  try {
    gradients = model.clipped_gradients(batch, clip, part_in_work().chain_ends, *sums);
  } catch (const InvalidArgument&) {
    throw;  // nothing was added yet
  } catch (...) {
    forget_batch();  // sums may hold a part of these samples: they may not be added again
    throw;
  }
  waiting = false;
  report.losses = gradients.losses;
  note(clip_counts(gradients.squared_norms, rule), report);
}

void EngineState::note(const ClipFactors& clip, StepReport& report) {
  report.samples = clip.norms.size(0);
  report.clipped = clip.counts.clipped;
  report.discarded = clip.counts.discarded;
  unclipped += clip.counts.unclipped;
  batch_samples += report.samples;
  batch_discarded += report.discarded;
  if (options.norm_observer != nullptr) show_norms(clip.norms);
}

// norms (N), double.
void EngineState::show_norms(const Tensor& norms) const {
  const Tensor values = norms.contiguous();
  options.norm_observer->on_norms(
      {values.data_ptr<double>(), static_cast<std::size_t>(values.numel())}, max_grad_norm);
}

std::int64_t EngineState::waiting_samples() const {
  if (!waiting) {
    throw std::logic_error("no batch is waiting: each batch from next_batch() may be used once");
  }
  return part_in_work().records.size(0);
}

bool EngineState::release_if_whole() {
  if (next_part < parts.size()) return false;
  release();
  return true;
}

// One sample that is not finite must not reach the others': it contributes zero, and nothing else
// may come of it.
void EngineState::require_isolated_samples(const grad::PerSampleGradients& gradients) const {
  std::string parameter;
  if (gradients.isolates_samples(&parameter)) return;
  throw grad::NotSeparable(
      "parameter '" + parameter +
      "' is used by an operation without a rule for single samples, where one "
      "sample that is not finite would spoil all others; give physical batches "
      "of 1, or write it with other operations");
}

void EngineState::release() {
  buffers.require_unchanged();
  sums->settle();  // if nobody was drawn
  forbid_other_gradients(*optimizer, parameters);
  charge();
  make_noised_means();
  update();
  if (is<AdaptiveClipping>(plan.options().clipping)) adapt_threshold();
  discarded += batch_discarded;
  forget_batch();
  if (noise.is_private()) draw_masks_in_secret();  // later draws give nothing of these masks away
  if (options.norm_observer != nullptr) options.norm_observer->on_batch(batch_samples);
}

// The memory of the step before serves again, unless somebody else holds it.
void EngineState::make_noised_means() {
  const Stopwatch watch(seconds.noise);
  const auto scales = noise_scales_now();
  const auto divisor = static_cast<double>(plan.batch_size());
  means.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& parameter = parameters[i].tensor;
    const bool mine = means[i].defined() && means[i].use_count() == 1 &&
                      means[i].storage().use_count() == 1 && means[i].is_contiguous() &&
                      means[i].sizes() == parameter.sizes();
    if (!mine) means[i] = at::empty(parameter.sizes(), parameter.options().requires_grad(false));
    noise.release_to(means[i], sums->values(i), sums->unit(i),
                     plan.gradient_noise_multiplier() * scales[i], divisor);
  }
}

// What one record can add to the sum of each parameter's gradients, as the noise counts it.
std::vector<double> EngineState::noise_scales_now() const {
  if (is<GroupedClipping>(plan.options().clipping)) {
    std::vector<double> scales;
    for (const auto group : layers) scales.push_back(group_bounds[static_cast<std::size_t>(group)]);
    return scales;
  }
  if (bounded == nullptr) return std::vector<double>(parameters.size(), max_grad_norm);
  return noise_scales(bounded->gradient_bounds(parameters, max_grad_norm), *plan.options().bounded);
}

void EngineState::update() {
  const Stopwatch watch(seconds.update);
  for (std::size_t i = 0; i < means.size(); ++i) parameters[i].tensor.mutable_grad() = means[i];
  projected = false;  // should the optimizer or the projection fail
  optimizer->step();
  if (bounded != nullptr) bounded->project();
  projected = true;
  for (auto& parameter : parameters) parameter.tensor.mutable_grad() = Tensor();
}

void EngineState::forget_batch() {
  parts.clear();
  next_part = 0;
  waiting = false;
}

}  // namespace sotto
