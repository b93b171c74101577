#include "cli/sweep_request.h"

#include <chrono>
#include <ctime>

#include "cli/flags.h"
#include "cli/nearest_word.h"
#include "core/memory_size.h"
#include "sweep/sweep_file.h"
#include "sweep/train_flags.h"

namespace sotto::cli {
namespace {

using sweep::SweepFile;
using sweep::SweepSettings;
using sweep::SweptFlag;
using sweep::TrainFlags;

constexpr const char* kExamples = R"(
Every other flag is one of `sotto train`; several values, separated by commas, are tried in turn.

Examples:
  sotto sweep --output sweeps/a --batch-size 256,512 --noise-multiplier 0.9,1.1 --epochs 5 --repeats 3
  sotto sweep --config sweep.toml --jobs 2 --memory 4GiB
  # continue after an interruption
  sotto sweep --output sweeps/a
  # 20 configurations drawn from 100
  sotto sweep --learning-rate 0.1,0.2,0.5,1,2 --weight-decay 0,1e-4,1e-3,1e-2 --samples 20
  # their number is drawn as well, about 10: choosing the best then costs less (docs/sweeps.md)
  sotto sweep --learning-rate 0.1,0.5,1,2 --target-epsilon 1 --draw geometric --mean 10

The folder gets results.csv, sweep.json, accuracy-against-epsilon.svg and one folder per run. All runs
use the same training data, and choosing among them costs more than the chosen run: the ε of having
tuned is printed beside that of the best run alone.
)";

struct SweepFlags {
  FlagText config, output, mode, samples, seed, draw, mean, repeats, jobs, memory;
  bool json = false;
};

void declare(FlagSet& app, SweepFlags& flags) {
  app.add_option("--config FILE", flags.config,
                 "TOML file with [train] and [sweep]; flags override it");
  app.add_option("-o,--output DIR", flags.output,
                 "folder of the sweep (default: sweeps/ and the date)");
  app.add_option("--mode grid|random", flags.mode,
                 "all combinations, or some of them (default grid)");
  app.add_option("--samples N", flags.samples, "random: how many configurations");
  app.add_option("--sweep-seed N", flags.seed, "random: seed of the choice (default 0)");
  app.add_option("--draw,--runs-distribution geometric|logarithmic|poisson", flags.draw,
                 "random: draw their number from this distribution");
  app.add_option("--mean,--runs-mean X", flags.mean, "random: mean of the number drawn");
  app.add_option("--repeats N", flags.repeats, "runs of each configuration (default 1)");
  app.add_option("--jobs N", flags.jobs,
                 "runs at once, which share the cores (default: one for every four cores)");
  app.add_option("--memory SIZE", flags.memory,
                 "for all runs together, e.g. 4GiB (default: what is free)");
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
  app.allow_extras();
}

// Under the name that `sotto train` prefers, instead of what was said before about the same flag.
void put(SweepSettings& settings, SweptFlag flag) {
  for (auto& known : settings.flags) {
    if (known.name != flag.name) continue;
    known = std::move(flag);
    return;
  }
  settings.flags.push_back(std::move(flag));
}

// Asked for by its name elsewhere, and wanted by many.
void refuse_folds(const std::string& place) {
  throw UsageError(
      place +
      ": a sweep has no folds: every record would pay for the trainings of all folds but one, and "
      "choosing by accuracies on private folds has no analysis here; give public test rows "
      "(--test-data FILE), and --repeats for the spread");
}

void resolve_file_flags(const SweepFile& file, const std::string& path, const TrainFlags& known,
                        SweepSettings& settings) {
  for (SweptFlag flag : file.settings.flags) {
    const std::string place = path + ": [train] " + flag.name;
    if (flag.name == "folds") refuse_folds(place);
    const auto nearest = nearest_word(flag.name, known.names());
    if (!known.knows("--" + flag.name) && !nearest.empty()) {
      throw UsageError(place + ": unknown; did you mean " + nearest.substr(2) + "?");
    }
    const auto& found = known.find("--" + flag.name, place);
    flag.name = found.name;
    flag.is_switch = !found.takes_value;
    if (settings.find(flag.name) != nullptr) throw UsageError(place + ": is given twice");
    put(settings, std::move(flag));
  }
}

// "--flag value", "--flag=value", and "--switch", which may have a value here.
void read_train_flags(const FlagSet& app, const TrainFlags& known, SweepSettings& settings) {
  const auto words = app.remaining();
  auto all_names = known.names();
  for (const auto& own : app.names()) all_names.push_back(own);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    if (!name.starts_with('-')) throw UsageError("'" + name + "': expected a flag before it");
    if (name == "--folds") refuse_folds(name);
    if (!known.knows(name)) throw UsageError(unknown_flag(name, all_names, "sotto train"));
    const auto& flag = known.find(name, name);
    FlagText value;
    if (equals != std::string::npos) {
      value = words[i].substr(equals + 1);
    } else if (i + 1 < words.size() && (flag.takes_value || !words[i + 1].starts_with('-'))) {
      value = words[++i];
    }
    if (!value && flag.takes_value) throw UsageError(name + ": expected a value");
    put(settings, {flag.name,
                   value ? list_flag(name, *value) : std::vector<std::string>{"true"},
                   {},
                   !flag.takes_value});
  }
}

void read_draw(const SweepFlags& flags, SweepSettings& settings) {
  if (!flags.draw && !flags.mean) return;
  if (!flags.draw || !flags.mean) throw UsageError("--draw and --mean: give both or neither");
  const auto distribution = named_flag("--draw", *flags.draw, sweep::runs_distribution_from_name,
                                       "geometric, logarithmic or poisson");
  settings.draw = sweep::RandomCount(
      distribution,
      number_flag("--mean", *flags.mean, {1.1, true, 1000, true, "a number from 1.1 to 1000"}));
}

void read_own_flags(const SweepFlags& flags, SweepSettings& settings) {
  if (flags.mode) {
    settings.mode = named_flag("--mode", *flags.mode, sweep::mode_from_name, "grid or random");
  }
  if (flags.samples) settings.samples = count_flag("--samples", *flags.samples);
  if (flags.seed) settings.seed = seed_flag("--sweep-seed", *flags.seed);
  if (flags.repeats) settings.repeats = count_flag("--repeats", *flags.repeats);
  read_draw(flags, settings);
}

void read_machine_flags(const SweepFlags& flags, SweepRequest& request) {
  if (flags.jobs) {
    request.jobs = static_cast<std::int64_t>(
        number_flag("--jobs", *flags.jobs, {1, true, 1024, true, "a whole number from 1 to 1024"}));
  }
  if (flags.memory) {
    request.memory =
        named_flag("--memory", *flags.memory, memory_size, "an amount such as 4GiB or 800MB");
  }
  if (flags.output) request.output = *flags.output;
}

std::filesystem::path default_output() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char date[32];
  std::strftime(date, sizeof date, "%Y%m%d-%H%M%S", std::localtime(&now));
  return std::filesystem::path("sweeps") / date;
}

}  // namespace

std::optional<SweepRequest> parse_sweep_request(const Arguments& arguments) {
  FlagSet app("Trains with every combination of several settings, and says what choosing costs.",
              "sotto sweep");
  SweepFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return std::nullopt;
  SweepRequest request;
  request.json = flags.json;
  const SweepFile file =
      flags.config ? sweep::read_sweep_file(file_flag("--config", *flags.config)) : SweepFile{};
  request.jobs = file.jobs;
  request.memory = file.memory;
  request.output = file.output.value_or("");
  read_machine_flags(flags, request);
  if (flags.config || !app.remaining().empty()) {
    const TrainFlags known;
    SweepSettings settings = file.settings;
    settings.flags.clear();
    if (flags.config) resolve_file_flags(file, *flags.config, known, settings);
    read_train_flags(app, known, settings);
    read_own_flags(flags, settings);
    sweep::check_settings(settings);
    request.settings = std::move(settings);
    if (request.output.empty()) request.output = default_output();
  } else if (request.output.empty()) {
    throw UsageError(
        "nothing to sweep: give --config, or flags of sotto train with several values");
  }
  return request;
}

}  // namespace sotto::cli
