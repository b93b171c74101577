#include "runs/metrics_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <sstream>

#include "core/atomic_file.h"
#include "core/file_descriptor.h"
#include "core/file_steps.h"

namespace sotto::runs {
namespace {

using nlohmann::json;

std::string text_of(const std::filesystem::path& path) {
  return std::filesystem::exists(path) ? read_file(path) : "";
}

// Nothing for what is no line of metrics.
std::optional<std::int64_t> place_of(const json& line) {
  for (const char* key : {"epoch", "step"}) {
    if (!line.is_object() || !line.contains(key)) continue;
    const auto& place = line.at(key);
    if (place.is_number_integer()) return place.get<std::int64_t>();
  }
  return std::nullopt;
}

json parsed(const std::string& text) {
  return json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string lines_before(const std::string& told, const json& line) {
  const auto place = place_of(line);
  std::istringstream lines(told);
  std::string kept;
  for (std::string text; std::getline(lines, text);) {
    const auto earlier = parsed(text);
    if (earlier.is_discarded() && lines.eof()) break;  // interrupted
    const auto its_place = place_of(earlier);
    if (place && its_place && *its_place >= *place) continue;
    kept += text + '\n';
  }
  return kept;
}

void append(const std::filesystem::path& path, const std::string& text) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!file.is_open()) throw FileError(path, "cannot be written", errno);
  write_all(file.number(), text, path);
  if (fsync(file.number()) != 0) throw FileError(path, "cannot force to disk", errno);
}

}  // namespace

void append_json_line(const std::filesystem::path& path, const json& line) {
  const std::string told = text_of(path);
  const std::string kept = lines_before(told, line);
  const std::string text = line.dump() + '\n';
  if (kept == told) {
    append(path, text);
  } else {
    write_file_atomically(path, kept + text);
  }
}

std::int64_t last_epoch_of(const std::filesystem::path& path) {
  std::istringstream lines(text_of(path));
  std::int64_t last = 0;
  for (std::string text; std::getline(lines, text);) {
    const auto line = parsed(text);
    if (line.is_object() && line.contains("epoch")) {
      last = std::max(last, place_of(line).value_or(0));
    }
  }
  return last;
}

}  // namespace sotto::runs
