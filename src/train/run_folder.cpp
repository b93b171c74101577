#include "train/run_folder.h"

#include <torch/serialize.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "sotto/core/atomic_file.h"
#include "sotto/core/error.h"

namespace sotto::train {
namespace {

constexpr const char* kConfig = "config.json";

}  // namespace

RunFolder::RunFolder(std::filesystem::path path, TrainingConfig config)
    : path_(std::move(path)), config_(std::move(config)) {}

RunFolder RunFolder::create(const std::filesystem::path& path, const TrainingConfig& config) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  check_argument(!exists || std::filesystem::is_directory(path, error), path.string(),
                 ": exists and is no folder");
  check_argument(!exists || std::filesystem::is_empty(path, error), path.string(),
                 ": is not empty; name a new folder, or continue the run in it with --resume");
  std::filesystem::create_directories(path, error);
  if (error) throw FileError(path, "cannot make the folder", error.value());
  RunFolder folder(path, config);
  folder.write(kConfig, config.to_json().dump(2) + "\n");
  return folder;
}

RunFolder RunFolder::open(const std::filesystem::path& path) {
  const auto file = path / kConfig;
  check_argument(std::filesystem::exists(file), file.string(), ": not there; no run to resume");
  const auto json = nlohmann::json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  check_argument(!json.is_discarded(), file.string(), ": is not JSON");
  return {path, TrainingConfig::from_json(json)};
}

void RunFolder::append_metrics(const nlohmann::json& line) const {
  const auto path = path_ / "metrics.jsonl";
  std::ofstream file(path, std::ios::app);
  file << line.dump() << '\n';
  file.flush();
  if (!file) throw FileError(path, "cannot be written", errno);
}

void RunFolder::write(const std::string& name, const std::string& text) const {
  write_file_atomically(path_ / name, text);
}

void RunFolder::save_checkpoint(const torch::nn::Sequential& model,
                                torch::optim::Optimizer& optimizer,
                                const nlohmann::json& state) const {
  torch::serialize::OutputArchive archive;
  torch::serialize::OutputArchive weights;
  torch::serialize::OutputArchive optimizer_state;
  model->save(weights);
  optimizer.save(optimizer_state);
  archive.write("model", weights);
  archive.write("optimizer", optimizer_state);
  archive.write("state", c10::IValue(state.dump()));
  std::ostringstream stream;
  archive.save_to(stream);
  write_file_atomically(checkpoint(), stream.str());
}

std::optional<nlohmann::json> RunFolder::load_checkpoint(torch::nn::Sequential& model,
                                                         torch::optim::Optimizer& optimizer) const {
  if (!std::filesystem::exists(checkpoint())) return std::nullopt;
  std::istringstream stream(read_file(checkpoint()));
  try {
    torch::serialize::InputArchive archive;
    archive.load_from(stream);
    torch::serialize::InputArchive weights;
    torch::serialize::InputArchive optimizer_state;
    archive.read("model", weights);
    archive.read("optimizer", optimizer_state);
    model->load(weights);
    optimizer.load(optimizer_state);
    c10::IValue state;
    archive.read("state", state);
    return nlohmann::json::parse(state.toStringRef());
  } catch (const std::exception&) {
    throw InvalidArgument(checkpoint().string() + ": is damaged, or of another model");
  }
}

}  // namespace sotto::train
