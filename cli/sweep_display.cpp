#include "cli/sweep_display.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "cli/bar_text.h"

namespace sotto::cli {

SweepDisplay::SweepDisplay() : terminal_(isatty(STDERR_FILENO) != 0) {}

SweepDisplay::~SweepDisplay() { clear_line(); }

void SweepDisplay::clear_line() {
  if (line_shown_) std::cerr << "\r\033[K" << std::flush;
  line_shown_ = false;
}

void SweepDisplay::on_message(const std::string& text) {
  clear_line();
  std::cerr << text << '\n';
}

void SweepDisplay::on_progress(const sweep::QueueProgress& progress) {
  if (!terminal_) return;
  std::string line = std::to_string(progress.done) + " of " + std::to_string(progress.runs) +
                     " runs, " + std::to_string(progress.running) + " running";
  if (progress.best_accuracy) {
    char best[40];
    std::snprintf(best, sizeof best, ", best %.2f %%", 100 * *progress.best_accuracy);
    line += best;
  }
  if (progress.seconds_left > 0) {
    line += ", about " + duration_text(progress.seconds_left) + " left";
  }
  std::cerr << '\r' << line << "\033[K" << std::flush;
  line_shown_ = true;
}

}  // namespace sotto::cli
