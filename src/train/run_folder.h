// The files of a run.
#pragma once

#include <torch/nn/modules/container/sequential.h>
#include <torch/optim/optimizer.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "sotto/train/training_config.h"
#include "train/new_folder.h"

namespace sotto::train {

class RunFolder {
 public:
  // Makes the folder and writes the configuration. Throws InvalidArgument if it exists and is not
  // empty, FileError if it cannot be made.
  static RunFolder create(const std::filesystem::path& path, const TrainingConfig& config);
  // Removes what create() made, and the ledger if nothing is charged in it.
  void remove_unused() const;
  // Throws InvalidArgument, naming the file, if there is no run in it.
  static RunFolder open(const std::filesystem::path& path);

  const TrainingConfig& config() const { return config_; }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path ledger() const { return path_ / "ledger.jsonl"; }
  std::filesystem::path model() const { return path_ / "model.pt"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.pt"; }

  // One line more in metrics.jsonl, whose last line may be torn.
  void append_metrics(const nlohmann::json& line) const;
  // The same in metrics.private.jsonl, for what ε does not cover.
  void append_private_metrics(const nlohmann::json& line) const;
  // The last whole line there; null if there is none.
  nlohmann::json last_private_metrics() const;
  void write(const std::string& name, const std::string& text) const;

  // Atomic. `state` is whatever else the run needs to go on.
  void save_checkpoint(const torch::nn::Sequential& model, const torch::nn::Sequential& averaged,
                       torch::optim::Optimizer& optimizer, const nlohmann::json& state) const;
  // Fills model and optimizer and returns the state; nothing if there is no checkpoint. Throws
  // InvalidArgument if it is damaged.
  std::optional<nlohmann::json> load_checkpoint(torch::nn::Sequential& model,
                                                torch::nn::Sequential& averaged,
                                                torch::optim::Optimizer& optimizer) const;

 private:
  RunFolder(std::filesystem::path path, TrainingConfig config);
  std::filesystem::path path_;
  std::optional<NewFolder> made_;  // by create()
  TrainingConfig config_;
};

}  // namespace sotto::train
