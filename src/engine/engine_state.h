// What the engine holds between two calls: the plan, the ledger, and the logical batch in work.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/buffer_guard.h"
#include "engine/clip_factors.h"
#include "engine/noise.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/grad/per_sample_gradients.h"
#include "sotto/plan/batch_sampler.h"
#include "sotto/plan/ledger.h"

namespace sotto {

// Samples of a bounded model that are looked at together; more would take memory, and no less time.
inline constexpr std::int64_t kBoundedAtOnce = 1024;
// Of samples whose sum is made in float.
inline constexpr std::int64_t kLongestChain = 64;

// The steps that the target leaves, if so many searches must be paid for besides those that go with
// them.
std::int64_t affordable_steps(const Plan& plan, const EngineOptions& options,
                              std::int64_t repeated_searches = 0);

// Samples that go through the model together, and how their sum is cut (see grad::ExactSums).
struct BatchPart {
  at::Tensor records;  // (n), int64
  std::vector<std::int64_t> chain_ends;
};

std::vector<at::Tensor> tensors_of(const std::vector<grad::NamedParameter>& parameters);

struct EngineState {
  EngineState(torch::nn::Module& model, torch::optim::Optimizer& the_optimizer,
              const Plan& the_plan, const EngineOptions& the_options);

  // Draws the next logical batch; false if no more steps may be made.
  bool start_batch();
  // Adds the clipped gradients of the part handed out last, and reports on it.
  void accumulate(const at::Tensor& losses, StepReport& report);
  void accumulate(grad::FusedModel& model, const grad::FusedBatch& batch, StepReport& report);
  void accumulate_bounded(const at::Tensor& inputs, const at::Tensor& labels, StepReport& report);
  // From here on gradients are those of a bounded model. Throws InvalidArgument unless the plan
  // holds its bounds.
  void use(BoundedModel& model);
  // Charges the step, then gives the noised mean to the optimizer, whatever the samples were.
  void release();
  // A resumed shuffled pass has lost its order: records already used could come again within the
  // same pass. So the begun pass is charged to its end, and a new one starts.
  void finish_begun_pass();
  void set_groups(const std::vector<ClipGroup>& groups);
  at::Tensor release_sum(const std::string& name, const at::Tensor& rows);
  // Samples of the part handed out last. Throws std::logic_error if none
  // is waiting for its losses.
  std::int64_t waiting_samples() const;
  // Looks at a part of a batch that was drawn to search the threshold; the last part ends it.
  void search_part(const at::Tensor& inputs, const at::Tensor& labels, StepReport& report);
  // Charges the search, then sets the threshold.
  void finish_search();
  // What a checkpoint knows of them; the ledger's count, if larger, stands.
  void restore_searches(std::int64_t charged, std::int64_t epoch);
  Spend spend() const { return {plan, steps, searches}; }
  // Releases the logical batch if that was its last part.
  bool release_if_whole();
  bool inside_batch() const { return waiting || next_part < parts.size(); }

  Plan plan;
  EngineOptions options;
  torch::optim::Optimizer* optimizer;
  std::vector<grad::NamedParameter> parameters;
  BufferGuard buffers;
  std::vector<std::int64_t> layers;
  Noise noise;
  BatchSampler sampler;
  std::optional<Ledger> ledger;
  std::int64_t step_limit;
  std::int64_t steps = 0;
  double max_grad_norm;

  std::vector<double> group_bounds;          // grouped clipping; `layers` are then the groups
  std::unordered_set<std::string> released;  // one-time releases that were charged

  // Sparse vector: searches charged, the epoch whose threshold is in use, and the search in work.
  std::int64_t searches = 0;
  std::int64_t searched_epoch = -1;
  bool searching = false;
  std::vector<double> searched_norms;

  BoundedModel* bounded = nullptr;
  bool projected = false;  // the bounds hold for the present weights

  StepSeconds seconds;

  // The logical batch in work.
  std::vector<BatchPart> parts;
  std::size_t next_part = 0;
  bool waiting = false;                 // a part was handed out, its losses are not in yet
  std::optional<grad::ExactSums> sums;  // of clipped gradients; their memory serves every batch
  std::vector<at::Tensor> means;        // what the optimizer was given last
  std::int64_t unclipped = 0;
  std::int64_t batch_samples = 0;
  std::int64_t batch_discarded = 0;
  std::int64_t discarded = 0;
  bool libtorch_gradients = false;  // some step's came from LibTorch's kernels

 private:
  void open_ledger();
  void require_proved_sizes() const;
  bool search_is_due() const;
  nlohmann::json search_description() const;  // in the ledger
  std::int64_t affordable_with(std::int64_t all_searches) const;
  void draw_masks_in_secret();
  void require_fixed_batch_sizes() const;
  void draw_batch();
  ClipRule clip_rule() const;
  void charge();
  void require_isolated_samples(const grad::PerSampleGradients& gradients) const;
  const BatchPart& part_in_work() const;
  std::vector<double> noise_scales_now() const;
  void make_noised_means();
  void update();
  void adapt_threshold();
  void forget_batch();
  ScoreGradients checked_score_gradients(const at::Tensor& scores, const at::Tensor& labels) const;
  void note(const ClipFactors& clip, StepReport& report);
  void show_norms(const at::Tensor& norms) const;
};

}  // namespace sotto
