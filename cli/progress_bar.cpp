#include "cli/progress_bar.h"

#include <csignal>
#include <cstdio>
#include <iostream>

#include "cli/bar_text.h"
#include "cli/norm_text.h"
#include "cli/setting_flags.h"
#include "cli/text_layout.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {
namespace {

// Set by the handler of SIGINT, SIGTERM and SIGHUP. A second signal kills, as it would without a
// handler.
volatile std::sig_atomic_t signalled = 0;
void note_signal(int signal) {
  signalled = 1;
  std::signal(signal, SIG_DFL);
}

std::string epsilon_text(const std::optional<double>& epsilon) {
  return epsilon ? "  ε " + accounting::rounded_up(*epsilon, 3) : "";
}

// "  ε 1.31 of 3"
std::string spent_text(const runs::Progress& progress) {
  auto spent = epsilon_text(progress.epsilon);
  if (spent.empty() || !progress.epsilon_limit) return spent;
  return spent + " of " + accounting::rounded_up(*progress.epsilon_limit, 3);
}

// Nothing for nothing. `pattern`: of printf, for the value times `factor`.
std::string shown_number(const char* pattern, const std::optional<double>& value, double factor) {
  if (!value) return "";
  char text[64];
  std::snprintf(text, sizeof text, pattern, factor * *value);
  return text;
}

// Neither is known before the first step.
std::string speed_text(const runs::Progress& progress) {
  if (!progress.seconds_left) return "";
  return shown_number("  %.0f samples/s", progress.samples_per_second, 1);
}

std::string left_text(const runs::Progress& progress) {
  return progress.seconds_left ? "  " + duration_text(*progress.seconds_left) + " left" : "";
}

}  // namespace

TrainingDisplay::TrainingDisplay(bool verbose) : verbose_(verbose) {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
  // Of a terminal that was closed; nohup has it ignored.
  if (std::signal(SIGHUP, note_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

bool TrainingDisplay::stop_requested() { return signalled != 0; }

void TrainingDisplay::on_message(const std::string& text) {
  line_.clear();
  std::cerr << text << '\n';
}

void TrainingDisplay::on_warning(const std::string& text) {
  on_message("WARNING: " + worded(text, flag_of));
}

void TrainingDisplay::on_detail(const std::string& text) {
  if (verbose_) on_message(text);
}

void TrainingDisplay::on_progress(const runs::Progress& progress) {
  if (!line_.possible()) return;
  const double done = static_cast<double>(progress.step) / static_cast<double>(progress.steps);
  std::string line = shown_number(" %3.0f %%", done, 100) + speed_text(progress) +
                     shown_number("  loss %.3f", progress.loss, 1) + spent_text(progress);
  const std::string left = left_text(progress);
  if (display_width(line + left) + kBarWidth <= line_.room()) {
    line = bar_text(done) + line + left;
  }
  line_.show(line);
}

void TrainingDisplay::on_epoch(const train::EpochReport& report) {
  line_.clear();
  char text[64];
  std::snprintf(text, sizeof text, "epoch %2ld/%ld", static_cast<long>(report.epoch),
                static_cast<long>(report.epochs));
  std::cerr << text << shown_number("  train loss %.4f", report.train_loss, 1)
            << shown_number("  test accuracy %.2f %%", report.test_accuracy, 100)
            << epsilon_text(report.epsilon);
  if (report.best_order) std::cerr << "  (best RDP order " << *report.best_order << ")";
  std::cerr << "  " << duration_text(report.seconds) << '\n';
  if (report.norms) std::cerr << "  not covered by ε: " << norm_text(*report.norms) << '\n';
}

}  // namespace sotto::cli
