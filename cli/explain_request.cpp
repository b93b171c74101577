#include "cli/explain_request.h"

#include <cmath>
#include <cstdlib>

#include "cli/run_flags.h"
#include "runs/combined_cost.h"
#include "runs/run_tradeoff.h"

namespace sotto::cli {

namespace {

namespace fs = std::filesystem;
using accounting::EpsilonDelta;

constexpr const char* kExamples = R"(
(ε, δ) alone says little. A RUN (a folder of sotto train or sotto gan train), or the flags of
one as for sotto budget, gives the whole curve of what a membership test can achieve.

Examples:
  sotto explain 1
  sotto explain 2 --delta 1e-5 --json
  sotto explain -s 60000 -b 64 -n 1.0 -e 15 --plot curve.svg
  sotto explain runs/demo
)";

constexpr const char* kRecords = "--dataset-size";

struct ExplainFlags {
  FlagText folder, epsilon, plot;
  RunFlags run;
  bool json = false;
};

void declare(FlagSet& app, ExplainFlags& flags) {
  app.add_option("RUN", flags.folder, "folder of a finished run; or a number, as --epsilon")
      .names_run();
  app.add_option("--epsilon X", flags.epsilon,
                 "ε, 0 or above; with --delta, 0 by default, which no training achieves");
  declare_release_flags(app, flags.run);
  app.add_option("--plot FILE", flags.plot,
                 "draw members caught against outsiders accused, to an .svg or .png file")
      .writes();
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

// `sotto explain 1` asks for ε = 1, unless there is a folder of that name.
void take_number_for_epsilon(ExplainFlags& flags) {
  if (!flags.folder || fs::exists(*flags.folder)) return;
  char* end = nullptr;
  static_cast<void>(std::strtod(flags.folder->c_str(), &end));
  if (flags.folder->empty() || *end != '\0') return;
  if (flags.epsilon) {
    throw UsageError("'" + *flags.folder + "' and --epsilon '" + *flags.epsilon +
                     "' contradict each other; give one");
  }
  flags.epsilon = std::move(flags.folder);
  flags.folder.reset();
}

// The first flag given that describes a run; the number of records, which also goes with an ε,
// last.
const char* run_flag_of(const RunFlags& run) {
  for (const auto& [name, text] :
       {std::pair{"--noise-multiplier", &run.noise_multiplier},
        std::pair{"--batch-size", &run.batch_size}, std::pair{"--sample-rate", &run.sample_rate},
        std::pair{"--epochs", &run.epochs}, std::pair{"--steps", &run.steps},
        std::pair{"--sampling", &run.sampling}, std::pair{"--adjacency", &run.adjacency},
        std::pair{"--group-size", &run.group_size}, std::pair{kRecords, &run.dataset_size}}) {
    if (*text) return name;
  }
  return nullptr;
}

void check_one_subject(const ExplainFlags& flags) {
  const char* const of_run = run_flag_of(flags.run);
  const auto contradict = [](const std::string& one, const std::string& other) {
    return UsageError(one + " and " + other + " contradict each other; give one");
  };
  const std::string run = flags.folder ? "RUN '" + *flags.folder + "'" : "";
  if (flags.folder && flags.epsilon) throw contradict(run, "--epsilon");
  if (flags.folder && of_run != nullptr) throw contradict(run, of_run);
  if (flags.folder && flags.run.delta) throw contradict(run, "--delta");
  if (flags.epsilon && of_run != nullptr && of_run != std::string(kRecords)) {
    throw contradict("--epsilon", of_run);
  }
  if (!flags.folder && !flags.epsilon && of_run == nullptr) {
    throw UsageError(
        "--epsilon is missing; or give a number for it, a RUN, or the flags of one as for sotto "
        "budget");
  }
}

ExplainRequest of_pair(const ExplainFlags& flags) {
  EpsilonDelta pair{nonnegative_flag("--epsilon", *flags.epsilon), 0};
  if (flags.run.delta) {
    pair.delta = number_flag("--delta", *flags.run.delta,
                             {0, true, 1, false, "a number, 0 or above and below 1"});
  }
  ExplainRequest request{"", "", pair, accounting::tradeoff_of_pair(pair)};
  request.delta_by_default = !flags.run.delta;
  request.warning = accounting::delta_warning(
      pair.delta, parsed_flag(kRecords, flags.run.dataset_size, count_flag));
  return request;
}

ExplainRequest of_planned_run(const ExplainFlags& flags) {
  if (!flags.run.noise_multiplier) throw UsageError("--noise-multiplier is missing");
  if (!flags.run.epochs && !flags.run.steps) throw UsageError("--epochs (or --steps) is missing");
  PlannedRun settings = read_planned_run(flags.run);
  settings.run.noise_multiplier = positive_flag("--noise-multiplier", *flags.run.noise_multiplier);
  const auto composition = accounting::TrainingRun(settings.run).composition(settings.neighbours);
  const auto cost =
      cost_at_delta(composition, settings.neighbours, settings.delta, settings.accounting);
  if (!std::isfinite(cost.epsilon)) {
    throw UsageError("--noise-multiplier '" + *flags.run.noise_multiplier +
                     "': expected more noise: no ε holds with so little");
  }
  ExplainRequest request{"",
                         "",
                         {cost.epsilon, cost.delta},
                         accounting::tradeoff_of(composition, settings.neighbours),
                         settings.neighbours};
  request.warning = accounting::delta_warning(cost.delta, settings.run.dataset_size);
  return request;
}

// Which of several runs was chosen may have to stay secret.
std::string subject_of(const runs::RunRecord& run) {
  return run.is_one_of_several() ? "one of several runs" : run.name();
}

// Answers from the run's ledger are about the same records.
ExplainRequest of_run_with_queries(const runs::RunRecord& run, const runs::CostWithQueries& asked) {
  const EpsilonDelta pair{asked.cost.epsilon, asked.cost.delta};
  if (!std::isfinite(pair.epsilon)) {
    throw UsageError("RUN '" + run.folder().string() + "': no ε holds for it and its queries");
  }
  return {subject_of(run) + " and the queries from its ledger",
          asked.sentence + (run.limits().empty() ? "" : " " + run.limits()), pair,
          accounting::tradeoff_of_pair(pair), run.plan()->neighbours()};
}

ExplainRequest of_run_alone(const runs::RunRecord& run) {
  return {subject_of(run),
          run.limits(),
          {run.epsilon(), run.delta().value_or(0)},
          runs::tradeoff_of(run),
          run.plan()->neighbours()};
}

ExplainRequest of_finished_run(const std::string& folder) {
  if (!fs::is_directory(folder)) {
    throw UsageError("RUN '" + folder +
                     "': expected the folder of a finished run, or a number for ε");
  }
  const auto run = runs::RunRecord::read(folder);
  static_cast<void>(run.altered());  // throws where what says so is damaged
  if (!run.contradictions().empty()) {
    throw UsageError("RUN '" + folder + "': " + run.contradictions().front() +
                     " Expected a run whose promise holds");
  }
  if (!std::isfinite(run.epsilon())) {
    throw UsageError("RUN '" + folder + "': expected a private run; no ε holds for this one");
  }
  const auto asked = runs::cost_with_queries(run);
  ExplainRequest request = asked ? of_run_with_queries(run, *asked) : of_run_alone(run);
  request.warning = accounting::delta_warning(request.guarantee.delta, run.plan()->dataset_size());
  return request;
}

fs::path plot_file(const std::string& text) {
  fs::path path(text);
  const auto ending = path.extension();
  std::error_code ignored;
  const bool has_folder = !path.has_parent_path() || fs::is_directory(path.parent_path(), ignored);
  if ((ending != ".svg" && ending != ".png") || !has_folder) {
    throw UsageError("--plot '" + text +
                     "': expected a file ending in .svg or .png, in an existing folder");
  }
  return path;
}

}  // namespace

std::optional<ExplainRequest> parse_explain_request(const Arguments& arguments) {
  FlagSet app("What an (ε, δ) guarantee, or a run, means for one person.", "sotto explain");
  ExplainFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return std::nullopt;
  take_number_for_epsilon(flags);
  check_one_subject(flags);
  const auto plot = flags.plot ? std::optional(plot_file(*flags.plot)) : std::nullopt;
  ExplainRequest request = flags.folder    ? of_finished_run(*flags.folder)
                           : flags.epsilon ? of_pair(flags)
                                           : of_planned_run(flags);
  request.plot = plot;
  request.json = flags.json;
  return request;
}

}  // namespace sotto::cli
