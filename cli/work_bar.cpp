#include "cli/work_bar.h"

#include <unistd.h>

#include <iostream>

#include "cli/bar_text.h"

namespace sotto::cli {
namespace {

constexpr std::chrono::milliseconds kPatience(1000);
constexpr std::chrono::milliseconds kBetween(100);

}  // namespace

WorkBar::WorkBar(std::size_t pieces)
    : pieces_(pieces), terminal_(isatty(STDERR_FILENO) != 0), next_(start_ + kPatience) {}

WorkBar::~WorkBar() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void WorkBar::advance() {
  ++done_;
  const auto now = Clock::now();
  if (!terminal_ || now < next_) return;
  next_ = now + kBetween;
  const double share = static_cast<double>(done_) / static_cast<double>(pieces_);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string left = " " + duration_text(seconds * (1 - share) / share) + " left";
  if (static_cast<std::size_t>(kBarWidth) + left.size() >= terminal_width()) return;
  std::cerr << "\r" << bar_text(share) << left << "\033[K" << std::flush;
  shown_ = true;
}

}  // namespace sotto::cli
