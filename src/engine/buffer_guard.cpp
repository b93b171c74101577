#include "engine/buffer_guard.h"

#include <algorithm>

#include "sotto/core/error.h"

namespace sotto {

using at::Tensor;

namespace {

constexpr const char* kRemedy =
    "; it would be published without noise: take it out of the model, compute it from public data "
    "beforehand and leave it as it is, or make it a trained parameter";

// Tensors made in inference mode are not counted.
std::int64_t writes_to(const Tensor& tensor, const std::string& name) {
  check_argument(!tensor.is_inference(), "'", name,
                 "' was made in inference mode, where changes cannot be seen; clone() it outside");
  return tensor._version();
}

}  // namespace

bool BufferGuard::is_same(const Entry& now, const Entry& before) {
  return now.tensor.is_same(before.tensor) && now.writes == before.writes &&
         now.storage.unsafeGetStorageImpl() == before.storage.unsafeGetStorageImpl();
}

BufferGuard::BufferGuard(const torch::nn::Module& model, std::vector<grad::NamedParameter> trained)
    : model_(&model), trained_(std::move(trained)) {}

std::vector<BufferGuard::Entry> BufferGuard::entries() const {
  std::vector<Entry> found;
  const auto add = [&](const std::string& name, const char* kind, const Tensor& tensor) {
    if (!tensor.defined()) return found.push_back({name, kind, tensor, {}, 0});
    const auto storage = tensor.has_storage() ? tensor.storage() : at::Storage();
    found.push_back({name, kind, tensor, storage, writes_to(tensor, name)});
  };
  for (const auto& item : model_->named_buffers()) add(item.key(), "buffer", item.value());
  for (const auto& item : model_->named_parameters()) {
    const bool is_trained = std::any_of(trained_.begin(), trained_.end(), [&](const auto& trained) {
      return trained.tensor.is_same(item.value());
    });
    if (!is_trained) add(item.key(), "untrained parameter", item.value());
  }
  return found;
}

std::vector<BufferGuard::Entry> BufferGuard::trained_entries() const {
  std::vector<Entry> found;
  for (const auto& [name, tensor] : trained_) {
    found.push_back({name, "trained parameter", tensor, tensor.storage(), writes_to(tensor, name)});
  }
  return found;
}

void BufferGuard::watch() {
  if (!watching_) seen_ = entries();
  watching_ = true;
}

void BufferGuard::watch_trained() { trained_seen_ = trained_entries(); }

void BufferGuard::require_trained_unchanged() const {
  const auto now = trained_entries();
  for (std::size_t i = 0; i < trained_seen_.size(); ++i) {
    check_argument(
        is_same(now[i], trained_seen_[i]), "trained parameter '", now[i].name,
        "' was changed while the model ran on private records; only steps may change it: "
        "leave out what writes to it, such as an embedding's max_norm, and start again "
        "from weights that it has not written to");
  }
}

void BufferGuard::require_unchanged() const {
  if (!watching_) return;
  const auto now = entries();
  for (const auto& entry : now) {
    const auto before = std::find_if(seen_.begin(), seen_.end(),
                                     [&](const auto& old) { return old.name == entry.name; });
    check_argument(before != seen_.end(), entry.kind, " '", entry.name,
                   "' was added to the model while it ran on private records", kRemedy);
    check_argument(is_same(entry, *before), entry.kind, " '", entry.name,
                   "' was changed while the model ran on private records", kRemedy);
  }
  check_argument(now.size() == seen_.size(),
                 "a buffer was removed from the model while it ran on private records", kRemedy);
}

}  // namespace sotto
