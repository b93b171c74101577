// One line on a terminal that shows how far training is.
#pragma once

#include "cli/status_line.h"
#include "sotto/train/trainer.h"

namespace sotto::cli {

// Lines of epochs go to stderr; the bar too, but only if stderr is a terminal.
class TrainingDisplay final : public train::TrainingObserver {
 public:
  // `verbose`: details as well.
  explicit TrainingDisplay(bool verbose);

  void on_message(const std::string& text) override;
  void on_warning(const std::string& text) override;
  void on_detail(const std::string& text) override;
  void on_progress(const runs::Progress& progress) override;
  void on_epoch(const train::EpochReport& report) override;
  // After SIGINT or SIGTERM.
  bool stop_requested() override;

 private:
  bool verbose_;
  StatusLine line_;
};

}  // namespace sotto::cli
