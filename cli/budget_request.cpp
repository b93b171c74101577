#include "cli/budget_request.h"

#include "cli/flags.h"

namespace sotto::cli {

namespace {

using accounting::BudgetGoal;
using accounting::BudgetQuestion;

constexpr const char* kExamples = R"(
Examples:
  # 15 epochs over 60000 records in Poisson batches of 64, noise multiplier 1
  sotto budget -s 60000 -b 64 -n 1.0 -e 15 -d 1e-5
  # how much noise for ε = 2 ?
  sotto budget -s 60000 -b 256 -e 30 --target-epsilon 2
  # how many epochs for ε = 2 ?
  sotto budget -s 60000 -b 256 -n 1.1 --target-epsilon 2
  # which δ belongs to ε = 1 ?
  sotto budget -s 60000 -b 64 -n 1.0 -e 15 --epsilon 1
  # an ordinary shuffling data loader; a person with up to 5 records
  sotto budget -s 60000 -b 64 -n 4 -e 15 --sampling shuffled --group-size 5
)";

struct BudgetFlags {
  RunFlags run;
  FlagText target_epsilon, epsilon, tuning_runs;
  bool json = false;
};

void declare(FlagSet& app, BudgetFlags& flags) {
  declare_run_flags(app, flags.run);
  app.add_option(
      "--target-epsilon X", flags.target_epsilon,
      "stay within this ε: finds σ, or else the largest number of epochs, whichever is not given");
  app.add_option("--epsilon X", flags.epsilon, "finds δ for this ε");
  app.add_option("--tuning-runs N", flags.tuning_runs,
                 "also say what trying this many configurations costs");
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

// Which of σ, length, ε and δ is to be found.
void read_goal(const BudgetFlags& flags, BudgetQuestion& question) {
  const bool has_length = flags.run.epochs || flags.run.steps;
  if (flags.target_epsilon && flags.epsilon) {
    throw UsageError("--target-epsilon and --epsilon contradict each other; give one");
  }
  if (flags.target_epsilon) {
    question.epsilon = positive_flag("--target-epsilon", *flags.target_epsilon);
    if (flags.run.noise_multiplier.has_value() == has_length) {
      throw UsageError(has_length
                           ? "--target-epsilon leaves nothing to find: leave out "
                             "--noise-multiplier, or --epochs and --steps"
                           : "--target-epsilon needs --noise-multiplier, or --epochs or --steps");
    }
    question.goal = has_length ? BudgetGoal::kNoiseMultiplier : BudgetGoal::kEpochs;
    return;
  }
  if (!flags.run.noise_multiplier)
    throw UsageError("--noise-multiplier (or --target-epsilon) is missing");
  if (!has_length) throw UsageError("--epochs (or --steps, or --target-epsilon) is missing");
  if (!flags.epsilon) return;
  if (flags.run.delta) {
    throw UsageError(
        "--epsilon and --delta contradict each other: give --epsilon to find δ, or "
        "--delta to find ε");
  }
  question.epsilon = nonnegative_flag("--epsilon", *flags.epsilon);
  question.goal = BudgetGoal::kDelta;
}

BudgetRequest request_from(const BudgetFlags& flags) {
  BudgetQuestion question{read_planned_run(flags.run)};
  read_goal(flags, question);
  question.by_all_accountants = flags.run.accountant == "all";
  question.tuning_runs = parsed_flag("--tuning-runs", flags.tuning_runs, count_flag);
  if (question.by_all_accountants && question.goal != BudgetGoal::kEpsilon) {
    throw UsageError(
        "--accountant 'all' compares ε; to find something else, expected one of pld, "
        "rdp, gdp");
  }
  if (question.tuning_runs && question.goal == BudgetGoal::kDelta) {
    throw UsageError("--tuning-runs needs --delta, not --epsilon");
  }
  return {question, flags.json};
}

}  // namespace

std::optional<BudgetRequest> parse_budget_request(const Arguments& arguments) {
  FlagSet app("What a private training run costs, before it runs.", "sotto budget");
  BudgetFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return std::nullopt;
  return request_from(flags);
}

}  // namespace sotto::cli
