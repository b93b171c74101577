#include "cli/budget_request.h"

#include "cli/flags.h"

namespace sotto::cli {

namespace {

using accounting::Accountant;
using accounting::Conversion;

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
  FlagText dataset_size, batch_size, sample_rate, noise_multiplier, epochs, steps, delta;
  FlagText target_epsilon, epsilon, sampling, adjacency, accountant, conversion, group_size;
  FlagText tuning_runs;
  std::vector<std::string> alphas;
  bool json = false;
};

void declare(CLI::App& app, BudgetFlags& flags) {
  app.add_option("-s,--dataset-size", flags.dataset_size, "number of records N");
  app.add_option("-b,--batch-size", flags.batch_size,
                 "expected batch size b; the sample rate is b/N");
  app.add_option("--sample-rate", flags.sample_rate, "sample rate q, instead of N and b");
  app.add_option("-n,--noise-multiplier", flags.noise_multiplier,
                 "σ: noise standard deviation over the clipping norm");
  app.add_option("-e,--epochs", flags.epochs, "number of epochs, of ceil(N/b) steps each");
  app.add_option("--steps", flags.steps, "number of steps, instead of epochs");
  app.add_option("-d,--delta", flags.delta, "δ (default 1e-5)");
  app.add_option("--target-epsilon", flags.target_epsilon,
                 "keep to this ε: finds σ, or else the most epochs, whichever is not given");
  app.add_option("--epsilon", flags.epsilon, "finds δ for this ε");
  app.add_option("--sampling", flags.sampling,
                 "how batches are drawn: poisson (default), fixed-size, shuffled, none");
  app.add_option("--adjacency", flags.adjacency,
                 "neighbouring data sets: add-remove, replace-one, zero-out (default: add-remove; "
                 "replace-one for fixed-size, zero-out for shuffled)");
  app.add_option("--group-size", flags.group_size, "records of one person (default 1)");
  app.add_option("--accountant", flags.accountant, "pld (default), rdp, gdp, all");
  app.add_option("--conversion", flags.conversion, "rdp to (ε, δ): improved (default), classic");
  app.add_option("-a,--alphas", flags.alphas, "rdp orders (default 1.1,1.2,...,10.9,12,...,63)")
      ->delimiter(',');
  app.add_option("--tuning-runs", flags.tuning_runs,
                 "also tell what trying this many configurations costs");
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

template <typename Parse>
auto parsed(const char* flag, const FlagText& text, Parse parse)
    -> std::optional<decltype(parse(std::string(), std::string()))> {
  if (!text) return std::nullopt;
  return parse(flag, *text);
}

void read_rate(const BudgetFlags& flags, accounting::TrainingRunOptions& run) {
  run.dataset_size = parsed("--dataset-size", flags.dataset_size, count_flag);
  run.batch_size = parsed("--batch-size", flags.batch_size, count_flag);
  if (flags.sample_rate) {
    run.sample_rate = number_flag("--sample-rate", *flags.sample_rate,
                                  {0, false, 1, true, "a number above 0, at most 1"});
  }
  if (run.batch_size && run.sample_rate) {
    throw UsageError("--batch-size and --sample-rate contradict each other; give one");
  }
  if (run.batch_size && !run.dataset_size) throw UsageError("--dataset-size is missing");
  if (run.batch_size && *run.batch_size > *run.dataset_size) {
    throw UsageError("--batch-size " + *flags.batch_size + " exceeds --dataset-size " +
                     *flags.dataset_size);
  }
  const bool rate_needed = run.sampling != accounting::Sampling::kNone;
  if (rate_needed && !run.batch_size && !run.sample_rate) {
    throw UsageError(run.dataset_size ? "--batch-size is missing"
                                      : "--dataset-size and --batch-size (or --sample-rate) are "
                                        "missing");
  }
}

void read_length(const BudgetFlags& flags, accounting::TrainingRunOptions& run) {
  run.epochs = parsed("--epochs", flags.epochs, count_flag);
  run.steps = parsed("--steps", flags.steps, count_flag);
  if (run.epochs && run.steps) {
    throw UsageError("--epochs and --steps contradict each other; give one");
  }
}

// Which of σ, length, ε and δ is to be found.
void read_goal(const BudgetFlags& flags, BudgetRequest& request) {
  const bool has_length = flags.epochs || flags.steps;
  if (flags.target_epsilon && flags.epsilon) {
    throw UsageError("--target-epsilon and --epsilon contradict each other; give one");
  }
  if (flags.target_epsilon) {
    request.epsilon = positive_flag("--target-epsilon", *flags.target_epsilon);
    if (flags.noise_multiplier.has_value() == has_length) {
      throw UsageError(has_length
                           ? "--target-epsilon leaves nothing to find: leave out "
                             "--noise-multiplier, or --epochs and --steps"
                           : "--target-epsilon needs --noise-multiplier, or --epochs or --steps");
    }
    request.goal = has_length ? BudgetGoal::kNoiseMultiplier : BudgetGoal::kEpochs;
    return;
  }
  if (!flags.noise_multiplier)
    throw UsageError("--noise-multiplier (or --target-epsilon) is missing");
  if (!has_length) throw UsageError("--epochs (or --steps, or --target-epsilon) is missing");
  if (!flags.epsilon) return;
  if (flags.delta) {
    throw UsageError(
        "--epsilon and --delta contradict each other: give --epsilon to find δ, or "
        "--delta to find ε");
  }
  request.epsilon = nonnegative_flag("--epsilon", *flags.epsilon);
  request.goal = BudgetGoal::kDelta;
}

// One of a few words. Throws UsageError naming them all.
template <typename Value>
Value word_flag(const char* flag, const std::string& text,
                std::initializer_list<std::pair<const char*, Value>> words) {
  std::string accepted;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    accepted += std::string(accepted.empty() ? "" : ", ") + word;
  }
  throw UsageError(std::string(flag) + " '" + text + "': expected one of " + accepted);
}

accounting::Neighbours read_neighbours(const BudgetFlags& flags, accounting::Sampling sampling) {
  const accounting::Relation relation = parsed("--adjacency", flags.adjacency, relation_flag)
                                            .value_or(accounting::default_relation(sampling));
  constexpr double kLargestGroup = 1000;
  const double group =
      flags.group_size
          ? number_flag("--group-size", *flags.group_size,
                        {1, true, kLargestGroup, true, "a whole number from 1 to 1000"})
          : 1;
  if (group != static_cast<int>(group)) {
    throw UsageError("--group-size '" + *flags.group_size +
                     "': expected a whole number from 1 to 1000");
  }
  return accounting::Neighbours(relation, static_cast<int>(group));
}

void read_accountant(const BudgetFlags& flags, BudgetRequest& request) {
  request.accounting.relative_width = accounting::kPrintedWidth;
  if (flags.accountant) {
    const auto choice = word_flag<std::optional<Accountant>>("--accountant", *flags.accountant,
                                                             {{"pld", Accountant::kPld},
                                                              {"rdp", Accountant::kRdp},
                                                              {"gdp", Accountant::kGdp},
                                                              {"all", std::nullopt}});
    request.all_accountants = !choice;
    request.accounting.accountant = choice.value_or(Accountant::kPld);
  }
  if (flags.conversion) {
    request.accounting.conversion = word_flag<Conversion>(
        "--conversion", *flags.conversion,
        {{"improved", Conversion::kImproved}, {"classic", Conversion::kClassic}});
  }
  if (flags.alphas.empty()) return;
  std::vector<double> orders;
  for (const auto& alpha : flags.alphas) {
    orders.push_back(
        number_flag("--alphas", alpha, {1, false, 1e6, true, "orders above 1, at most 1e6"}));
  }
  request.accounting.orders = accounting::RdpOrders(orders);
}

BudgetRequest request_from(const BudgetFlags& flags) {
  BudgetRequest request;
  request.json = flags.json;
  request.run.sampling =
      parsed("--sampling", flags.sampling, sampling_flag).value_or(accounting::Sampling::kPoisson);
  read_rate(flags, request.run);
  read_length(flags, request.run);
  if (flags.noise_multiplier) {
    request.run.noise_multiplier = nonnegative_flag("--noise-multiplier", *flags.noise_multiplier);
  }
  if (flags.delta) request.delta = probability_flag("--delta", *flags.delta);
  read_goal(flags, request);
  request.neighbours = read_neighbours(flags, request.run.sampling);
  read_accountant(flags, request);
  request.tuning_runs = parsed("--tuning-runs", flags.tuning_runs, count_flag);
  if (request.all_accountants && request.goal != BudgetGoal::kEpsilon) {
    throw UsageError(
        "--accountant 'all' compares ε; to find something else, expected one of pld, "
        "rdp, gdp");
  }
  if (request.tuning_runs && request.goal == BudgetGoal::kDelta) {
    throw UsageError("--tuning-runs needs --delta, not --epsilon");
  }
  return request;
}

}  // namespace

std::optional<BudgetRequest> parse_budget_request(const Arguments& arguments) {
  CLI::App app("What a private training run costs, before it runs.", "sotto budget");
  BudgetFlags flags;
  declare(app, flags);
  if (!parse_arguments(app, arguments)) return std::nullopt;
  return request_from(flags);
}

}  // namespace sotto::cli
