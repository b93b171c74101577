// The parts of a PrivacyEngine, and the order in which they act.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/batch_queue.h"
#include "engine/batch_sums.h"
#include "engine/buffer_guard.h"
#include "engine/charges.h"
#include "engine/gradient_source.h"
#include "engine/model_update.h"
#include "engine/no_whole_batches.h"
#include "engine/noise.h"
#include "engine/record_bounds.h"
#include "engine/step_limit.h"
#include "engine/threshold.h"
#include "sotto/engine/privacy_engine.h"

namespace sotto {

class PrivacyEngine::Implementation {
 public:
  // Model, optimizer and `bounded` must outlive it. `bounded`: null for an engine that clips. What
  // does not fit is refused before a ledger is made.
  Implementation(torch::nn::Module& model, torch::optim::Optimizer& optimizer, Plan plan,
                 const EngineOptions& options, BoundedModel* bounded);
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  // See PrivacyEngine.
  std::optional<Batch> next_batch();
  StepReport step(GradientSource& source);
  void set_clip_groups(const std::vector<ClipGroup>& groups);
  at::Tensor release(const std::string& name, const at::Tensor& rows);
  void flush() { charges_.flush(); }
  nlohmann::json checkpoint() const;
  void restore(const nlohmann::json& checkpoint);
  void accept_lost_steps() { charges_.accept_lost_steps(); }

  // Throws InvalidArgument, with the call to make instead, unless gradients are clipped here.
  void require_clipping() const;
  // Throws InvalidArgument if there is none.
  BoundedModel& bounded_model();
  // The search that the logical batch in work was drawn for; null if it is for a step.
  ThresholdSearch* search_in_work();

  const Plan& plan() const { return plan_; }
  const std::vector<grad::NamedParameter>& parameters() const { return parameters_; }
  const Noise& noise() const { return noise_; }
  const BatchQueue& queue() const { return queue_; }
  const Threshold& threshold() const { return threshold_; }
  const StepLimit& limit() const { return limit_; }
  const Charges& charges() const { return charges_; }
  const BatchSums& sums() const { return sums_; }
  const StepSeconds& seconds() const { return seconds_; }
  std::int64_t discarded() const { return discarded_; }

 private:
  bool has_budget() const { return charges_.steps() < limit_.steps(); }
  // Throws InvalidArgument if the model would silently stay what it is, or begin anew.
  void require_no_surprise() const;
  // Draws the next logical batch; false if no more steps may be made.
  bool start_batch();
  bool start_search_if_due();
  void draw_batch();
  void charge_what_was_dropped();
  StepReport add_part(GradientSource& source);
  void show_norms(const at::Tensor& norms);
  // Ends a logical batch whose parts are all in; true if it made a step.
  bool finish_batch();
  void finish_search();
  void release_step();
  void charge_step();
  void make_noised_means();
  void update_model();
  // A resumed shuffled pass has lost its order: records already used could come again within the
  // same pass. So the begun pass is charged to its end, and a new one starts.
  void finish_begun_pass();

  void require_same_run(const nlohmann::json& checkpoint) const;
  void restore_run(const nlohmann::json& checkpoint);
  void restore_search(const nlohmann::json& checkpoint);

  Plan plan_;
  NormObserver* norm_observer_;
  BoundedModel* bounded_;
  std::vector<grad::NamedParameter> parameters_;
  BufferGuard buffers_;
  NoWholeBatches no_whole_batches_;
  Noise noise_;
  BatchQueue queue_;
  StepLimit limit_;
  Threshold threshold_;
  RecordBounds bounds_;
  BatchSums sums_;
  ModelUpdate update_;
  Charges charges_;  // last: a ledger is made only if all else fits
  StepSeconds seconds_;
  std::int64_t discarded_ = 0;
  bool drawn_uncharged_ = false;  // a batch for a step
  bool restored_ = false;
};

}  // namespace sotto
