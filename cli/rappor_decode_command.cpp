#include <cmath>
#include <iostream>

#include "cli/rappor_command.h"
#include "cli/rappor_flags.h"
#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "core/atomic_file.h"
#include "core/counted.h"
#include "rappor/counts_file.h"
#include "rappor/partial_sum.h"
#include "rappor/result_json.h"
#include "rappor/result_tables.h"
#include "rappor/share.h"

namespace sotto::cli {
namespace {

constexpr const char* kExamples = R"(
Estimates are shares of those who reported; intervals and p-values account for the randomisation.

Examples:
  # the answers are known: params.json holds them
  sotto rappor decode --params params.json --counts sum.json
  # they are not
  sotto rappor decode --params params.csv --counts counts.csv --map map.csv
  sotto rappor decode --counts sum.json --candidates candidates.txt --correction fdr
  sotto rappor decode --counts sum.json --candidates candidates.txt --output table.csv --json
)";

// Beyond it the fit deserves a warning.
constexpr double kSuspiciousDispersion = 2;

struct DecodeFlags {
  RapporFlags params;
  TestFlags tests;
  FlagText counts, map, candidates, answers, output;
  bool all = false;
  bool json = false;
};

void declare(FlagSet& app, DecodeFlags& flags) {
  declare_params(app, flags.params);
  app.add_option("--counts FILE", flags.counts,
                 "counts, or a partial sum (which holds its parameters)");
  app.add_option("--map FILE", flags.map,
                 "the candidates' bits, from sotto rappor map or google/rappor");
  app.add_option("--candidates FILE", flags.candidates,
                 "or the candidates themselves, one string per line");
  declare_answers(app, flags.answers);
  declare_tests(app, flags.tests);
  app.add_option("-o,--output FILE", flags.output, "writes the table as CSV").writes();
  app.add_flag("--all", flags.all, "list what was not found, too");
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): there are no parameters by default
struct Question {
  rappor::Params params;  // as executed
  rappor::Counts counts;
  rappor::CandidateMap map;
};

rappor::CandidateMap read_map(const DecodeFlags& flags, const rappor::Params& params,
                              rappor::Profile profile) {
  auto answers = read_answers(flags.params, flags.answers);
  const int given = flags.map.has_value() + flags.candidates.has_value() + !answers.empty();
  if (given != 1) {
    throw UsageError(given == 0 ? "--answers, --candidates or --map is missing"
                                : "give one of --map, --candidates and --answers (which a --params "
                                  "file may hold)");
  }
  if (!answers.empty()) return rappor::CandidateMap::of_categories(params, std::move(answers));
  if (flags.map)
    return rappor::parse_map(read_file(file_flag("--map", *flags.map)), params, *flags.map);
  const std::string& path = *flags.candidates;
  auto names = rappor::parse_candidates(read_file(file_flag("--candidates", path)), path);
  return rappor::CandidateMap::of_strings(params, profile, std::move(names));
}

std::optional<rappor::Params> given_params(const DecodeFlags& flags) {
  if (!flags.answers || flags.params.file || !has_param_flags(flags.params)) {
    return read_params(flags.params);
  }
  return basic_params(flags.params, read_answers(flags.params, flags.answers).size());
}

Question read_question(const DecodeFlags& flags) {
  if (!flags.counts) throw UsageError("--counts is missing");
  const std::string text = read_file(file_flag("--counts", *flags.counts));
  const auto given = given_params(flags);
  const auto profile = read_profile(flags.params);
  if (rappor::is_partial_sum(text)) {
    const auto sum = rappor::parse_partial_sum(text, *flags.counts);
    check_argument(!given || *given == sum.params(), *flags.counts,
                   ": has other parameters than the flags");
    return {executed_params(sum.params(), sum.profile()), sum.counts(),
            read_map(flags, sum.params(), sum.profile())};
  }
  if (!given) throw UsageError("-k, --hashes, -m, -f, -p and -q (or --params) are missing");
  return {executed_params(*given, profile), rappor::parse_counts(text, *given, *flags.counts),
          read_map(flags, *given, profile)};
}

std::string p_value_text(double p_value) {
  return p_value == 0 ? "< 1e-300" : short_number(p_value);
}

void print_table(const rappor::Decoding& decoding, const rappor::CandidateMap& map, bool all) {
  TextTable table({{.least = 10, .most = 40},
                   TextColumn::fixed(9),
                   TextColumn::fixed(21),
                   TextColumn::fixed(10)});
  table.add({"string", "share", "interval", "reports", "p-value"});
  const auto reports = static_cast<double>(decoding.reports);
  for (const auto& estimate : decoding.estimates) {
    if (!all && !estimate.found) continue;
    table.add({map.name(estimate.candidate), share_text(estimate.frequency),
               share_text(estimate.low) + " - " + share_text(estimate.high),
               short_number(std::round(rappor::possible_share(estimate.frequency) * reports)),
               p_value_text(estimate.p_value) + (estimate.found ? "" : "  not found")});
  }
  std::cout << table.text();
}

void print_summary(const rappor::Decoding& decoding) {
  std::cout << '\n'
            << labelled_paragraph("Reports", std::to_string(decoding.reports))
            << labelled_paragraph("Found", std::to_string(decoding.found) + " of " +
                                               counted(decoding.candidates, "candidate"))
            << labelled_paragraph("Unknown", share_text(decoding.unknown_mass) + " ± " +
                                                 percent_text(decoding.unknown_mass_error) +
                                                 " of the reports match no string found")
            << labelled_paragraph("Limit", limit_text(decoding.detection_limit));
}

void warn(const rappor::Decoding& decoding, const rappor::CandidateMap& map) {
  if (decoding.degrees_of_freedom > 30 && decoding.dispersion > kSuspiciousDispersion) {
    std::cerr
        << "the counts fit the candidates badly (residual variance "
        << short_number(decoding.dispersion)
        << " times the expected one): wrong parameters, a wrong map, or frequent strings that "
           "are not candidates\n";
  }
  for (const auto candidate : decoding.indistinguishable) {
    std::cerr << "candidate '" << map.name(candidate)
              << "' sets the bits of other candidates and cannot be told apart; left out\n";
  }
}

}  // namespace

int rappor_decode_command(const Arguments& arguments) {
  FlagSet app("Server: which candidates were reported, and how often.", "sotto rappor decode");
  DecodeFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return 0;
  const auto options = read_tests(flags.tests, {});
  const Question question = read_question(flags);
  const auto decoding = rappor::decode(question.counts, question.params, question.map, options);
  warn(decoding, question.map);
  if (flags.output)
    write_file_atomically(*flags.output, rappor::format_decoding(decoding, question.map));
  if (flags.json) {
    std::cout << rappor::decoding_json(decoding, question.map, flags.all).dump(2) << '\n';
  } else {
    print_table(decoding, question.map, flags.all);
    print_summary(decoding);
  }
  return 0;
}

}  // namespace sotto::cli
