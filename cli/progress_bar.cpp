#include "cli/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "cli/norm_text.h"
#include "cli/text_layout.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {
namespace {

constexpr int kBarWidth = 24;

// Set by the handler of SIGINT and SIGTERM. A second signal kills, as it would without a handler.
volatile std::sig_atomic_t signalled = 0;
void note_signal(int signal) {
  signalled = 1;
  std::signal(signal, SIG_DFL);
}

std::string bar(double done) {
  static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::clamp(done, 0.0, 1.0) * kBarWidth * 8);
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  return padded(text, kBarWidth);
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string epsilon_text(const std::optional<double>& epsilon) {
  return epsilon ? "  ε " + accounting::rounded_up(*epsilon, 3) : "";
}

}  // namespace

TrainingDisplay::TrainingDisplay(bool verbose)
    : verbose_(verbose), terminal_(isatty(STDERR_FILENO) != 0) {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

bool TrainingDisplay::stop_requested() { return signalled != 0; }

TrainingDisplay::~TrainingDisplay() { clear_bar(); }

void TrainingDisplay::clear_bar() {
  if (bar_shown_) std::cerr << "\r\033[K" << std::flush;
  bar_shown_ = false;
}

void TrainingDisplay::on_message(const std::string& text) {
  clear_bar();
  std::cerr << text << '\n';
}

void TrainingDisplay::on_detail(const std::string& text) {
  if (verbose_) on_message(text);
}

void TrainingDisplay::on_progress(const train::Progress& progress) {
  if (!terminal_) return;
  const double done = static_cast<double>(progress.step) / static_cast<double>(progress.steps);
  char numbers[128];
  std::snprintf(numbers, sizeof numbers, " %3.0f %%  %.0f samples/s  loss %.3f", 100 * done,
                progress.samples_per_second, progress.train_loss);
  std::string line = numbers + epsilon_text(progress.epsilon);
  const std::string left = "  " + duration_text(progress.seconds_left) + " left";
  const std::size_t room = terminal_width() - 1;
  if (display_width(line + left) + kBarWidth <= room) {
    line = bar(done) + line + left;
  }
  while (display_width(line) > room) line.pop_back();
  std::cerr << "\r" << line << "\033[K" << std::flush;
  bar_shown_ = true;
}

void TrainingDisplay::on_epoch(const train::EpochReport& report) {
  clear_bar();
  char text[200];
  std::snprintf(text, sizeof text, "epoch %2ld/%ld  train loss %.4f  test accuracy %.2f %%",
                static_cast<long>(report.epoch), static_cast<long>(report.epochs),
                report.train_loss, 100 * report.test_accuracy);
  std::cerr << text << epsilon_text(report.epsilon);
  if (report.best_order) std::cerr << "  (best RDP order " << *report.best_order << ")";
  std::cerr << "  " << duration_text(report.seconds) << '\n';
  if (report.norms) std::cerr << "  not covered by ε: " << norm_text(*report.norms) << '\n';
}

}  // namespace sotto::cli
