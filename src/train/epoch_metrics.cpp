#include "train/epoch_metrics.h"

#include <cmath>

namespace sotto::train {

EpochReport epoch_report(const TrainingState& state, const Evaluation& test, double seconds) {
  const auto steps = state.steps_per_epoch();
  EpochReport report;
  report.epoch = (state.step + steps - 1) / steps;
  report.epochs = (state.total_steps() + steps - 1) / steps;
  report.step = state.step;
  report.train_loss = state.last_epoch_loss;
  report.test_loss = test.loss;
  report.test_accuracy = test.accuracy;
  report.seconds = seconds;
  report.norms = state.last_epoch_norms;
  if (!state.engine) return report;
  accounting::AccountingOptions rdp;
  rdp.accountant = accounting::Accountant::kRdp;
  report.epsilon = state.engine->privacy_spent(state.config.delta).epsilon;
  report.best_order = state.engine->privacy_spent(state.config.delta, rdp).order;
  return report;
}

nlohmann::json metrics_line(const EpochReport& report) {
  nlohmann::json line = {{"epoch", report.epoch},
                         {"step", report.step},
                         {"train_loss", report.train_loss},
                         {"test_loss", report.test_loss},
                         {"test_accuracy", report.test_accuracy},
                         {"seconds", report.seconds}};
  if (!report.epsilon) return line;
  line["epsilon"] =
      std::isfinite(*report.epsilon) ? nlohmann::json(*report.epsilon) : nlohmann::json("Infinity");
  line["best_order"] = report.best_order ? nlohmann::json(*report.best_order) : nlohmann::json();
  line["not_covered_by_epsilon"] = {"train_loss"};
  if (!report.norms) return line;
  line.update(report.norms->to_json());
  for (const auto* key : kNormKeys) line["not_covered_by_epsilon"].push_back(key);
  return line;
}

}  // namespace sotto::train
