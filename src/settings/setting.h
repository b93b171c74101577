// A configuration as a table: one line per setting gives its place in config.json, its flags, how
// it is read, and where it applies.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "settings/values.h"
#include "sotto/core/error.h"

namespace sotto::settings {

enum class Form : std::uint8_t {
  kValue,   // --epochs 10
  kValues,  // --freeze a --freeze b
  kSwitch,  // --disable-dp
};

template <typename Config>
struct Setting {
  const char* key = nullptr;    // "clipless.loss" is a member of an object; null: not in the file
  const char* flags = nullptr;  // "-e,--epochs", old names behind a bar; null: not for people
  const char* help = nullptr;   // one line for --help
  Form form = Form::kValue;
  const char* placeholder = nullptr;  // what stands for the value in help: "N"
  // Takes over what a text says. Throws InvalidArgument.
  void (*parse)(const std::string& text, Config& config) = nullptr;
  nlohmann::json (*get)(const Config& config) = nullptr;
  void (*put)(const nlohmann::json& json, Config& config) = nullptr;
  const char* accepted = nullptr;  // of words: "auto, fused or graph"
  // Nothing reads the setting where this is false; `needed` says what would: "--method clipless".
  bool (*applies)(const Config& config) = nullptr;
  const char* needed = nullptr;
  std::string (*got)(const Config& config) = nullptr;  // what stands there instead, if it is short
  const char* other = nullptr;                         // a flag that says the same in another way
  bool newer = false;                                  // files of older versions do not have it

  // What makes this setting mean something.
  constexpr Setting only(bool (*when)(const Config&), const char* what,
                         std::string (*instead)(const Config&) = nullptr) const {
    Setting copy = *this;
    copy.applies = when;
    copy.needed = what;
    copy.got = instead;
    return copy;
  }
  constexpr Setting instead_of(const char* flag) const {
    Setting copy = *this;
    copy.other = flag;
    return copy;
  }
  constexpr Setting among(const char* words) const {
    Setting copy = *this;
    copy.accepted = words;
    return copy;
  }
  constexpr Setting since_later() const {
    Setting copy = *this;
    copy.newer = true;
    return copy;
  }
  // Behind a flag it is read otherwise than in the file.
  constexpr Setting written(void (*otherwise)(const std::string& text, Config& config)) const {
    Setting copy = *this;
    copy.parse = otherwise;
    return copy;
  }
};

template <typename Config>
using Table = std::span<const Setting<Config>>;

namespace detail {

template <typename Value>
struct IsOptional : std::false_type {};
template <typename Value>
struct IsOptional<std::optional<Value>> : std::true_type {};

// Written as a word of their own: they have a to_string().
template <typename Value>
concept Named = requires(const Value& value) {
  std::string(to_string(value));
};

template <typename Value>
nlohmann::json to_json(const Value& value) {
  if constexpr (IsOptional<Value>::value) {
    return value ? to_json(*value) : nlohmann::json();
  } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
    return value.string();
  } else if constexpr (Named<Value>) {
    return std::string(to_string(value));
  } else {
    return value;
  }
}

template <auto parse, typename Value>
void from_json(const nlohmann::json& json, Value& value) {
  if constexpr (IsOptional<Value>::value) {
    value.reset();
    if (!json.is_null()) from_json<parse>(json, value.emplace());
  } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
    value = json.get<std::string>();
  } else if constexpr (Named<Value>) {
    value = parse(json.get<std::string>());
  } else {
    json.get_to(value);
  }
}

// Members of members: config.clipless.loss.
template <auto... path, typename Config>
decltype(auto) at(Config& config) {
  return (config.*....*path);
}

template <typename Config, auto parse, auto... path>
constexpr Setting<Config> stored(const char* key, const char* flags, const char* help, Form form) {
  Setting<Config> made{key, flags, help, form};
  made.placeholder = "NAME";
  made.get = [](const Config& config) { return to_json(at<path...>(config)); };
  made.put = [](const nlohmann::json& json, Config& config) {
    from_json<parse>(json, at<path...>(config));
  };
  return made;
}

}  // namespace detail

// `parse`: a function of values.h.
template <typename Config, auto parse, auto... path>
constexpr Setting<Config> value(const char* key, const char* flags, const char* help) {
  auto made = detail::stored<Config, parse, path...>(key, flags, help, Form::kValue);
  made.placeholder = kPlaceholder<parse>;
  made.parse = [](const std::string& text, Config& config) {
    detail::at<path...>(config) = parse(text);
  };
  return made;
}

// One of a few words. `from_name` throws InvalidArgument for others than `accepted`.
template <typename Config, auto from_name, auto... path>
constexpr Setting<Config> word(const char* key, const char* flags, const char* accepted,
                               const char* help) {
  auto made = value<Config, from_name, path...>(key, flags, help);
  made.accepted = accepted;
  return made;
}

// A flag that is not a place of its own in the file.
template <typename Config>
constexpr Setting<Config> spelling(const char* flags, const char* placeholder, const char* help,
                                   void (*parse)(const std::string& text, Config& config)) {
  Setting<Config> made{nullptr, flags, help};
  made.placeholder = placeholder;
  made.parse = parse;
  return made;
}

template <typename Config, auto... path>
constexpr Setting<Config> values(const char* key, const char* flags, const char* help) {
  auto made = detail::stored<Config, nullptr, path...>(key, flags, help, Form::kValues);
  made.parse = [](const std::string& text, Config& config) {
    detail::at<path...>(config).push_back(text);
  };
  return made;
}

template <typename Config, auto... path>
constexpr Setting<Config> switched(const char* key, const char* flags, const char* help) {
  auto made = detail::stored<Config, nullptr, path...>(key, flags, help, Form::kSwitch);
  made.parse = [](const std::string&, Config& config) { detail::at<path...>(config) = true; };
  return made;
}

// In the file alone.
template <typename Config, auto parse, auto... path>
constexpr Setting<Config> recorded(const char* key) {
  return detail::stored<Config, parse, path...>(key, nullptr, nullptr, Form::kValue);
}

namespace detail {

// "clipless.loss" as a place in a JSON document.
nlohmann::json::json_pointer place_of(const std::string& key);
// Throws InvalidArgument for a member of `json` that `known` does not have.
void require_known(const nlohmann::json& json, const nlohmann::json& known);

}  // namespace detail

template <typename Config>
nlohmann::json to_json(Table<Config> table, const Config& config) {
  auto json = nlohmann::json::object();
  for (const auto& setting : table) {
    if (setting.key != nullptr) json[detail::place_of(setting.key)] = setting.get(config);
  }
  return json;
}

// Throws InvalidArgument if a key is missing, unknown or of the wrong type.
template <typename Config>
Config from_json(Table<Config> table, const nlohmann::json& json) {
  Config config;
  for (const auto& setting : table) {
    if (setting.key == nullptr) continue;
    const auto place = detail::place_of(setting.key);
    if (setting.newer && !json.contains(place)) continue;
    try {
      setting.put(json.at(place), config);
    } catch (const nlohmann::json::exception&) {
      throw InvalidArgument(std::string("the configuration is damaged: '") + setting.key +
                            "' is missing or of the wrong type");
    }
  }
  detail::require_known(json, to_json(table, config));
  return config;
}

// Takes over what was written behind a setting's flag. Throws NotAccepted.
template <typename Config>
void read(const Setting<Config>& setting, const std::string& text, Config& config) {
  try {
    setting.parse(text, config);
  } catch (const NotAccepted&) {
    throw;
  } catch (const InvalidArgument& error) {
    if (setting.accepted != nullptr) throw NotAccepted(setting.accepted);
    throw NotAccepted(error);
  }
}

// Why nothing reads the setting under `config`: "only with --method clipless", "only with --dataset
// idx:DIR; got mnist". Empty if something does.
template <typename Config>
std::string why_unread(const Setting<Config>& setting, const Config& config) {
  if (setting.applies == nullptr || setting.applies(config)) return "";
  const std::string why = std::string("only with ") + setting.needed;
  return setting.got == nullptr ? why : why + "; got " + setting.got(config);
}

// "auto, fused or graph" and "one of auto, fused, graph" as words: auto, fused, graph.
std::vector<std::string> words_in(const std::string& accepted);

// What stands for the setting's value in help: "N", or the words that are accepted,
// "auto|fused|graph". Nothing for a switch.
template <typename Config>
std::string value_text(const Setting<Config>& setting) {
  if (setting.form == Form::kSwitch) return "";
  if (setting.accepted == nullptr) return setting.placeholder;
  std::string text;
  for (const auto& word : words_in(setting.accepted)) text += (text.empty() ? "" : "|") + word;
  return text;
}

// The long name among a setting's flags, the first: "-b,--batch-size" is --batch-size.
std::string long_flag(const std::string& flags);
// All names: "-b,--batch-size" is two, "--test-data|--test" as well.
std::vector<std::string> flag_names(std::string flags);

}  // namespace sotto::settings
