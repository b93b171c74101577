// Tensors as files hold them: bytes with a type, a shape and strides, all of it checked. Nothing
// here needs LibTorch, so that files from outside meet no parser but ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::weights {

enum class ElementType { kBool, kU8, kI8, kI16, kI32, kI64, kF16, kBF16, kF32, kF64 };

// Bytes of one element.
std::size_t size_of(ElementType type);

constexpr std::size_t kMostAxes = 16;

// How a tensor's numbers lie in a record. Strides and offset count elements.
struct TensorLayout {
  ElementType type = ElementType::kF32;
  std::vector<std::int64_t> shape;    // every extent >= 0
  std::vector<std::int64_t> strides;  // as many, every one >= 0
  std::int64_t offset = 0;
};

// A tensor that lies inside its record. Cheap to copy; keeps the record alive.
class StoredTensor {
 public:
  using Record = std::shared_ptr<const std::string>;

  // The numbers begin at byte `begin` of the record, and have `length` bytes there. Throws
  // InvalidArgument, saying what is wrong, unless every element lies within those bytes and there
  // are at most as many elements as fit there (a stride of 0 repeats none).
  StoredTensor(Record record, std::size_t begin, std::size_t length, TensorLayout layout);

  ElementType type() const { return layout_.type; }
  const std::vector<std::int64_t>& shape() const { return layout_.shape; }
  const std::vector<std::int64_t>& strides() const { return layout_.strides; }
  // From the first element to the last, gaps included; not aligned. Empty if there is no element.
  std::string_view bytes() const;

 private:
  Record record_;
  std::size_t begin_;
  TensorLayout layout_;
  std::size_t span_ = 0;  // elements from the first to the last
};

// The strides of a tensor without gaps, last axis fastest. Throws InvalidArgument if there are more
// elements than a file can hold.
std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape);

// What a file of weights holds. Names are printable ASCII.
struct WeightFile {
  std::map<std::string, StoredTensor> tensors;
  std::map<std::string, std::string> texts;  // by name: a model's card, safetensors' metadata
};

// Throws InvalidArgument for a name that is not 1 to 1000 printable ASCII characters, or not new.
void add_tensor(WeightFile& file, const std::string& name, const StoredTensor& tensor);

}  // namespace sotto::weights
