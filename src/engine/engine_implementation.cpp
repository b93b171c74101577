#include "engine/engine_implementation.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/anomaly_mode.h>

#include <stdexcept>
#include <utility>

#include "core/counted.h"
#include "core/stopwatch.h"
#include "engine/one_time_release.h"
#include "engine/secret_masks.h"
#include "engine/trained_parameters.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

Noise make_noise(const EngineOptions& options) {
  return options.insecure_seed ? Noise(*options.insecure_seed) : Noise();
}

// It throws from within a step if one record's gradient is NaN.
void require_no_anomaly_detection() {
  check_argument(!torch::autograd::AnomalyMode::is_enabled(),
                 "autograd's anomaly detection ends a run if one record's gradient is NaN: switch "
                 "it off");
}

}  // namespace

PrivacyEngine::Implementation::Implementation(torch::nn::Module& model,
                                              torch::optim::Optimizer& optimizer, Plan plan,
                                              const EngineOptions& options, BoundedModel* bounded)
    : plan_(std::move(plan)),
      norm_observer_(options.norm_observer),
      bounded_(bounded),
      parameters_(trained_parameters(model, optimizer)),
      buffers_(model, parameters_),
      noise_(make_noise(options)),
      queue_(plan_, noise_.random(), options.max_physical_batch_size),
      limit_(plan_, options.target),
      threshold_(plan_),
      bounds_(plan_, parameters_, threshold_, bounded),
      sums_(parameters_),
      update_(optimizer, parameters_, bounded),
      charges_(plan_, options.ledger, noise_.is_private()) {
  limit_.pay_for_searches(charges_.searches(), charges_.steps());
  finish_begun_pass();
}

void PrivacyEngine::Implementation::require_clipping() const {
  check_argument(bounded_ == nullptr,
                 "a bounded model computes its own losses: call step(inputs, labels)");
}

BoundedModel& PrivacyEngine::Implementation::bounded_model() {
  check_argument(bounded_ != nullptr, "inputs and labels are for engines of a bounded model");
  return *bounded_;
}

ThresholdSearch* PrivacyEngine::Implementation::search_in_work() {
  return threshold_.is_being_searched() ? threshold_.search() : nullptr;
}

std::optional<Batch> PrivacyEngine::Implementation::next_batch() {
  if (queue_.is_waiting())
    throw std::logic_error("the batch drawn last was not used: call step(losses) first");
  require_no_anomaly_detection();
  require_no_surprise();
  charges_.accept_lost_steps();  // training goes on: it was said, or there is budget left for it
  if (bounded_ == nullptr) buffers_.watch();
  static_cast<void>(queue_.take_empty());  // its step may be left out
  while (queue_.is_exhausted()) {
    if (!start_batch()) return std::nullopt;
    // If nobody was drawn: noise alone.
    if (queue_.is_exhausted() && finish_batch()) return queue_.hand_out_empty();
  }
  return queue_.hand_out();
}

bool PrivacyEngine::Implementation::start_batch() {
  buffers_.require_trained_unchanged();  // by a batch whose step was refused
  buffers_.forget_trained();
  charge_what_was_dropped();
  if (!has_budget()) return false;
  if (noise_.is_private()) draw_masks_in_secret(noise_.random());
  bounds_.require_groups();
  update_.make_bounds_hold();
  if (!start_search_if_due()) return false;
  draw_batch();
  return true;
}

// False if a search leaves nothing for steps.
bool PrivacyEngine::Implementation::start_search_if_due() {
  auto* search = threshold_.search();
  if (search == nullptr) return true;
  if (search->is_due(charges_.steps())) {
    limit_.pay_for_searches(charges_.searches() + 1, charges_.steps());
    if (!has_budget()) return false;
    search->start();
  }
  search->forget_norms();
  return true;
}

void PrivacyEngine::Implementation::draw_batch() {
  const Stopwatch watch(seconds_.sampling);
  buffers_.watch_trained();
  queue_.draw();
  drawn_uncharged_ = !threshold_.is_being_searched();
  sums_.restart(bounds_.noise_scales());
}

StepReport PrivacyEngine::Implementation::step(GradientSource& source) {
  require_no_anomaly_detection();
  source.require_samples(queue_.waiting_samples());
  if (queue_.take_empty()) {
    return {.stepped = true, .losses = source.computes_losses() ? at::empty({0}) : at::Tensor()};
  }
  StepReport report = add_part(source);
  report.stepped = queue_.is_exhausted() && finish_batch();
  return report;
}

StepReport PrivacyEngine::Implementation::add_part(GradientSource& source) {
  const Stopwatch watch(seconds_.gradients);
  PartInWork part(queue_);
  const auto added = source.add(part, bounds_, sums_);
  sums_.count(added.counts, part.drawn());
  if (added.norms.defined()) show_norms(added.norms);
  return {.samples = part.drawn(),
          .clipped = added.counts.clipped,
          .discarded = added.counts.discarded,
          .losses = added.losses};
}

// norms (N), double.
void PrivacyEngine::Implementation::show_norms(const at::Tensor& norms) {
  if (norm_observer_ == nullptr) return;
  const at::Tensor values = norms.contiguous();
  norm_observer_->on_norms({values.data_ptr<double>(), static_cast<std::size_t>(values.numel())},
                           threshold_.norm());
}

// A batch of a shuffled pass that was drawn and whose step was then refused: its records have had
// their turn, so the pass goes on as if it had been made. Elsewhere every draw is new.
void PrivacyEngine::Implementation::charge_what_was_dropped() {
  const bool in_a_pass = plan_.options().sampling == accounting::Sampling::kShuffled;
  if (drawn_uncharged_ && in_a_pass) charge_step();
  drawn_uncharged_ = false;
}

bool PrivacyEngine::Implementation::finish_batch() {
  buffers_.require_trained_unchanged();
  if (threshold_.is_being_searched()) {
    finish_search();
    return false;
  }
  release_step();
  return true;
}

void PrivacyEngine::Implementation::finish_search() {
  charges_.charge_search();
  threshold_.finish_search(charges_.steps(), noise_.random());
  queue_.forget();
}

// Whatever the samples were: charged, noised, and given to the optimizer.
void PrivacyEngine::Implementation::release_step() {
  buffers_.require_unchanged();
  sums_.exact().settle();  // if nobody was drawn
  update_.require_no_others();
  charge_step();
  make_noised_means();
  update_model();
  buffers_.forget_trained();
  threshold_.follow(sums_.counts(), noise_);
  discarded_ += sums_.counts().discarded;
  queue_.forget();
  // Later draws give nothing of this batch's masks away.
  if (noise_.is_private()) draw_masks_in_secret(noise_.random());
  if (norm_observer_ != nullptr) norm_observer_->on_batch(sums_.counts().samples);
}

void PrivacyEngine::Implementation::charge_step() {
  const Stopwatch watch(seconds_.ledger);
  charges_.charge_step();
  drawn_uncharged_ = false;
}

void PrivacyEngine::Implementation::make_noised_means() {
  const Stopwatch watch(seconds_.noise);
  auto deviations = bounds_.noise_scales();
  for (auto& deviation : deviations) deviation = plan_.gradient_noise_multiplier() * deviation;
  update_.make_noised_means(sums_.exact(), deviations, static_cast<double>(plan_.batch_size()),
                            noise_);
}

void PrivacyEngine::Implementation::update_model() {
  const Stopwatch watch(seconds_.update);
  update_.apply();
}

void PrivacyEngine::Implementation::finish_begun_pass() {
  while (charges_.is_inside_pass()) charges_.charge_lost_step();
}

void PrivacyEngine::Implementation::require_no_surprise() const {
  if (charges_.lost_steps() == 0) return;
  check_argument(restored_, "the ledger has charged ", counted(charges_.steps(), "step"),
                 ", and none of them is in this model: restore the run's checkpoint "
                 "(train::load_checkpoint, or restore()), take a new ledger for a new run, or call "
                 "accept_lost_steps() to train the model as it is with what is left of the budget");
  check_argument(has_budget(), "the ledger has charged ", counted(charges_.steps(), "step"), ", ",
                 charges_.lost_steps(),
                 " of them after the checkpoint was taken, and none is left: the model stays that "
                 "of the checkpoint. Restore a later checkpoint, plan more steps, or call "
                 "accept_lost_steps() to keep this model at the price of all that was charged");
}

void PrivacyEngine::Implementation::set_clip_groups(const std::vector<ClipGroup>& groups) {
  if (queue_.is_inside_batch()) throw std::logic_error("clip groups are set between batches");
  bounds_.set_groups(groups);
}

at::Tensor PrivacyEngine::Implementation::release(const std::string& name, const at::Tensor& rows) {
  return release_once(name, rows, plan_, charges_, noise_);
}

}  // namespace sotto
