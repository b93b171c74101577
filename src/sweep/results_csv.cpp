#include <cmath>

#include "core/csv_field.h"
#include "core/json_number.h"
#include "sweep/result_files.h"

namespace sotto::sweep {
namespace {

std::string number_field(const std::optional<double>& value) {
  if (!value) return "";
  return std::isinf(*value) ? kInfinityText : exact_number(*value);
}

std::string header(const SweepPlan& plan) {
  std::string text = "run,configuration,repeat";
  for (const auto& setting :
       plan.configurations().empty() ? Configuration() : plan.configurations()[0]) {
    text += ',' + csv_field(setting.name);
  }
  return text + ",status,epsilon,delta,accuracy,loss,seconds,peak_memory_bytes,message\n";
}

// Empty where the run had no use for a flag.
std::string flag_fields(const Configuration& configuration) {
  const auto used = used_flags(configuration);
  std::string text;
  for (const auto& setting : configuration) {
    text += ',' + csv_field(value_of(used, setting.name).value_or(""));
  }
  return text;
}

std::string row(const SweepPlan& plan, const SweepSummary& summary, std::size_t run) {
  const SweptRun& one = summary.runs[run];
  const std::size_t configuration = plan.configuration_of(run);
  std::string text = run_name(run) + ',' + std::to_string(configuration + 1) + ',' +
                     std::to_string(plan.repeat_of(run) + 1);
  text += flag_fields(plan.configurations()[configuration]);
  const auto delta = one.charge.ledger ? std::optional(one.charge.delta) : one.delta();
  text += ',' + std::string(to_string(one.outcome.status));
  text += ',' + number_field(one.epsilon()) + ',' + number_field(delta);
  text += ',' + number_field(one.accuracy()) + ',' + number_field(one.loss());
  text += ',' + exact_number(one.seconds()) + ',' + std::to_string(one.outcome.peak_memory);
  return text + ',' + csv_field(one.outcome.message) + '\n';
}

}  // namespace

std::string results_csv(const SweepPlan& plan, const SweepSummary& summary) {
  std::string text = header(plan);
  for (std::size_t run = 0; run < plan.runs(); ++run) text += row(plan, summary, run);
  return text;
}

}  // namespace sotto::sweep
