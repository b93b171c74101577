#include "sotto/train/checkpoint.h"

#include <nlohmann/json.hpp>

#include "train/checkpoint_file.h"

namespace sotto::train {
namespace {

constexpr const char* kModel = "model";
constexpr const char* kOptimizer = "optimizer";

}  // namespace

void save_checkpoint(const std::filesystem::path& path, PrivacyEngine& engine,
                     const torch::nn::Module& model, const torch::optim::Optimizer& optimizer) {
  const auto state = nlohmann::json::parse(engine.checkpoint());
  engine.flush();
  CheckpointWriter checkpoint;
  checkpoint.add(kModel, model);
  checkpoint.add(kOptimizer, optimizer);
  checkpoint.save(path, state);
}

void load_checkpoint(const std::filesystem::path& path, PrivacyEngine& engine,
                     torch::nn::Module& model, torch::optim::Optimizer& optimizer) {
  CheckpointReader checkpoint(path);
  const auto state = checkpoint.state();
  checkpoint.read(kModel, model);
  checkpoint.read(kOptimizer, optimizer);
  engine.restore(state.dump());
}

}  // namespace sotto::train
