#include "cli/work_bar.h"

#include "cli/bar_text.h"

namespace sotto::cli {
namespace {

constexpr std::chrono::milliseconds kBetween(100);

}  // namespace

void WorkBar::advance() {
  ++done_;
  const auto now = Clock::now();
  if (!line_.possible() || now < next_) return;
  next_ = now + kBetween;
  const double share = static_cast<double>(done_) / static_cast<double>(pieces_);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  line_.show(bar_text(share) + " " + duration_text(seconds * (1 - share) / share) + " left");
}

}  // namespace sotto::cli
