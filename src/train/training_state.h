// Everything that training changes, and that a checkpoint must therefore hold.
#pragma once

#include <torch/nn/modules/container/sequential.h>
#include <torch/optim/optimizer.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "runs/run_folder.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/train/model_file.h"
#include "train/fused_models.h"
#include "train/tensor_data.h"

namespace sotto::train {

// What a clipless run minimises.
lipschitz::Loss clipless_loss(const TrainingConfig& config, std::size_t classes);

struct TrainingState {
  // As a run begins; the engine goes on with the folder's ledger if there is one. All arguments
  // must outlive the state. Throws InvalidArgument if the configuration does not fit the data or
  // the model mixes samples.
  // `bytes_before_data`: that the process took before it read any record.
  TrainingState(const runs::RunFolder& the_folder, const TrainingConfig& the_config,
                const TensorTrainTest& data, std::int64_t bytes_before_data = 0);
  TrainingState(const TrainingState&) = delete;
  TrainingState& operator=(const TrainingState&) = delete;

  std::int64_t steps_per_epoch() const;
  std::int64_t total_steps() const;
  // The model to save: `averaged`, behind its features where those are frozen.
  torch::nn::Sequential whole_model() const;
  // averaged <- kept·averaged + (1 - kept)·model.
  void update_average(double kept);

  // `seconds`: of training so far. Makes the charges durable first.
  void save_checkpoint(double seconds);
  // Goes back to the checkpoint, with the ledger's spend; false if there is none. Throws
  // InvalidArgument if it is damaged, or of another run.
  bool restore_checkpoint();

  const runs::RunFolder& folder;
  const TrainingConfig& config;
  std::int64_t dataset_size;
  bool some_held_out;                        // private records, for the accuracy
  std::int64_t max_physical_batch_size = 0;  // samples at once; 0: the whole batch
  ModelCard card;  // of the whole model, before anything is known of its privacy
  torch::nn::Sequential model{nullptr};
  torch::nn::Sequential averaged{nullptr};            // what is evaluated and saved
  std::optional<lipschitz::LipschitzModel> clipless;  // wraps `model`
  std::unique_ptr<torch::optim::Optimizer> optimizer;
  std::optional<NormStatistics> norms;  // of the present epoch, if they are to be shown
  std::optional<PrivacyEngine> engine;  // nothing without privacy
  FusedModels fused;

  std::int64_t step = 0;       // logical batches done, charged or not
  double last_epoch_loss = 0;  // mean over training samples
  std::optional<NormSummary> last_epoch_norms;
  double seconds_before = 0;  // of training, before this process

 private:
  void make_models(const TensorTrainTest& data);
  void make_classifiers();
  torch::nn::Sequential features_and_classifier_{nullptr};  // where features are frozen
  std::string features_key_;                                // of their weights, for the checkpoint
  std::optional<BoundedNoise> bounded_noise() const;
  void start_engine();
  void restore_shown(const nlohmann::json& saved);
  void remove_torn_ledger() const;
};

}  // namespace sotto::train
