// One line on a terminal that shows how far training is.
#pragma once

#include "sotto/train/trainer.h"

namespace sotto::cli {

// Lines of epochs go to stderr; the bar too, but only if stderr is a terminal.
class TrainingDisplay final : public train::TrainingObserver {
 public:
  // `quiet`: no lines of epochs either.
  explicit TrainingDisplay(bool quiet);
  ~TrainingDisplay() override;

  void on_message(const std::string& text) override;
  void on_progress(const train::Progress& progress) override;
  void on_epoch(const train::EpochReport& report) override;
  // After SIGINT or SIGTERM.
  bool stop_requested() override;

 private:
  void clear_bar();

  bool quiet_;
  bool terminal_;
  bool bar_shown_ = false;
};

}  // namespace sotto::cli
