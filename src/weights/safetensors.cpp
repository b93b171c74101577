#include "weights/safetensors.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "sotto/core/error.h"

namespace sotto::weights {
namespace {

using Json = nlohmann::json;  // not ordered_json, which looks for a key among all before it

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;
constexpr int kDepth = 3;  // header, tensor, shape
constexpr std::size_t kAlignment = 8;
constexpr const char* kMetadata = "__metadata__";

constexpr std::array<std::pair<std::string_view, ElementType>, 10> kTypes{{
    {"BOOL", ElementType::kBool},
    {"U8", ElementType::kU8},
    {"I8", ElementType::kI8},
    {"I16", ElementType::kI16},
    {"I32", ElementType::kI32},
    {"I64", ElementType::kI64},
    {"F16", ElementType::kF16},
    {"BF16", ElementType::kBF16},
    {"F32", ElementType::kF32},
    {"F64", ElementType::kF64},
}};

ElementType type_named(const Json& name) {
  for (const auto& [text, type] : kTypes) {
    if (name == text) return type;
  }
  throw InvalidArgument("a tensor's dtype is not one of BOOL, U8, I8 to I64, F16, BF16, F32, F64");
}

std::string_view name_of(ElementType type) {
  for (const auto& [text, known] : kTypes) {
    if (known == type) return text;
  }
  throw InvalidArgument("a tensor has no known type");
}

std::uint64_t length_at_start(std::string_view bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) {
    length = length << 8U | static_cast<std::uint8_t>(bytes[i]);
  }
  return length;
}

std::string_view header_of(std::string_view bytes) {
  check_argument(bytes.size() >= kLengthBytes, "it is shorter than 8 bytes");
  const auto length = length_at_start(bytes);
  check_argument(length <= kLongestHeader && length <= bytes.size() - kLengthBytes,
                 "its header is said to have ", length, " bytes");
  const auto header = bytes.substr(kLengthBytes, length);
  check_argument(header.starts_with('{'), "its header does not begin with '{'");
  return header;
}

// Refuses what is nested too deep before it is built, and a key that comes twice in one object.
Json parse_header(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int level, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      check_argument(level < kDepth, "its header is nested too deep");
      if (event == Event::object_start) keys.emplace_back();
    } else if (event == Event::object_end) {
      keys.pop_back();
    } else if (event == Event::key) {
      check_argument(keys.back().insert(value.get<std::string>()).second,
                     "a key stands twice in its header");
    }
    return true;
  };
  Json header = Json::parse(text, watch, /*allow_exceptions=*/false);
  check_argument(!header.is_discarded() && header.is_object(), "its header is not a JSON object");
  return header;
}

std::uint64_t whole_number(const Json& value) {
  check_argument(value.is_number_unsigned(), "its header has something else in place of a count");
  const auto number = value.get<std::uint64_t>();
  check_argument(number < std::uint64_t{1} << 62U, "its header has a count beyond all files");
  return number;
}

struct Entry {
  std::string name;
  TensorLayout layout;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Entry entry_of(const std::string& name, const Json& json) {
  check_argument(json.is_object() && json.size() == 3 && json.contains("dtype") &&
                     json.contains("shape") && json.contains("data_offsets"),
                 "a tensor's entry is not {dtype, shape, data_offsets}");
  const auto& shape = json.at("shape");
  const auto& offsets = json.at("data_offsets");
  check_argument(shape.is_array() && offsets.is_array() && offsets.size() == 2,
                 "a tensor's shape or data_offsets is not a list of counts");
  Entry entry{name, {type_named(json.at("dtype")), {}, {}, 0}, 0, 0};
  for (const auto& extent : shape) {
    entry.layout.shape.push_back(static_cast<std::int64_t>(whole_number(extent)));
  }
  entry.layout.strides = row_major_strides(entry.layout.shape);
  entry.begin = whole_number(offsets[0]);
  entry.end = whole_number(offsets[1]);
  return entry;
}

// The tensors' bytes must be the rest of the file, each byte once.
void require_tiling(std::vector<Entry>& entries, std::uint64_t size) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t place = 0;
  for (const auto& entry : entries) {
    check_argument(entry.begin == place && entry.end >= entry.begin && entry.end <= size,
                   "its tensors overlap, leave a hole or end outside the file");
    place = entry.end;
  }
  check_argument(place == size, "its tensors do not cover the file");
}

void require_exact_size(const Entry& entry) {
  std::uint64_t bytes = size_of(entry.layout.type);
  // row_major_strides() has bounded the product, unless an extent is 0.
  const auto& shape = entry.layout.shape;
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  for (const auto extent : shape) bytes *= empty ? 0 : static_cast<std::uint64_t>(extent);
  check_argument(entry.end - entry.begin == bytes,
                 "a tensor has more or fewer bytes than its shape and dtype need");
}

void read_metadata(const Json& json, WeightFile& file) {
  check_argument(json.is_object(), "its __metadata__ is not an object of texts");
  for (const auto& [key, value] : json.items()) {
    check_argument(value.is_string(), "its __metadata__ is not an object of texts");
    file.texts[key] = value.get<std::string>();
  }
}

}  // namespace

bool looks_like_safetensors(std::string_view bytes) {
  return bytes.size() > kLengthBytes && bytes[kLengthBytes] == '{' &&
         length_at_start(bytes) <= kLongestHeader;
}

WeightFile read_safetensors(const std::shared_ptr<const std::string>& bytes) {
  const auto text = header_of(*bytes);
  const auto data = kLengthBytes + text.size();
  const Json header = parse_header(text);
  WeightFile file;
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    if (name == kMetadata) {
      read_metadata(value, file);
    } else {
      entries.push_back(entry_of(name, value));
    }
  }
  require_tiling(entries, bytes->size() - data);
  for (auto& entry : entries) {
    require_exact_size(entry);
    add_tensor(
        file, entry.name,
        StoredTensor(bytes, data + entry.begin, entry.end - entry.begin, std::move(entry.layout)));
  }
  return file;
}

std::string safetensors_of(const WeightFile& file) {
  Json header = Json::object();
  if (!file.texts.empty()) header[kMetadata] = file.texts;
  std::string data;
  for (const auto& [name, tensor] : file.tensors) {
    const auto begin = data.size();
    data += tensor.bytes();
    header[name] = {{"dtype", name_of(tensor.type())},
                    {"shape", tensor.shape()},
                    {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  std::string bytes;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    bytes += static_cast<char>(text.size() >> (8 * i) & 0xffU);
  }
  return bytes + text + data;
}

}  // namespace sotto::weights
