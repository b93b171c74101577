#include "runs/stopped_early.h"

#include <algorithm>
#include <string>

#include "core/counted.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

// Of all steps that were planned, and of what is in the run's cost besides.
double epsilon_of_whole(const StoppedEarly& stopped, const AccountedRun& run) {
  Spend whole = run.spend;
  const auto repeated = whole.repeated_searches();
  whole.steps = std::max(stopped.planned_steps, whole.steps);
  whole.searches = whole.plan.threshold_searches(whole.steps) + repeated;
  return std::max(whole.cost_at_delta(run.cost.delta).epsilon, run.cost.epsilon);
}

}  // namespace

nlohmann::json json_of(const StoppedEarly& stopped) {
  return {{"steps", stopped.steps},
          {"planned_steps", stopped.planned_steps},
          {"model_step", stopped.model_step}};
}

void require_not_stopped(const std::filesystem::path& run_folder) {
  const auto path = run_folder / kStoppedEarlyFile;
  check_argument(!std::filesystem::exists(path), path.string(),
                 ": this run was ended early and published, at the ε it had spent; it does not go "
                 "on. Start a new run in another folder, whose ε adds to this one's");
}

void add_limit(const StoppedEarly& stopped, AccountedRun& run) {
  std::string text = "The run was ended after " + std::to_string(stopped.steps) + " of " +
                     counted(stopped.planned_steps, "step");
  if (stopped.model_step < stopped.steps) {
    text += ", and its model is that of step " + std::to_string(stopped.model_step) +
            "; all that were charged are counted";
  }
  text +=
      ". This ε holds if that was decided without looking at what the run had shown, such as its "
      "accuracy; if not, ε ≤ " +
      accounting::rounded_up(epsilon_of_whole(stopped, run)) + ", that of all " +
      counted(stopped.planned_steps, "step") + ".";
  run.limits += (run.limits.empty() ? "" : " ") + text;
}

}  // namespace sotto::runs
