#include "explore/run_files.h"

#include <sstream>

#include "core/shallow_json.h"
#include "sotto/core/error.h"

namespace sotto::explore {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
constexpr int kDeepestListed = 16;

std::optional<std::string> text_of(const RunsFolder& runs, const std::string& path,
                                   Problems& problems) {
  auto text = runs.read(path, kMostBytes);
  if (!text && runs.file_time(path)) problems.push_back(path + ": larger than 16 MiB, not read");
  return text;
}

Json object_or_null(const std::string& text, const std::string& name) {
  try {
    Json json = parse_shallow_json(text, name, kDeepestListed);
    return json.is_object() ? json : Json(nullptr);
  } catch (const InvalidArgument&) {
    return nullptr;
  }
}

}  // namespace

Json json_object(const RunsFolder& runs, const std::string& path, Problems& problems) {
  const auto text = text_of(runs, path, problems);
  if (!text) return nullptr;
  Json json = object_or_null(*text, path);
  if (json.is_null()) problems.push_back(path + ": holds no JSON object, left out");
  return json;
}

std::vector<Json> json_lines(const RunsFolder& runs, const std::string& path, Problems& problems) {
  std::vector<Json> objects;
  const auto text = text_of(runs, path, problems);
  if (!text) return objects;
  std::istringstream lines(*text);
  std::string line;
  int damaged = 0;
  while (std::getline(lines, line)) {
    Json json = object_or_null(line, path);
    const bool unfinished = lines.eof();
    if (json.is_object()) {
      objects.push_back(std::move(json));
    } else if (!line.empty() && !unfinished) {
      ++damaged;
    }
  }
  if (damaged > 0) {
    problems.push_back(path + ": " + std::to_string(damaged) +
                       (damaged == 1 ? " line holds" : " lines hold") +
                       " no JSON object, left out");
  }
  return objects;
}

Json first_json_line(const RunsFolder& runs, const std::string& path) {
  const auto line = runs.first_line(path);
  return line ? object_or_null(*line, path) : Json(nullptr);
}

Json member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? Json(nullptr) : *found;
}

}  // namespace sotto::explore
