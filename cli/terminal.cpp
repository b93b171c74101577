#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace sotto::cli {
namespace {

// "" if it is not set.
std::string_view variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

}  // namespace

std::optional<std::size_t> terminal_columns(int descriptor) {
  const auto text = variable("COLUMNS");
  std::size_t columns = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, columns);
  if (read.ec == std::errc() && read.ptr == end && columns > 0) return columns;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool redraws_lines() { return isatty(STDERR_FILENO) != 0 && variable("TERM") != "dumb"; }

bool takes_escape_codes() { return redraws_lines() && variable("NO_COLOR").empty(); }

}  // namespace sotto::cli
