#include "train/weight_tensors.h"

#include <array>
#include <cstring>
#include <utility>

#include "sotto/core/error.h"

namespace sotto::train {
namespace {

using weights::ElementType;

constexpr std::array<std::pair<ElementType, at::ScalarType>, 10> kTypes{{
    {ElementType::kBool, at::kBool},
    {ElementType::kU8, at::kByte},
    {ElementType::kI8, at::kChar},
    {ElementType::kI16, at::kShort},
    {ElementType::kI32, at::kInt},
    {ElementType::kI64, at::kLong},
    {ElementType::kF16, at::kHalf},
    {ElementType::kBF16, at::kBFloat16},
    {ElementType::kF32, at::kFloat},
    {ElementType::kF64, at::kDouble},
}};

at::ScalarType scalar_type(ElementType type) {
  for (const auto& [stored, scalar] : kTypes) {
    if (stored == type) return scalar;
  }
  throw InvalidArgument("a tensor of an unknown type");
}

ElementType element_type(at::ScalarType type) {
  for (const auto& [stored, scalar] : kTypes) {
    if (scalar == type) return stored;
  }
  throw InvalidArgument(std::string("a tensor of type ") + c10::toString(type) +
                        " cannot be written");
}

// Any byte but 0 is true, and LibTorch reads 0 and 1 alone.
void make_true_one(const at::Tensor& numbers) {
  auto* bytes = static_cast<std::uint8_t*>(numbers.data_ptr());
  for (std::int64_t i = 0; i < numbers.numel(); ++i) bytes[i] = bytes[i] != 0 ? 1 : 0;
}

void copy_one(const weights::WeightFile& file, const std::string& name, at::Tensor& target,
              const std::filesystem::path& path) {
  const auto found = file.tensors.find(name);
  check_argument(found != file.tensors.end(), path.string(), ": has no parameter '", name, "'");
  const auto& stored = found->second;
  check_argument(target.sizes() == at::IntArrayRef(stored.shape()), path.string(), ": parameter '",
                 name, "' has shape ", at::IntArrayRef(stored.shape()), ", the model needs ",
                 target.sizes());
  check_argument(!target.is_floating_point() || at::isFloatingType(scalar_type(stored.type())),
                 path.string(), ": parameter '", name,
                 "' holds whole numbers, the model needs real ones");
  target.copy_(tensor_of(stored));
}

}  // namespace

at::Tensor tensor_of(const weights::StoredTensor& stored) {
  const auto type = scalar_type(stored.type());
  const auto bytes = stored.bytes();
  if (bytes.empty()) return at::empty(stored.shape(), type);
  const auto span = static_cast<std::int64_t>(bytes.size() / weights::size_of(stored.type()));
  at::Tensor numbers = at::empty({span}, type);
  std::memcpy(numbers.data_ptr(), bytes.data(), bytes.size());
  if (type == at::kBool) make_true_one(numbers);
  return numbers.as_strided(stored.shape(), stored.strides());
}

weights::StoredTensor stored_of(const at::Tensor& tensor) {
  const at::Tensor dense = tensor.detach().cpu().contiguous();
  const auto type = element_type(dense.scalar_type());
  const auto bytes = static_cast<std::size_t>(dense.numel()) * weights::size_of(type);
  auto record =
      std::make_shared<const std::string>(static_cast<const char*>(dense.data_ptr()), bytes);
  const auto shape = dense.sizes().vec();
  return {std::move(record), 0, bytes, {type, shape, weights::row_major_strides(shape), 0}};
}

void copy_weights(const weights::WeightFile& file, torch::nn::Module& model,
                  const std::filesystem::path& path, const std::string& prefix) {
  torch::NoGradGuard no_gradients;
  std::size_t used = 0;
  const auto copy_all = [&](auto tensors) {
    for (auto& item : tensors) {
      copy_one(file, prefix + item.key(), item.value(), path);
      ++used;
    }
  };
  copy_all(model.named_parameters());
  copy_all(model.named_buffers());
  if (used == file.tensors.size()) return;
  for (const auto& [name, stored] : file.tensors) {
    const bool is_behind = name.starts_with(prefix);
    const auto own = is_behind ? name.substr(prefix.size()) : "";
    const bool known = is_behind && (model.named_parameters().contains(own) ||
                                     model.named_buffers().contains(own));
    check_argument(known, path.string(), ": parameter '", name, "' is not in the model");
  }
}

}  // namespace sotto::train
