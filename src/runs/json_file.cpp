#include "runs/json_file.h"

#include <cmath>
#include <sstream>

#include "core/atomic_file.h"
#include "core/json_fault.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

using nlohmann::json;

// `line`: where the text begins in the file.
json parsed_object(const std::string& text, const std::string& path, std::size_t line) {
  json result = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (result.is_discarded()) refuse_json(text, path, line);
  check_argument(result.is_object(), path, ":", line, ": expected a JSON object, found ",
                 result.type_name());
  return result;
}

}  // namespace

json read_json_object(const std::filesystem::path& path) {
  return parsed_object(read_file(path), path.string(), 1);
}

std::vector<json> read_json_lines(const std::filesystem::path& path) {
  std::vector<json> lines;
  std::istringstream input(read_file(path));
  std::size_t number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (line.empty()) continue;
    const bool interrupted = input.eof();  // it did not end in a newline
    if (interrupted && !json::accept(line)) break;
    lines.push_back(parsed_object(line, path.string(), number));
  }
  return lines;
}

std::optional<double> number_in(const json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string text_in(const json& object, const std::string& key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string shown(const json& value) {
  if (value.is_null()) return "not set";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_string()) return value.dump();
  const auto text = value.get<std::string>();
  return text.empty() ? "none" : text;
}

}  // namespace sotto::runs
