// One line on a terminal that shows how far training is.
#pragma once

#include "sotto/train/trainer.h"

namespace sotto::cli {

// Lines of epochs go to stderr; the bar too, but only if stderr is a terminal.
class TrainingDisplay final : public train::TrainingObserver {
 public:
  // `verbose`: details as well.
  explicit TrainingDisplay(bool verbose);
  ~TrainingDisplay() override;

  void on_message(const std::string& text) override;
  void on_detail(const std::string& text) override;
  void on_progress(const runs::Progress& progress) override;
  void on_epoch(const train::EpochReport& report) override;
  // After SIGINT or SIGTERM.
  bool stop_requested() override;

 private:
  void clear_bar();

  bool verbose_;
  bool terminal_;
  bool bar_shown_ = false;
};

}  // namespace sotto::cli
