#include "train/epoch_metrics.h"

#include <nlohmann/json.hpp>

#include "core/json_number.h"
#include "plan/norm_json.h"
#include "runs/privacy_report.h"
#include "sotto/core/error.h"

namespace sotto::train {

namespace {

void put(nlohmann::json& line, const char* key, const std::optional<double>& value) {
  if (value) line[key] = *value;
}

// Nothing where Rényi accounting has no analysis, as of Poisson sampling under replace-one.
std::optional<double> best_order(const PrivacyEngine& engine, double delta) {
  accounting::AccountingOptions rdp;
  rdp.accountant = accounting::Accountant::kRdp;
  try {
    return engine.privacy_spent(delta, rdp).order;
  } catch (const NoValidAnalysis&) {
    return std::nullopt;
  }
}

}  // namespace

EpochReport epoch_report(const TrainingState& state, const std::optional<Evaluation>& test,
                         bool test_is_private, double seconds) {
  const auto steps = state.steps_per_epoch();
  EpochReport report;
  report.epoch = (state.step + steps - 1) / steps;
  report.epochs = (state.total_steps() + steps - 1) / steps;
  report.step = state.step;
  if (state.config.tells_private()) report.train_loss = state.last_epoch_loss;
  if (test) {
    (test_is_private ? report.held_out_loss : report.test_loss) = test->loss;
    (test_is_private ? report.held_out_accuracy : report.test_accuracy) = test->accuracy;
  }
  report.seconds = seconds;
  report.norms = state.last_epoch_norms;
  if (!state.engine) return report;
  report.epsilon = state.engine->privacy_spent(state.config.delta).epsilon;
  report.best_order = best_order(*state.engine, state.config.delta);
  return report;
}

nlohmann::json metrics_line(const EpochReport& report) {
  nlohmann::json line = {
      {"epoch", report.epoch}, {"step", report.step}, {"seconds", report.seconds}};
  put(line, "test_loss", report.test_loss);
  put(line, "test_accuracy", report.test_accuracy);
  if (!report.epsilon) {  // without privacy nothing is kept apart
    put(line, "train_loss", report.train_loss);
    return line;
  }
  line["epsilon"] = json_number<nlohmann::json>(*report.epsilon);
  line["best_order"] = report.best_order ? nlohmann::json(*report.best_order) : nlohmann::json();
  return line;
}

nlohmann::json private_metrics_line(const EpochReport& report) {
  if (!report.epsilon || (!report.train_loss && !report.norms)) return {};
  nlohmann::json uncovered;
  put(uncovered, "train_loss", report.train_loss);
  put(uncovered, "held_out_loss", report.held_out_loss);
  put(uncovered, "held_out_accuracy", report.held_out_accuracy);
  if (report.norms) uncovered.update(json_of(*report.norms));
  auto names = nlohmann::json::array();
  for (const auto& item : uncovered.items()) names.push_back(item.key());
  nlohmann::json line = {
      {"epoch", report.epoch}, {"step", report.step}, {"not_covered_by_epsilon", names}};
  line.update(uncovered);
  return line;
}

}  // namespace sotto::train
