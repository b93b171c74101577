#include "train/state_dict.h"

#include <caffe2/serialize/inline_container.h>
#include <caffe2/serialize/istream_adapter.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <sstream>
#include <string_view>

#include "sotto/core/error.h"

namespace sotto::train {
namespace {

using namespace std::string_view_literals;

// A state_dict is an OrderedDict with an attribute of its own, _metadata, which holds the versions
// of the layers. LibTorch reads dictionaries, but takes an OrderedDict for nothing, and knows no
// attributes. So its pickle is rewritten, as far as that has one form only (pickle protocol 2).

// The attributes are the last thing, { "_metadata": ... } behind the whole dictionary. An empty
// dictionary is '}', maybe remembered ('q' and a byte, 'r' and four); a text is 'X' and its length.
std::size_t end_of_entries(std::string_view pickle) {
  const auto name = pickle.rfind("X\x09\0\0\0_metadata"sv);
  for (const std::size_t back : {1, 3, 6}) {
    if (name == std::string_view::npos || name < back || pickle[name - back] != '}') continue;
    if (back == 3 && pickle[name - 2] != 'q') continue;
    if (back == 6 && pickle[name - 5] != 'r') continue;
    return name - back;
  }
  return pickle.size() - 1;  // without the '.' that ends a pickle
}

// "global OrderedDict, call it, entries" becomes "global OrderedDict, {}, entries, pair of both".
std::string as_dictionary(const std::string& pickle) {
  constexpr auto kGlobal =
      "\x80\x02"
      "ccollections\nOrderedDict\nq\0"sv;
  constexpr auto kCall = ")R"sv;
  const std::string_view view(pickle);
  if (!view.starts_with(kGlobal) || !view.substr(kGlobal.size()).starts_with(kCall)) {
    check_argument(view.starts_with("\x80\x02}"), "not the pickle of a dictionary");
    return pickle;
  }
  const auto begin = kGlobal.size() + kCall.size();
  const auto entries = view.substr(begin, end_of_entries(view) - begin);
  return std::string(kGlobal) + "}" + std::string(entries) + "\x86.";
}

// By where a record lies in memory.
using RecordSizes = std::map<const void*, std::size_t>;

// LibTorch believes what the pickle says of a tensor's shape, whatever its record holds.
void require_inside(const at::Tensor& tensor, const RecordSizes& sizes) {
  check_argument(tensor.layout() == at::kStrided && tensor.device().is_cpu(),
                 "a tensor is not a dense one on the CPU");
  const auto record = sizes.find(tensor.storage().data());
  check_argument(record != sizes.end() && tensor.storage_offset() >= 0, "a tensor has no record");
  auto last = static_cast<double>(tensor.storage_offset());
  for (std::int64_t axis = 0; axis < tensor.dim(); ++axis) {
    check_argument(tensor.size(axis) > 0 && tensor.stride(axis) >= 0, "a tensor is empty");
    last += static_cast<double>(tensor.size(axis) - 1) * static_cast<double>(tensor.stride(axis));
  }
  check_argument(
      (last + 1) * static_cast<double>(tensor.itemsize()) <= static_cast<double>(record->second),
      "a tensor is larger than its record");
}

}  // namespace

std::map<std::string, at::Tensor> read_state_dict(const std::string& bytes) {
  std::istringstream stream(bytes);
  caffe2::serialize::PyTorchStreamReader archive(
      std::make_unique<caffe2::serialize::IStreamAdapter>(&stream));
  const auto [data, size] = archive.getRecord("data.pkl");
  const auto pickle = as_dictionary({static_cast<const char*>(data.get()), size});
  std::size_t place = 0;
  const auto read = [&](char* buffer, std::size_t count) {
    const auto length = pickle.copy(buffer, count, place);
    place += length;
    return length;
  };
  RecordSizes sizes;
  const auto record = [&](const std::string& name) {
    auto [content, length] = archive.getRecord("data/" + name);
    sizes[content.get()] = length;
    return at::DataPtr(std::move(content));
  };
  torch::jit::Unpickler unpickler(read, nullptr, nullptr, record, c10::Device(c10::kCPU));
  const auto value = unpickler.parse_ivalue();
  const auto entries = value.isTuple() ? value.toTupleRef().elements().at(1) : value;
  std::map<std::string, at::Tensor> weights;
  for (const auto& item : entries.toGenericDict()) {
    const at::Tensor tensor = item.value().toTensor();
    require_inside(tensor, sizes);
    weights[item.key().toStringRef()] = tensor;
  }
  return weights;
}

}  // namespace sotto::train
