// Private training of any LibTorch model: clip, noise, account.
//
//   auto engine = sotto::make_private(*model, optimizer, {.dataset_size = 60000, ...});
//   while (auto batch = engine.next_batch()) {
//     auto output = model->forward(batch->rows_of(images));
//     engine.step(per_sample_losses(output, batch->rows_of(labels)));
//   }
//   auto spent = engine.privacy_spent(1e-5);
#pragma once

#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sotto/accounting/guarantee.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/engine/bounded_model.h"
#include "sotto/grad/grad.h"
#include "sotto/plan/norm_statistics.h"
#include "sotto/plan/plan.h"

namespace sotto {

// What does not belong to the plan: nothing here changes what is promised.
struct EngineOptions {
  // At most this many samples go through the model at once; 0 means the whole batch. A logical
  // batch is then handed out in several parts, and noised and charged once.
  std::int64_t max_physical_batch_size = 0;
  // Where charges are recorded; none without. An existing ledger of the same plan is continued:
  // then restore() the run's checkpoint before the first batch.
  std::filesystem::path ledger = {};
  // Stop before the step that would exceed this.
  std::optional<accounting::EpsilonDelta> target = {};
  // Makes sampling and noise reproducible, and the result NOT PRIVATE: ε is then infinite.
  std::optional<std::uint64_t> insecure_seed = {};
  // Sees every sample's norm and every batch's size, which ε does NOT cover; must outlive the
  // engine.
  NormObserver* norm_observer = nullptr;
};

// Samples to run through the model, then step() with their losses; none where no record was drawn.
// If the plan fills batches (see PlanOptions), some of them are padding: they go through the model
// like all others, and contribute nothing.
struct Batch {
  at::Tensor indices;   // (n), int64: record numbers; padding repeats one that was drawn
  at::Tensor is_drawn;  // (n), bool: false for padding
  bool last_part = true;

  // The samples' rows (n, ...) of what all records have, (records, ...); zeros for padding.
  at::Tensor rows_of(const at::Tensor& all) const;

  std::int64_t size() const { return indices.size(0); }
};

// What a call of step() did. All but `stepped` describes single records without noise: it is not
// covered by ε and not for publication.
struct StepReport {
  bool stepped = false;  // the optimizer ran: this was the last part of its logical batch
  std::int64_t samples = 0;
  std::int64_t clipped = 0;
  std::int64_t discarded = 0;  // samples whose gradient is not finite; they contributed zero
  at::Tensor losses = {};      // (samples): of those that were drawn, if step() computed them
};

// Seconds spent so far by part of a step.
struct StepSeconds {
  double gradients = 0;  // per-sample gradients, norms, clipped sums; the model's part is not in it
                         // unless it is fused
  double noise = 0;
  double update = 0;  // the optimizer
  double ledger = 0;
  double sampling = 0;
};

// Parameters clipped and noised together, with grouped clipping.
struct ClipGroup {
  std::vector<std::size_t> parameters;  // places in parameters()
  double bound = 0;                     // largest norm of a sample's gradient of them
};

// For the statement of a run, of fused gradients and of LibTorch's: what docs/finite-precision.md
// proves of floating point, and what it assumes.
extern const char* const kProvedArithmetic;
extern const char* const kLibTorchAssumption;

class PrivacyEngine {
 public:
  // Both must outlive the engine. Throws InvalidArgument if the model is not fit (see inspector.h),
  // the optimizer holds a parameter that is not the model's or is neither float nor double, or two
  // groups hold the same one.
  PrivacyEngine(torch::nn::Module& model, torch::optim::Optimizer& optimizer, const Plan& plan,
                const EngineOptions& options = {});
  // Clipless: trains `model`'s parameters by what `bounded`, which wraps it, proves of their
  // gradients. All three must outlive the engine. The plan must be a bounded one with the same
  // bounds.
  PrivacyEngine(BoundedModel& bounded, torch::nn::Module& model, torch::optim::Optimizer& optimizer,
                const Plan& plan, const EngineOptions& options = {});
  ~PrivacyEngine();
  PrivacyEngine(PrivacyEngine&&) noexcept;
  PrivacyEngine& operator=(PrivacyEngine&&) noexcept;

  const Plan& plan() const;

  // The next part of a batch; nothing when the plan's steps are done or the target is reached. A
  // logical batch that nobody was drawn for is noised, stepped and charged inside, and then handed
  // out like any other: what happens after a number of steps (a schedule, an average of weights)
  // must not reveal which of them were empty. step() on its 0 samples does nothing, and may be left
  // out, as some layers cannot run on none. In a private engine it draws the state of LibTorch's
  // generator anew, whatever torch::manual_seed set, so that masks of dropout are secret; do not
  // seed it between this and step(). A batch of a shuffled pass whose step is refused
  // is charged when the next is drawn. Throws std::logic_error if the previous part was not used.
  // Throws InvalidArgument, with what to do, for a ledger whose charged steps this model has not
  // made: none of them (no restore()), or the last of them with no budget left to make others.
  std::optional<Batch> next_batch();

  // `losses` (n): one value for each sample of the batch handed out last, not reduced. Throws
  // grad::NotSeparable if they cannot be taken apart, InvalidArgument for a plan by which sizes or
  // places of others depend on a record (see PlanOptions::fill_batches), std::logic_error if no
  // batch is waiting (each may be used once). Throws InvalidArgument, before anything is charged,
  // if a buffer or an untrained parameter of the model was changed since the first batch, whatever
  // it was changed to: it would be saved without noise.
  StepReport step(const at::Tensor& losses);

  // The same by a model compiled for this engine's parameters(): `batch` holds the samples of the
  // batch handed out last. Several times as fast, on the CPU; the promise is the same.
  StepReport step(grad::FusedModel& model, const grad::FusedBatch& batch);

  // The same by an engine for a bounded model, which clips no gradient of parameters: inputs (n,
  // ...) and labels (n) of the batch handed out last. Throws InvalidArgument for a label that is
  // not a class.
  StepReport step(const at::Tensor& inputs, const at::Tensor& labels);

  // Grouped clipping: from the next batch on. As many groups as the plan says, with every parameter
  // in exactly one. The bounds may depend on anything but the private data: on public data, or on
  // what the engine has released. Throws InvalidArgument, or std::logic_error inside a batch.
  void set_clip_groups(const std::vector<ClipGroup>& groups);

  // One of the plan's one-time releases: the sum over all records of rows (n, d), each scaled down
  // to norm 1 where it is larger (and left out where it is not finite), plus noise; (d), double.
  // The charge comes first. Throws std::runtime_error if the ledger says it was made before: what
  // was released is for the caller to keep.
  at::Tensor release(const std::string& name, const at::Tensor& rows);
  // Whether it was.
  bool was_released(const std::string& name) const;

  // The parameters that are trained, in the order of their clip factors.
  const std::vector<grad::NamedParameter>& parameters() const;

  // True between the first part of a logical batch and its step.
  bool inside_batch() const;
  // Logical batches charged so far, and how many may be.
  std::int64_t steps() const;
  std::int64_t step_limit() const;
  // Searches for a threshold charged so far; SearchedClipping only.
  std::int64_t threshold_searches() const;
  bool is_private() const;
  // The clipping threshold in use; changes with AdaptiveClipping and SearchedClipping only.
  double max_grad_norm() const;
  // Samples that were not finite, so far.
  std::int64_t discarded() const;

  // True if gradients of some step, this one's or one before a restore(), came from LibTorch's
  // kernels and not from fused ones: then the promise rests on kLibTorchAssumption.
  bool used_libtorch_gradients() const;

  const StepSeconds& seconds() const;

  // Steps and searches charged so far.
  Spend spend() const;
  // What they cost; ε is infinite if a seed was used.
  accounting::PrivacyCost privacy_spent(double delta,
                                        const accounting::AccountingOptions& options = {}) const;

  // Call before anything trained leaves the process: makes the charges durable.
  void flush();
  // The hash that names the ledger's present state; empty without a ledger.
  std::string ledger_hash() const;

  // What a checkpoint must hold besides model and optimizer: a JSON object, as text.
  std::string checkpoint() const;
  // Continues from it. The ledger's spend counts, even if it is larger than the checkpoint's; one
  // that is behind the checkpoint is refused.
  void restore(const std::string& checkpoint);
  // Steps that the ledger had charged before this engine, and that are not in what was restored
  // (all of them if nothing was): until the first batch.
  std::int64_t lost_steps() const;
  // They are paid for and gone: next_batch() does not throw because of them any more. Without
  // restore() the model is trained as it is, with what is left of the budget.
  void accept_lost_steps();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// An engine for this plan. Model and optimizer must outlive it.
PrivacyEngine make_private(torch::nn::Module& model, torch::optim::Optimizer& optimizer,
                           const PlanOptions& plan, const EngineOptions& options = {});

// The same with the least noise whose whole run costs at most `target`; plan.noise_multiplier is
// ignored.
PrivacyEngine make_private_with_epsilon(torch::nn::Module& model,
                                        torch::optim::Optimizer& optimizer,
                                        const accounting::EpsilonDelta& target, PlanOptions plan,
                                        EngineOptions options = {});

// The least noise multiplier whose whole run costs at most `target`.
double noise_multiplier_for(const accounting::EpsilonDelta& target, const PlanOptions& plan);

}  // namespace sotto
