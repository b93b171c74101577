#include "train/state_dict.h"

#include <caffe2/serialize/inline_container.h>
#include <caffe2/serialize/istream_adapter.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string_view>

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
  if (!view.starts_with(kGlobal) || !view.substr(kGlobal.size()).starts_with(kCall)) return pickle;
  const auto begin = kGlobal.size() + kCall.size();
  const auto entries = view.substr(begin, end_of_entries(view) - begin);
  return std::string(kGlobal) + "}" + std::string(entries) + "\x86.";
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
    const auto length = std::min(count, pickle.size() - place);
    std::memcpy(buffer, pickle.data() + place, length);
    place += length;
    return length;
  };
  const auto record = [&](const std::string& name) {
    return std::get<0>(archive.getRecord("data/" + name));
  };
  torch::jit::Unpickler unpickler(read, nullptr, nullptr, record, c10::Device(c10::kCPU));
  const auto value = unpickler.parse_ivalue();
  const auto entries = value.isTuple() ? value.toTupleRef().elements().at(1) : value;
  std::map<std::string, at::Tensor> weights;
  for (const auto& item : entries.toGenericDict()) {
    weights[item.key().toStringRef()] = item.value().toTensor();
  }
  return weights;
}

}  // namespace sotto::train
