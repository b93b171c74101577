#include "weights/stored_tensor.h"

#include <algorithm>

#include "sotto/core/error.h"

namespace sotto::weights {
namespace {

// More than any file has, and far from overflow in sums of a few.
constexpr std::int64_t kMostElements = std::int64_t{1} << 48;
constexpr std::size_t kLongestName = 1000;
constexpr std::size_t kMostTensors = 100'000;

std::int64_t product_within(std::int64_t a, std::int64_t b) {
  check_argument(a >= 0 && b >= 0, "a tensor has a negative extent");
  check_argument(a == 0 || b <= kMostElements / a, "a tensor has too many elements");
  return a * b;
}

std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  check_argument(shape.size() <= kMostAxes, "a tensor has more than ", kMostAxes, " axes");
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  std::int64_t count = 1;
  for (const auto extent : shape) {
    check_argument(extent >= 0, "a tensor has a negative extent");
    if (!empty) count = product_within(count, extent);
  }
  return empty ? 0 : count;
}

// Elements from the first to the last. REQUIRES: there is one.
std::int64_t span_of(const TensorLayout& layout) {
  std::int64_t last = 0;
  for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
    last += product_within(layout.shape[axis] - 1, layout.strides[axis]);
    check_argument(last < kMostElements, "a tensor has too many elements");
  }
  return last + 1;
}

}  // namespace

std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::kBool:
    case ElementType::kU8:
    case ElementType::kI8:
      return 1;
    case ElementType::kI16:
    case ElementType::kF16:
    case ElementType::kBF16:
      return 2;
    case ElementType::kI32:
    case ElementType::kF32:
      return 4;
    case ElementType::kI64:
    case ElementType::kF64:
      return 8;
  }
  throw InvalidArgument("a tensor has no known type");
}

StoredTensor::StoredTensor(Record record, std::size_t begin, std::size_t length,
                           TensorLayout layout)
    : record_(std::move(record)), begin_(begin), layout_(std::move(layout)) {
  check_argument(begin <= record_->size() && length <= record_->size() - begin,
                 "a tensor lies outside its record");
  check_argument(layout_.strides.size() == layout_.shape.size(),
                 "a tensor has more or fewer strides than axes");
  const auto room = static_cast<std::int64_t>(length / size_of(layout_.type));
  const auto count = count_of(layout_.shape);
  check_argument(count <= room, "a tensor is larger than its record");
  if (count == 0) return;
  const auto span = span_of(layout_);
  check_argument(layout_.offset >= 0 && layout_.offset <= room && span <= room - layout_.offset,
                 "a tensor lies outside its record");
  begin_ += static_cast<std::size_t>(layout_.offset) * size_of(layout_.type);
  span_ = static_cast<std::size_t>(span);
}

std::string_view StoredTensor::bytes() const {
  return std::string_view(*record_).substr(begin_, span_ * size_of(layout_.type));
}

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape) {
  count_of(shape);
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    strides[axis - 1] = product_within(strides[axis], std::max<std::int64_t>(1, shape[axis]));
  }
  return strides;
}

void add_tensor(WeightFile& file, const std::string& name, const StoredTensor& tensor) {
  const bool printable =
      std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
  check_argument(printable && !name.empty() && name.size() <= kLongestName,
                 "the name of a tensor is not 1 to ", kLongestName, " printable ASCII characters");
  check_argument(file.tensors.size() < kMostTensors, "it has more than ", kMostTensors, " tensors");
  const bool is_new = file.tensors.try_emplace(name, tensor).second;
  check_argument(is_new, "two tensors are named '", name, "'");
}

}  // namespace sotto::weights
