#include "cli/run_flags.h"

namespace sotto::cli {
namespace {

using accounting::Accountant;
using accounting::Conversion;

void read_rate(const RunFlags& flags, accounting::TrainingRunOptions& run) {
  run.dataset_size = parsed_flag("--dataset-size", flags.dataset_size, count_flag);
  run.batch_size = parsed_flag("--batch-size", flags.batch_size, count_flag);
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

void read_length(const RunFlags& flags, accounting::TrainingRunOptions& run) {
  run.epochs = parsed_flag("--epochs", flags.epochs, count_flag);
  run.steps = parsed_flag("--steps", flags.steps, count_flag);
  if (run.epochs && run.steps) {
    throw UsageError("--epochs and --steps contradict each other; give one");
  }
}

accounting::Neighbours read_neighbours(const RunFlags& flags, accounting::Sampling sampling) {
  const accounting::Adjacency adjacency =
      parsed_flag("--adjacency", flags.adjacency, adjacency_flag)
          .value_or(accounting::default_adjacency(sampling));
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
  return accounting::Neighbours(adjacency, static_cast<int>(group));
}

void read_accountant(const RunFlags& flags, PlannedRun& settings) {
  settings.accounting.relative_width = accounting::kPrintedWidth;
  if (flags.accountant) {
    const auto choice = word_flag<std::optional<Accountant>>("--accountant", *flags.accountant,
                                                             {{"pld", Accountant::kPld},
                                                              {"rdp", Accountant::kRdp},
                                                              {"gdp", Accountant::kGdp},
                                                              {"all", std::nullopt}});
    settings.accounting.accountant = choice.value_or(Accountant::kPld);
  }
  if (flags.conversion) {
    settings.accounting.conversion = word_flag<Conversion>(
        "--conversion", *flags.conversion,
        {{"improved", Conversion::kImproved}, {"classic", Conversion::kClassic}});
  }
  if (flags.alphas.empty()) return;
  std::vector<double> orders;
  for (const auto& alpha : flags.alphas) {
    orders.push_back(
        number_flag("--alphas", alpha, {1, false, 1e6, true, "orders above 1, at most 1e6"}));
  }
  settings.accounting.orders = accounting::RdpOrders(orders);
}

}  // namespace

void declare_release_flags(FlagSet& app, RunFlags& flags) {
  app.add_option("-s,--dataset-size N", flags.dataset_size, "number of records N");
  app.add_option("-b,--batch-size N", flags.batch_size,
                 "expected batch size b; the sample rate is b/N");
  app.add_option("--sample-rate X", flags.sample_rate, "sample rate q, instead of N and b");
  app.add_option("-n,--noise-multiplier X", flags.noise_multiplier,
                 "σ: noise standard deviation over the clipping norm");
  app.add_option("-e,--epochs N", flags.epochs, "number of epochs, of ceil(N/b) steps each");
  app.add_option("--steps N", flags.steps, "number of steps, instead of epochs");
  app.add_option("-d,--delta X", flags.delta, "δ (default 1e-5)");
  app.add_option("--sampling poisson|fixed-size|shuffled|none", flags.sampling,
                 "how batches are drawn (default poisson)");
  app.add_option(
      "--adjacency add-remove|replace-one|zero-out", flags.adjacency,
      "which data sets count as neighbours (default zero-out; replace-one for fixed-size)");
  app.add_option("--group-size N", flags.group_size,
                 "largest number of records of one person (default 1)");
}

void declare_run_flags(FlagSet& app, RunFlags& flags) {
  declare_release_flags(app, flags);
  app.add_option("--accountant pld|rdp|gdp|all", flags.accountant,
                 "how ε is computed (default pld)");
  app.add_option("--conversion improved|classic", flags.conversion,
                 "from rdp to (ε, δ) (default improved)");
  app.add_option("-a,--alphas X,X,...", flags.alphas,
                 "rdp orders (default 1.1,1.2,...,10.9,12,...,63)")
      .separated_by(',');
}

PlannedRun read_planned_run(const RunFlags& flags) {
  PlannedRun settings;
  settings.run.sampling = parsed_flag("--sampling", flags.sampling, sampling_flag)
                              .value_or(accounting::Sampling::kPoisson);
  read_rate(flags, settings.run);
  read_length(flags, settings.run);
  if (flags.noise_multiplier) {
    settings.run.noise_multiplier = nonnegative_flag("--noise-multiplier", *flags.noise_multiplier);
  }
  if (flags.delta) settings.delta = probability_flag("--delta", *flags.delta);
  settings.neighbours = read_neighbours(flags, settings.run.sampling);
  read_accountant(flags, settings);
  return settings;
}

}  // namespace sotto::cli
