#include "report/run_text.h"

#include <cmath>
#include <cstdio>

#include "core/counted.h"
#include "core/percentage.h"
#include "core/printed_number.h"
#include "runs/json_file.h"
#include "sotto/accounting/statement.h"

namespace sotto::report {
namespace {

using accounting::rounded_up;

constexpr const char* kUnknown = "–";

// "the 60 000 records of fashion-mnist"
std::string records_of(const runs::RunRecord& run) {
  const auto plan = run.plan();
  return plan ? "the " + grouped(plan->dataset_size()) + " records (a public number) of " +
                    run.dataset()
              : run.dataset();
}

std::string performance(const runs::RunRecord& run) {
  const auto accuracy = run.accuracy();
  if (!accuracy) return "";
  const auto& evaluation = run.evaluation();
  if (evaluation && evaluation->held_out) {
    return " classifies about " + percent(*accuracy) +
           " of held-out records correctly (measured with noise)";
  }
  const bool counted = evaluation && evaluation->samples;
  return " classifies " + percent(*accuracy) + " of " +
         (counted ? "the " + grouped(*evaluation->samples) + " " +
                        noun_for(*evaluation->samples, "test record")
                  : "the test records") +
         " correctly";
}

std::string without_a_record(const runs::RunRecord& run) {
  const auto plan = run.plan();
  const auto neighbours = plan ? plan->neighbours() : accounting::Neighbours();
  const bool one = neighbours.group_size() == 1;
  const std::string who = one ? "any one training record"
                              : "any " + std::to_string(neighbours.group_size()) +
                                    " training records (one person's, say)";
  switch (neighbours.adjacency()) {
    case accounting::Adjacency::kZeroOut:
      return "with " + who + " replaced by " + (one ? "a blank" : "blanks");
    case accounting::Adjacency::kReplaceOne:
      return "with " + who + " replaced by " + (one ? "any other" : "any others");
    case accounting::Adjacency::kAddRemove:
      break;
  }
  return "without " + who;
}

std::string promise(const runs::RunRecord& run) {
  if (!run.is_private())
    return "it is NOT PRIVATE and may reveal any single record it learnt from.";
  if (!run.is_proved()) return "no ε is proved for it, so do not rely on its promise.";
  return "whatever anybody concludes from it, its probability is at most " +
         rounded_up(std::exp(run.epsilon()), 3) + " times what it would be " +
         without_a_record(run) + ", plus " + delta_text(run) + " (ε ≤ " + epsilon_text(run) +
         ", δ = " + delta_text(run) + ")." + (run.limits().empty() ? "" : " " + run.limits());
}

}  // namespace

std::string percent(double share) { return percentage(share, 2); }

std::string percent_or_unknown(const std::optional<double>& share) {
  return share ? percent(*share) : kUnknown;
}

std::string duration(double seconds) {
  if (seconds < 60) return digits(seconds, 3) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

std::string grouped(std::int64_t count) {
  std::string text = std::to_string(count);
  for (auto place = static_cast<std::int64_t>(text.size()) - 3; place > (count < 0 ? 1 : 0);
       place -= 3) {
    text.insert(static_cast<std::size_t>(place), "\u202F");
  }
  return text;
}

std::string digits(double value, int precision) { return significant(value, precision); }

std::string metric_text(const std::string& metric, double value) {
  return metric == "epsilon" ? rounded_up(value) : digits(value);
}

std::string epsilon_text(const runs::RunRecord& run) { return rounded_up(run.epsilon()); }

std::string delta_text(const runs::RunRecord& run) {
  return run.delta() ? rounded_up(*run.delta()) : kUnknown;
}

std::string guarantee(const runs::RunRecord& run) {
  if (!run.is_private()) return "no ε: NOT PRIVATE";
  if (!run.is_proved()) return "no ε: NOT PROVED";
  return "ε ≤ " + epsilon_text(run) + " at δ = " + delta_text(run);
}

std::string noise_text(const runs::RunRecord& run) {
  const auto plan = run.plan();
  return plan ? digits(plan->options().noise_multiplier, 6) : kUnknown;
}

std::string batch_text(const runs::RunRecord& run) {
  if (const auto plan = run.plan()) return std::to_string(plan->batch_size());
  const auto size = runs::number_in(run.config(), "batch_size");
  return size ? digits(*size, 12) : kUnknown;
}

std::string epochs_text(const runs::RunRecord& run) {
  return run.epochs() ? std::to_string(*run.epochs()) : kUnknown;
}

std::string seconds_text(const runs::RunRecord& run) {
  return run.seconds() ? with_decimals(*run.seconds(), 1) : kUnknown;
}

std::string summary(const runs::RunRecord& run) {
  if (run.is_generator()) {
    return "This generator, made by " + run.method() + " from " + records_of(run) +
           ", draws synthetic records; " + promise(run);
  }
  const std::string subject = "This " + run.model() + " network, trained on " + records_of(run);
  const std::string success = performance(run);
  if (success.empty()) return subject + ", has no recorded accuracy; " + promise(run);
  return subject + "," + success + "; " + promise(run);
}

}  // namespace sotto::report
