#include <iostream>

#include "cli/rappor_command.h"
#include "cli/rappor_flags.h"
#include "cli/rappor_input.h"
#include "core/atomic_file.h"
#include "core/counted.h"
#include "rappor/aggregator.h"
#include "rappor/counts_file.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kExamples = R"(
Inputs are binary reports, CSV reports (which need the parameters) or partial sums, in any mixture and
any number; memory does not depend on how many reports they hold. A file that is damaged, or given
twice, is refused. Without --counts and --partial the counts go to standard output.

Examples:
  sotto rappor sum reports.bin --counts counts.csv
  sotto rappor sum --params params.csv monday.csv tuesday.csv --counts counts.csv --strict
  # on many machines, then together
  sotto rappor sum part-00.bin --partial part-00.json
  sotto rappor sum part-*.json --counts counts.csv --expect 1000000
)";

struct SumFlags {
  RapporFlags params;
  std::vector<std::string> inputs;
  FlagText counts, partial, expect;
  bool strict = false;
  bool allow_repeats = false;
  bool json = false;
};

void declare(FlagSet& app, SumFlags& flags) {
  app.add_option("INPUT", flags.inputs, "files of reports or partial sums; - is stdin");
  declare_params(app, flags.params);
  app.add_option("--counts FILE", flags.counts, "writes the counts as google/rappor does").writes();
  app.add_option("--partial FILE", flags.partial,
                 "writes the sum and what it is made of, to be summed further")
      .writes();
  app.add_option("--expect N", flags.expect, "fail unless there are exactly this many reports");
  app.add_flag("--strict", flags.strict, "fail at the first malformed row");
  app.add_flag("--allow-repeats", flags.allow_repeats,
               "CSV: sum rows that occur twice, word for word");
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

rappor::AggregatorOptions options_from(const SumFlags& flags) {
  rappor::AggregatorOptions options;
  options.params = read_params(flags.params);
  if (flags.params.profile) options.profile = read_profile(flags.params);
  if (flags.strict) options.strictness = rappor::Strictness::kRefuse;
  options.allow_repeats = flags.allow_repeats;
  return options;
}

void check_expected(const SumFlags& flags, const rappor::PartialSum& sum) {
  if (!flags.expect) return;
  const auto expected = static_cast<std::uint64_t>(count_flag("--expect", *flags.expect));
  check_argument(sum.counts().total() == expected, "--expect ", *flags.expect, ": found ",
                 counted(sum.counts().total(), "report"));
}

void report_problems(const rappor::RowProblems& problems) {
  for (const auto& message : problems.first_messages()) std::cerr << message << '\n';
  if (problems.count() > 0)
    std::cerr << counted(problems.count(), "malformed row") << " left out\n";
}

Json summary(const SumFlags& flags, const rappor::PartialSum& sum,
             const rappor::RowProblems& problems) {
  Json sources = Json::array();
  for (const auto& source : sum.sources()) {
    sources.push_back({{"id", source.id}, {"reports", source.reports}});
  }
  return {{"reports", sum.counts().total()},
          {"malformed", sum.malformed()},
          {"first_problems", problems.first_messages()},
          {"params", params_json(sum.params())},
          {"profile", rappor::profile_name(sum.profile())},
          {"sources", sources},
          {"counts", flags.counts ? Json(*flags.counts) : Json()},
          {"partial", flags.partial ? Json(*flags.partial) : Json()}};
}

}  // namespace

int rappor_sum_command(const Arguments& arguments) {
  FlagSet app("Server: sums reports, or sums of them, into counts.", "sotto rappor sum");
  SumFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return 0;
  if (flags.inputs.empty()) throw UsageError("INPUT is missing: files of reports or partial sums");
  rappor::Aggregator aggregator(options_from(flags));
  for (const auto& path : flags.inputs) {
    const Input input(path, "INPUT");
    aggregator.add(input.stream(), input.name());
    input.check();
  }
  const rappor::PartialSum& sum = aggregator.sum();
  check_expected(flags, sum);
  report_problems(aggregator.problems());
  if (flags.counts) write_file_atomically(*flags.counts, rappor::format_counts(sum.counts()));
  if (flags.partial) write_file_atomically(*flags.partial, rappor::format_partial_sum(sum));
  if (flags.json) {
    std::cout << summary(flags, sum, aggregator.problems()).dump(2) << '\n';
  } else if (flags.counts || flags.partial) {
    std::cout << counted(sum.counts().total(), "report") << " of "
              << counted(sum.sources().size(), "file") << ", "
              << counted(sum.malformed(), "malformed row") << '\n';
  } else {
    std::cout << rappor::format_counts(sum.counts());
  }
  return 0;
}

}  // namespace sotto::cli
