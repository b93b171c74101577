#include "train/run_folder.h"

#include <torch/serialize.h>

#include <sstream>

#include "sotto/core/atomic_file.h"
#include "sotto/core/error.h"
#include "train/metrics_file.h"

namespace sotto::train {
namespace {

std::string config_text(const TrainingConfig& config) {
  try {
    return config.to_json().dump(2) + "\n";
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("a path among the settings is not valid UTF-8");
  }
}

constexpr const char* kPrivateMetrics = "metrics.private.jsonl";

using Shape = std::vector<std::int64_t>;

std::vector<Shape> shapes_of(const torch::nn::Sequential& model) {
  std::vector<Shape> shapes;
  for (const auto& parameter : model->parameters()) shapes.push_back(parameter.sizes().vec());
  return shapes;
}

}  // namespace

RunFolder::RunFolder(std::filesystem::path path, TrainingConfig config)
    : path_(std::move(path)), config_(std::move(config)) {}

RunFolder RunFolder::create(const std::filesystem::path& path, const TrainingConfig& config) {
  RunFolder folder(path, config);
  folder.made_ = NewFolder::create(path, config_text(config));
  return folder;
}

void RunFolder::remove_unused() const {
  if (made_) made_->remove_unused({ledger()});
}

RunFolder RunFolder::open(const std::filesystem::path& path) {
  const auto json =
      nlohmann::json::parse(read_run_config(path), nullptr, /*allow_exceptions=*/false);
  check_argument(!json.is_discarded(), (path / kRunConfig).string(), ": is not JSON");
  return {path, TrainingConfig::from_json(json)};
}

void RunFolder::append_metrics(const nlohmann::json& line) const {
  append_json_line(path_ / "metrics.jsonl", line);
}

void RunFolder::append_private_metrics(const nlohmann::json& line) const {
  append_json_line(path_ / kPrivateMetrics, line);
}

nlohmann::json RunFolder::last_private_metrics() const {
  if (!std::filesystem::exists(path_ / kPrivateMetrics)) return {};
  std::istringstream lines(read_file(path_ / kPrivateMetrics));
  nlohmann::json last;
  for (std::string text; std::getline(lines, text);) {
    auto line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (line.is_object()) last = std::move(line);
  }
  return last;
}

void RunFolder::write(const std::string& name, const std::string& text) const {
  write_file_atomically(path_ / name, text);
}

void RunFolder::save_checkpoint(const torch::nn::Sequential& model,
                                const torch::nn::Sequential& averaged,
                                torch::optim::Optimizer& optimizer,
                                const nlohmann::json& state) const {
  torch::serialize::OutputArchive archive;
  torch::serialize::OutputArchive weights;
  torch::serialize::OutputArchive optimizer_state;
  torch::serialize::OutputArchive averages;
  model->save(weights);
  averaged->save(averages);
  optimizer.save(optimizer_state);
  archive.write("model", weights);
  archive.write("averaged", averages);
  archive.write("optimizer", optimizer_state);
  archive.write("state", c10::IValue(state.dump()));
  std::ostringstream stream;
  archive.save_to(stream);
  write_file_atomically(checkpoint(), stream.str());
}

std::optional<nlohmann::json> RunFolder::load_checkpoint(torch::nn::Sequential& model,
                                                         torch::nn::Sequential& averaged,
                                                         torch::optim::Optimizer& optimizer) const {
  if (!std::filesystem::exists(checkpoint())) return std::nullopt;
  std::istringstream stream(read_file(checkpoint()));
  try {
    torch::serialize::InputArchive archive;
    archive.load_from(stream);
    torch::serialize::InputArchive weights;
    torch::serialize::InputArchive optimizer_state;
    torch::serialize::InputArchive averages;
    archive.read("model", weights);
    archive.read("averaged", averages);
    archive.read("optimizer", optimizer_state);
    const auto before = shapes_of(model);
    model->load(weights);
    averaged->load(averages);
    if (shapes_of(model) != before || shapes_of(averaged) != before)
      throw std::runtime_error("other shapes");
    optimizer.load(optimizer_state);
    c10::IValue state;
    archive.read("state", state);
    return nlohmann::json::parse(state.toStringRef());
  } catch (const std::exception&) {
    throw InvalidArgument(checkpoint().string() + ": is damaged, or of another model");
  }
}

}  // namespace sotto::train
