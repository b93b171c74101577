#include <algorithm>
#include <chrono>
#include <iostream>

#include "cli/rappor_command.h"
#include "cli/rappor_flags.h"
#include "cli/text_layout.h"
#include "core/atomic_file.h"
#include "core/counted.h"
#include "plots/simulation_picture.h"
#include "rappor/result_json.h"
#include "rappor/result_tables.h"
#include "rappor/simulation.h"

namespace sotto::cli {
namespace {

using rappor::Distribution;
using rappor::SimulationOptions;

constexpr const char* kExamples = R"(
Draws a population, makes every person a client that reports once, sums and decodes. Writes the table
(OUTPUT.csv) and a picture of true against estimated frequencies (OUTPUT.svg).

normal: basic one-time RAPPOR over 100 integers, mean 50, standard deviation 10, p = 0.5, q = 0.75
(ε = ln 3), unless -k, --hashes or -m ask for Bloom filters. exponential, uniform, zipf: 200 strings and
100 candidates that nobody has, k = 128, h = 2, m = 16, f = 0.5, p = 0.5, q = 0.75.

Examples:
  sotto rappor simulate --distribution normal --reports 100000
  sotto rappor simulate --distribution exponential --reports 1000000 --seed 7 --json
  sotto rappor simulate --distribution zipf --reports 1e6 -f 0 -p 0.25 --correction bonferroni
)";

struct SimulateFlags {
  RapporFlags params;
  TestFlags tests;
  FlagText distribution, reports, true_strings, false_strings, seed, output;
  bool json = false;
};

void declare(FlagSet& app, SimulateFlags& flags) {
  app.add_option("--distribution normal|exponential|uniform|zipf", flags.distribution,
                 "how people's strings are spread (default exponential)");
  app.add_option("--reports N", flags.reports, "number of people (default 1000000)");
  app.add_option("--true-strings N", flags.true_strings, "strings that people may have");
  app.add_option("--false-strings N", flags.false_strings, "candidates that nobody has");
  app.add_option("--seed N", flags.seed, "seed of people and coins (default 1)");
  declare_params(app, flags.params);
  declare_tests(app, flags.tests);
  app.add_option("-o,--output NAME", flags.output,
                 "name of table and picture, without .csv and .svg (default rappor-DISTRIBUTION)")
      .names_outputs();
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

std::uint64_t whole_flag(const char* flag, const std::string& text) {
  if (text == "0") return 0;
  return static_cast<std::uint64_t>(count_flag(flag, text));
}

rappor::ParamsFields fields_of(const rappor::Params& params) {
  return {params.bits(), params.hashes(), params.cohorts(), params.f(), params.p(), params.q()};
}

void read_sizes(const SimulateFlags& flags, SimulationOptions& options) {
  constexpr std::size_t kMostStrings = 100'000;
  if (flags.reports) options.reports = whole_flag("--reports", *flags.reports);
  if (flags.reports && options.reports == 0) {
    throw UsageError("--reports '0': expected a whole number of at least 1");
  }
  if (flags.seed) options.seed = whole_flag("--seed", *flags.seed);
  if (flags.true_strings) {
    options.true_strings =
        static_cast<std::size_t>(count_flag("--true-strings", *flags.true_strings));
  }
  if (flags.false_strings)
    options.false_strings = whole_flag("--false-strings", *flags.false_strings);
  if (options.true_strings + options.false_strings > kMostStrings) {
    throw UsageError("--true-strings and --false-strings: expected at most 100000 together");
  }
}

// Sizes given: Bloom filters. Otherwise a basic collection has a bit a string.
void read_model(const SimulateFlags& flags, SimulationOptions& options) {
  if (flags.params.profile) {
    throw UsageError("--profile: a simulation is by sotto's client; leave it out");
  }
  if (flags.params.file) {
    options.params = *read_params(flags.params);
    const auto answers = read_answers(flags.params, std::nullopt);
    options.basic = !answers.empty();
    if (options.basic) {
      if (flags.true_strings || flags.false_strings) {
        throw UsageError("--true-strings and --false-strings: " + *flags.params.file +
                         " holds the answers; leave them out");
      }
      options.true_strings = answers.size();
      options.false_strings = 0;
    }
    return;
  }
  rappor::ParamsFields fields = fields_of(options.params);
  const bool sized = flags.params.bits || flags.params.hashes || flags.params.cohorts;
  if (options.basic && sized) {
    fields.bits = 128;
    fields.hashes = 2;
    fields.cohorts = 16;
    options.basic = false;
  } else if (options.basic) {
    fields.bits = static_cast<std::int64_t>(options.true_strings + options.false_strings);
  }
  options.params = rappor::Params(override_params(fields, flags.params));
}

SimulationOptions options_from(const SimulateFlags& flags) {
  const Distribution distribution =
      flags.distribution
          ? named_flag("--distribution", *flags.distribution, rappor::distribution_from_name,
                       "one of " + rappor::distribution_names())
          : Distribution::kExponential;
  SimulationOptions options = rappor::default_simulation(distribution);
  read_sizes(flags, options);
  read_model(flags, options);
  options.decode = read_tests(flags.tests, options.decode);
  return options;
}

// What is collected, and how well each report is protected.
std::string collection_text(const SimulationOptions& options) {
  return params_text(options.params) + "; ε₁ = " + epsilon_text(epsilon_one(options.params));
}

void print_text(const rappor::Simulation& simulation, const SimulationOptions& options,
                const std::string& output) {
  const auto share = static_cast<double>(simulation.covering) /
                     static_cast<double>(std::max<std::size_t>(simulation.intervals, 1));
  std::cout << labelled_paragraph("Reports",
                                  std::to_string(options.reports) + "; " + collection_text(options))
            << labelled_paragraph("Found", std::to_string(simulation.found) + " of " +
                                               counted(simulation.true_strings, "string") +
                                               " that somebody had, and " +
                                               std::to_string(simulation.false_positives) +
                                               " that nobody had")
            << labelled_paragraph("Limit", limit_text(simulation.decoding.detection_limit))
            << labelled_paragraph("Unknown", share_text(simulation.decoding.unknown_mass) +
                                                 " of the reports match no string found")
            << labelled_paragraph("Accuracy", "total variation " +
                                                  short_number(simulation.total_variation) + "; " +
                                                  percent_text(share) +
                                                  " of the intervals contain the true frequency")
            << labelled_paragraph("Files", output + ".csv and " + output + ".svg");
}

}  // namespace

int rappor_simulate_command(const Arguments& arguments) {
  FlagSet app("Runs a whole collection on an invented population.", "sotto rappor simulate");
  SimulateFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return 0;
  const SimulationOptions options = options_from(flags);
  const std::string name(to_string(options.distribution));
  const std::string output = flags.output.value_or("rappor-" + name);
  if (!std::filesystem::path(output).has_filename()) {
    throw UsageError("--output '" + output +
                     "': expected a name, to which .csv and .svg are appended");
  }
  for (const char* ending : {".csv", ".svg"}) app.check_output("--output", output + ending);
  const auto start = std::chrono::steady_clock::now();
  const rappor::Simulation simulation = rappor::simulate(options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_file_atomically(output + ".csv", rappor::format_simulation(simulation));
  write_file_atomically(output + ".svg",
                        plots::simulation_picture(simulation, options, collection_text(options)));
  if (flags.json) {
    auto json = rappor::simulation_json(simulation, options);
    json["seconds"] = seconds;
    json["table"] = output + ".csv";
    json["picture"] = output + ".svg";
    std::cout << json.dump(2) << '\n';
  } else {
    print_text(simulation, options, output);
  }
  return 0;
}

}  // namespace sotto::cli
