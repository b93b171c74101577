#include "explore/budget_answer.h"

#include <cmath>

#include "core/json_number.h"
#include "explore/train_line.h"
#include "report/meaning_json.h"
#include "sotto/accounting/statement.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::explore {

namespace {

using accounting::PrivacyCost;
using accounting::rounded_down;
using accounting::rounded_up;
using Json = nlohmann::ordered_json;

std::string bounds(const PrivacyCost& cost) {
  if (std::isinf(cost.epsilon)) return "There is no bound: the outcome may reveal any record.";
  if (!cost.epsilon_lower || *cost.epsilon_lower == 0) {
    return "An upper bound. Nothing is known from below.";
  }
  return "For whoever sees every noised sum, the exact ε lies between " +
         rounded_down(*cost.epsilon_lower, 5) + " and " + rounded_up(cost.epsilon, 5) + ".";
}

Json statement_json(const accounting::Statement& statement) {
  return {{"promise", statement.promise},
          {"protects", statement.protects},
          {"sampling", statement.sampling_assumption},
          {"noise", statement.noise_assumption}};
}

}  // namespace

Json budget_answer(const Settings& settings, Precision precision) {
  const accounting::Neighbours neighbours = planned_neighbours();
  const accounting::TrainingRun run = settings.run();
  const PrivacyCost cost = cost_at_delta(run.composition(neighbours), neighbours, settings.delta,
                                         accounting_options(precision));
  const bool bounded = std::isfinite(cost.epsilon);
  Json json;
  json["epsilon"] = json_number(cost.epsilon);
  json["epsilon_text"] = bounded ? rounded_up(cost.epsilon) : "no bound";
  json["epsilon_lower"] = json_number(cost.epsilon_lower);
  json["certified"] = bounds(cost);  // the key is older than the words
  json["within_target"] = cost.epsilon <= settings.target_epsilon;
  json["delta"] = cost.delta;
  json["steps"] = run.steps();
  json["length"] = run.describe_length();
  json["sample_rate"] = run.sample_rate();
  json["accountant"] = accounting::to_string(cost.accountant);
  json["precision"] = to_string(precision);
  json["statement"] = statement_json(privacy_statement(run, neighbours, cost));
  json["warnings"] = privacy_warnings(run, cost);
  const auto curve = [&] {
    // While a slider moves, as short a transform as the points of curves have.
    const Precision used = precision == Precision::kFull ? precision : Precision::kCurve;
    return tradeoff_of(run.composition(neighbours), neighbours,
                       {.max_transform_size = accounting_options(used).max_transform_size});
  };
  json["meaning"] =
      bounded ? report::meaning_json({cost.epsilon, cost.delta}, curve()) : Json(nullptr);
  json["train"] = train_line(settings);
  return json;
}

}  // namespace sotto::explore
