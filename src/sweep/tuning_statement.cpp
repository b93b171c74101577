#include "sweep/tuning_statement.h"

#include <cmath>

#include "core/counted.h"
#include "sotto/accounting/statement.h"

namespace sotto::sweep {
namespace {

using accounting::rounded_up;

std::string count_of(std::size_t runs) { return counted(runs, "run"); }

std::string bound(double epsilon, const TuningCost& cost) {
  return "ε ≤ " + rounded_up(epsilon) + " at δ = " + rounded_up(*cost.delta, 6) + " (" +
         cost.adjacency + ")";
}

std::string composition_statement(const TunedRuns& runs, const TuningCost& cost,
                                  std::size_t touched) {
  if (touched == 1) {
    return "One run has used the training data; it costs " + bound(cost.epsilon, cost) + ".";
  }
  std::string text = "The training data were used by " + count_of(touched) +
                     ", failed and interrupted ones included. Whoever publishes the best model, or "
                     "only its settings, has spent " +
                     bound(cost.epsilon, cost) + ": the composition of all of them";
  text += runs.complete
              ? "."
              : ", so far. Whoever stops here because of the results must count all planned "
                "runs.";
  if (runs.epsilon_of_best > 0) {
    text += " The best run's own ε, " + rounded_up(runs.epsilon_of_best) +
            ", would hold only if its settings had been chosen without looking at these data.";
  }
  if (runs.some_ended_early()) {
    text +=
        " Some were ended early and count as far as they came, which holds if that was decided "
        "without looking at what they had shown.";
  }
  if (runs.draw) {
    text +=
        runs.complete
            ? " The number of runs was drawn, but the runs do not all cost the same: no smaller "
              "bound is proved."
            : " The number of runs was drawn: when all of them have ended, a smaller bound may "
              "hold.";
  }
  return text;
}

// The same whatever number was drawn: this is what gets published.
std::string random_count_statement(const TunedRuns& runs, const TuningCost& cost) {
  return "The number of configurations was drawn at random (" +
         std::string(to_string(runs.draw->distribution())) + ", mean " +
         rounded_up(runs.draw->mean()) +
         "), each was drawn independently, and all cost the same. Publishing the best model and "
         "its settings, and nothing else, costs " +
         bound(cost.epsilon, cost) +
         ". It holds only if the number of runs, the name of the best one's folder, its ledger "
         "(whose date tells when it ran) and all other results stay secret, and if the sweep is "
         "not "
         "repeated because of its results. If more is published, the composition of all runs "
         "counts instead: epsilon_of_all_runs in sweep.json, from which their number could be "
         "computed.";
}

}  // namespace

std::string theorem_of(const TunedRuns& runs, TuningBasis basis) {
  if (basis == TuningBasis::kComposition) {
    return "composition of all runs, by privacy-loss distributions";
  }
  if (runs.draw->distribution() == RunsDistribution::kPoisson) {
    return "best of a Poisson number of runs (Papernot and Steinke 2022, Theorem 6), by Rényi "
           "divergences";
  }
  return "best of a truncated negative binomial number of runs (Papernot and Steinke 2022, "
         "Theorem 2), by Rényi divergences";
}

std::string bounded_statement(const TunedRuns& runs, const TuningCost& cost, std::size_t touched) {
  return (cost.basis == TuningBasis::kRandomCount ? random_count_statement(runs, cost)
                                                  : composition_statement(runs, cost, touched)) +
         " Accuracies were measured on test data, which no ε protects.";
}

std::string unbounded_statement(const TunedRuns& runs, const std::string& run,
                                const std::string& why) {
  std::string text = "No finite ε holds for the choice: ";
  text += run.empty() ? why : run + ": " + why;
  text +=
      ". A model chosen by looking at that run, or its settings, may reveal anything about the "
      "training data";
  if (runs.epsilon_of_best > 0 && std::isfinite(runs.epsilon_of_best)) {
    text += ", even though the best run's own ε is " + rounded_up(runs.epsilon_of_best);
  }
  return text + ".";
}

}  // namespace sotto::sweep
