#include "runs/metrics_file.h"

#include <cerrno>
#include <fstream>

#include "core/atomic_file.h"

namespace sotto::runs {
namespace {

// Leaves a file of whole lines.
void mend_last_line(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_file(path);
  const auto begin = text.rfind('\n') + 1;  // npos + 1: the first line
  const std::string last = text.substr(begin);
  if (last.empty()) return;
  if (nlohmann::json::accept(last)) {
    std::ofstream(path, std::ios::app) << '\n';
    return;
  }
  std::error_code error;
  std::filesystem::resize_file(path, begin, error);
  if (error) throw FileError(path, "cannot be cut to whole lines", error.value());
}

}  // namespace

void append_json_line(const std::filesystem::path& path, const nlohmann::json& line) {
  mend_last_line(path);
  std::ofstream file(path, std::ios::app);
  file << line.dump() << '\n';
  file.flush();
  if (!file) throw FileError(path, "cannot be written", errno);
}

}  // namespace sotto::runs
