// Weights, optimizers and the rest of a run's state in one file that is whole or not there: the
// safetensors format, the same for every release of LibTorch.
#pragma once

#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "weights/stored_tensor.h"

namespace torch::serialize {
class InputArchive;
}

namespace sotto::train {

class CheckpointWriter {
 public:
  void add(const std::string& key, const torch::nn::Module& module);
  void add(const std::string& key, const torch::optim::Optimizer& optimizer);
  // Writes it, with whatever else the run needs to go on. Throws FileError.
  void save(const std::filesystem::path& path, const nlohmann::json& state);

 private:
  weights::WeightFile file_;
};

// Every member throws InvalidArgument, naming the file, where it is damaged or of another model.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::filesystem::path& path);
  ~CheckpointReader();
  CheckpointReader(const CheckpointReader&) = delete;
  CheckpointReader& operator=(const CheckpointReader&) = delete;

  // The parameters must have the shapes that they are read into.
  void read(const std::string& key, torch::nn::Module& module);
  void read(const std::string& key, torch::optim::Optimizer& optimizer);
  nlohmann::json state();

 private:
  template <typename Read>
  auto checked(Read read) const;
  weights::WeightFile part(const std::string& prefix) const;

  std::filesystem::path path_;
  weights::WeightFile file_;
  // Of versions up to 0.2, which wrote LibTorch's own format; else null.
  std::unique_ptr<torch::serialize::InputArchive> archive_;
};

}  // namespace sotto::train
