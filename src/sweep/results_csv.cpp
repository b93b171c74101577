#include <cmath>

#include "core/csv_field.h"
#include "sweep/result_files.h"

namespace sotto::sweep {
namespace {

std::string number_field(const std::optional<double>& value) {
  if (!value) return "";
  return std::isinf(*value) ? "Infinity" : exact_number(*value);
}

std::string header(const SweepPlan& plan) {
  std::string text = "run,configuration,repeat";
  for (const auto& setting :
       plan.configurations().empty() ? Configuration() : plan.configurations()[0]) {
    text += ',' + csv_field(setting.name);
  }
  return text + ",status,epsilon,delta,accuracy,loss,seconds,peak_memory_bytes,message\n";
}

std::string row(const SweepPlan& plan, const SweepSummary& summary, std::size_t run) {
  const RunOutcome& record = summary.runs[run];
  const runs::RunCharge& charge = summary.charges[run];
  const std::size_t configuration = plan.configuration_of(run);
  std::string text = run_name(run) + ',' + std::to_string(configuration + 1) + ',' +
                     std::to_string(plan.repeat_of(run) + 1);
  for (const auto& setting : plan.configurations()[configuration]) {
    text += ',' + csv_field(setting.value);
  }
  const bool finished = record.status == RunStatus::kFinished;
  const auto delta = charge.ledger ? std::optional(charge.delta) : record.delta;
  text += ',' + std::string(to_string(record.status));
  text += ',' + number_field(finished ? record.epsilon : runs::epsilon_of(charge));
  text += ',' + number_field(delta) + ',' + number_field(record.accuracy);
  text += ',' + number_field(record.loss) + ',' + exact_number(record.seconds);
  return text + ',' + std::to_string(record.peak_memory) + ',' + csv_field(record.message) + '\n';
}

}  // namespace

std::string results_csv(const SweepPlan& plan, const SweepSummary& summary) {
  std::string text = header(plan);
  for (std::size_t run = 0; run < plan.runs(); ++run) text += row(plan, summary, run);
  return text;
}

}  // namespace sotto::sweep
