#include "train/checkpoint_file.h"

#include <torch/serialize/archive.h>

#include <sstream>
#include <vector>

#include "core/atomic_file.h"
#include "sotto/core/error.h"
#include "train/optimizer_state.h"
#include "train/weight_tensors.h"
#include "weights/archive.h"
#include "weights/safetensors.h"

namespace sotto::train {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr const char* kStateKey = "state";

std::vector<Shape> shapes_of(const torch::nn::Module& module) {
  std::vector<Shape> shapes;
  for (const auto& parameter : module.parameters()) shapes.push_back(parameter.sizes().vec());
  return shapes;
}

template <typename Loaded>
void read_part(torch::serialize::InputArchive& archive, const std::string& key, Loaded& loaded) {
  torch::serialize::InputArchive part;
  archive.read(key, part);
  loaded.load(part);
}

}  // namespace

void CheckpointWriter::add(const std::string& key, const torch::nn::Module& module) {
  const auto add_all = [&](const auto& tensors) {
    for (const auto& item : tensors) {
      add_tensor(file_, key + "." + item.key(), stored_of(item.value()));
    }
  };
  add_all(module.named_parameters());
  add_all(module.named_buffers());
}

void CheckpointWriter::add(const std::string& key, const torch::optim::Optimizer& optimizer) {
  add_optimizer_state(optimizer, key + ".", file_);
}

void CheckpointWriter::save(const std::filesystem::path& path, const nlohmann::json& state) {
  file_.texts[kStateKey] = state.dump();
  write_file_atomically(path, weights::safetensors_of(file_));
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
  auto bytes = read_file(path);
  checked([&] {
    if (!weights::looks_like_archive(bytes)) {
      file_ = weights::read_weight_bytes(std::move(bytes), path.string());
      return;
    }
    archive_ = std::make_unique<torch::serialize::InputArchive>();
    std::istringstream stream(bytes);
    archive_->load_from(stream);
  });
}

CheckpointReader::~CheckpointReader() = default;

weights::WeightFile CheckpointReader::part(const std::string& prefix) const {
  weights::WeightFile part;
  for (const auto& [name, tensor] : file_.tensors) {
    if (name.starts_with(prefix)) part.tensors.emplace(name, tensor);
  }
  return part;
}

void CheckpointReader::read(const std::string& key, torch::nn::Module& module) {
  checked([&] {
    if (!archive_) {
      copy_weights(part(key + "."), module, path_, key + ".");
      return;
    }
    const auto before = shapes_of(module);
    read_part(*archive_, key, module);
    check_argument(shapes_of(module) == before, "other shapes");
  });
}

void CheckpointReader::read(const std::string& key, torch::optim::Optimizer& optimizer) {
  checked([&] {
    if (archive_) {
      read_part(*archive_, key, optimizer);
      check_argument(remembers_own_parameters(optimizer), "of another release of LibTorch");
    } else {
      read_optimizer_state(file_, key + ".", optimizer);
    }
  });
}

nlohmann::json CheckpointReader::state() {
  return checked([&] {
    if (!archive_) return nlohmann::json::parse(file_.texts.at(kStateKey));
    c10::IValue text;
    archive_->read(kStateKey, text);
    return nlohmann::json::parse(text.toStringRef());
  });
}

}  // namespace sotto::train
