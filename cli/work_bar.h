// A bar on the terminal for work of many like pieces, if it lasts.
#pragma once

#include <chrono>
#include <cstddef>

namespace sotto::cli {

// Appears on stderr after a second, if stderr is a terminal, and disappears with the object.
class WorkBar {
 public:
  explicit WorkBar(std::size_t pieces);
  ~WorkBar();
  WorkBar(const WorkBar&) = delete;
  WorkBar& operator=(const WorkBar&) = delete;

  // One piece is done.
  void advance();

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t pieces_;
  std::size_t done_ = 0;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;  // time to draw it
};

}  // namespace sotto::cli
