#include "train/checkpoint_file.h"

#include <sstream>
#include <vector>

#include "core/atomic_file.h"
#include "sotto/core/error.h"

namespace sotto::train {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr const char* kStateKey = "state";

std::vector<Shape> shapes_of(const torch::nn::Module& module) {
  std::vector<Shape> shapes;
  for (const auto& parameter : module.parameters()) shapes.push_back(parameter.sizes().vec());
  return shapes;
}

template <typename Saved>
void add_part(torch::serialize::OutputArchive& archive, const std::string& key,
              const Saved& saved) {
  torch::serialize::OutputArchive part;
  saved.save(part);
  archive.write(key, part);
}

template <typename Loaded>
void read_part(torch::serialize::InputArchive& archive, const std::string& key, Loaded& loaded) {
  torch::serialize::InputArchive part;
  archive.read(key, part);
  loaded.load(part);
}

}  // namespace

void CheckpointWriter::add(const std::string& key, const torch::nn::Module& module) {
  add_part(archive_, key, module);
}

void CheckpointWriter::add(const std::string& key, const torch::optim::Optimizer& optimizer) {
  add_part(archive_, key, optimizer);
}

void CheckpointWriter::save(const std::filesystem::path& path, const nlohmann::json& state) {
  archive_.write(kStateKey, c10::IValue(state.dump()));
  std::ostringstream stream;
  archive_.save_to(stream);
  write_file_atomically(path, stream.str());
}

template <typename Read>
auto CheckpointReader::checked(Read read) const {
  try {
    return read();
  } catch (const std::exception&) {
    throw InvalidArgument(path_.string() + ": is damaged, or of another model");
  }
}

CheckpointReader::CheckpointReader(const std::filesystem::path& path) : path_(path) {
  std::istringstream stream(read_file(path));
  checked([&] { archive_.load_from(stream); });
}

void CheckpointReader::read(const std::string& key, torch::nn::Module& module) {
  checked([&] {
    const auto before = shapes_of(module);
    read_part(archive_, key, module);
    check_argument(shapes_of(module) == before, "other shapes");
  });
}

void CheckpointReader::read(const std::string& key, torch::optim::Optimizer& optimizer) {
  checked([&] { read_part(archive_, key, optimizer); });
}

nlohmann::json CheckpointReader::state() {
  return checked([&] {
    c10::IValue text;
    archive_.read(kStateKey, text);
    return nlohmann::json::parse(text.toStringRef());
  });
}

}  // namespace sotto::train
