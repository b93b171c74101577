#include "cli/sweep_display.h"

#include <cstdio>
#include <iostream>

#include "cli/bar_text.h"
#include "core/counted.h"

namespace sotto::cli {

void SweepDisplay::on_message(const std::string& text) {
  line_.clear();
  std::cerr << text << '\n';
}

void SweepDisplay::on_progress(const sweep::QueueProgress& progress) {
  if (!line_.possible()) return;
  std::string line = std::to_string(progress.done) + " of " + counted(progress.runs, "run") + ", " +
                     std::to_string(progress.running) + " running";
  if (progress.best_accuracy) {
    char best[40];
    std::snprintf(best, sizeof best, ", best %.2f %%", 100 * *progress.best_accuracy);
    line += best;
  }
  if (progress.seconds_left > 0) {
    line += ", about " + duration_text(progress.seconds_left) + " left";
  }
  line_.show(line);
}

}  // namespace sotto::cli
