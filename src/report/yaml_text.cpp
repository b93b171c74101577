#include "report/yaml_text.h"

namespace sotto::report {
namespace {

using Json = nlohmann::ordered_json;

// JSON's strings are YAML's, except for characters that YAML calls not printable: DEL and U+0080 to
// U+009F.
std::string quoted(const std::string& text) {
  const std::string json = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string result;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = i + 1 < json.size() ? static_cast<unsigned char>(json[i + 1]) : 0U;
    if (byte == 0x7FU) {
      result += "\\x7F";
    } else if (byte == 0xC2U && next < 0xA0U) {
      result += next < 0x90U ? "\\x8" : "\\x9";
      result += "0123456789ABCDEF"[next & 0xFU];
      ++i;
    } else {
      result += json[i];
    }
  }
  return result;
}

std::string number(const Json& value) {
  std::string text = value.dump();
  const auto exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) {
    text.insert(exponent, ".0");
  }
  return text;
}

std::string scalar(const Json& value) {
  return value.is_string() ? quoted(value.get<std::string>()) : number(value);
}

void append(const Json& object, const std::string& indent, std::string& text) {
  for (const auto& [key, value] : object.items()) {
    text += indent + key + ":";
    if (value.is_object()) {
      text += "\n";
      append(value, indent + "  ", text);
    } else if (value.is_array()) {
      text += "\n";
      for (const auto& item : value) text += indent + "  - " + scalar(item) + "\n";
    } else {
      text += " " + scalar(value) + "\n";
    }
  }
}

}  // namespace

std::string yaml_text(const Json& object) {
  std::string text;
  append(object, "", text);
  return text;
}

}  // namespace sotto::report
