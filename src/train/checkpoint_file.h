// Weights, optimizers and the rest of a run's state in one file that is whole or not there.
#pragma once

#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>
#include <torch/serialize/archive.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace sotto::train {

class CheckpointWriter {
 public:
  void add(const std::string& key, const torch::nn::Module& module);
  void add(const std::string& key, const torch::optim::Optimizer& optimizer);
  // Writes it, with whatever else the run needs to go on. Throws FileError.
  void save(const std::filesystem::path& path, const nlohmann::json& state);

 private:
  torch::serialize::OutputArchive archive_;
};

// Every member throws InvalidArgument, naming the file, where it is damaged or of another model.
class CheckpointReader {
 public:
  explicit CheckpointReader(const std::filesystem::path& path);
  // The parameters must have the shapes that they are read into.
  void read(const std::string& key, torch::nn::Module& module);
  void read(const std::string& key, torch::optim::Optimizer& optimizer);
  nlohmann::json state();

 private:
  template <typename Read>
  auto checked(Read read) const;

  std::filesystem::path path_;
  torch::serialize::InputArchive archive_;
};

}  // namespace sotto::train
