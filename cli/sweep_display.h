// One line on a terminal that shows how far a sweep is.
#pragma once

#include "cli/status_line.h"
#include "sweep/run_queue.h"

namespace sotto::cli {

// Messages go to stderr; progress too, but only if stderr is a terminal.
class SweepDisplay final : public sweep::QueueObserver {
 public:
  void on_progress(const sweep::QueueProgress& progress) override;
  void on_message(const std::string& text) override;

 private:
  StatusLine line_;
};

}  // namespace sotto::cli
