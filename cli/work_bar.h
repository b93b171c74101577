// A bar on the terminal for work of many like pieces, if it lasts.
#pragma once

#include <chrono>
#include <cstddef>

#include "cli/status_line.h"

namespace sotto::cli {

// Appears on stderr after a second, if stderr is a terminal, and disappears with the object.
class WorkBar {
 public:
  explicit WorkBar(std::size_t pieces) : pieces_(pieces) {}

  // One piece is done.
  void advance();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPatience{1000};

  std::size_t pieces_;
  std::size_t done_ = 0;
  StatusLine line_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + kPatience;  // time to draw it
};

}  // namespace sotto::cli
