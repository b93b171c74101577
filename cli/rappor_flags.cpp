#include "cli/rappor_flags.h"

#include <cmath>

#include "core/atomic_file.h"
#include "core/printed_number.h"
#include "rappor/collection_file.h"
#include "rappor/share.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {

namespace {

double rate_flag(const std::string& flag, const std::string& text) {
  return number_flag(flag, text, {0, true, 1, true, "a number from 0 to 1"});
}

std::int64_t limited_count(const std::string& flag, const std::string& text, std::int64_t most) {
  const std::int64_t value = count_flag(flag, text);
  if (value > most) {
    throw UsageError(flag + " '" + text + "': expected a whole number from 1 to " +
                     std::to_string(most));
  }
  return value;
}

rappor::Collection read_collection(const std::string& file) {
  return rappor::parse_collection(read_file(file_flag("--params", file)), file);
}

void require(const FlagText& text, const char* flag) {
  if (!text) throw UsageError(std::string(flag) + " is missing (or give all of them by --params)");
}

}  // namespace

void declare_params(FlagSet& app, RapporFlags& flags) {
  app.add_option("-k,--bits N", flags.bits, "bits of a report");
  app.add_option("--hashes N", flags.hashes, "h: bits that a value sets in its Bloom filter");
  app.add_option("-m,--cohorts N", flags.cohorts,
                 "groups of clients with hash functions of their own");
  app.add_option("-f X", flags.f, "share of permanently randomised bits; 0: one-time collection");
  app.add_option("-p X", flags.p, "Pr[a reported bit is 1], if it is 0 in the permanent response");
  app.add_option("-q X", flags.q, "Pr[a reported bit is 1], if it is 1 in the permanent response");
  app.add_option("--params FILE", flags.file,
                 "a file with all six, instead of these flags: sotto's params.json, which may hold "
                 "the possible answers, or google/rappor's params.csv");
  app.add_option("--profile sotto|google-cpp|google-python", flags.profile,
                 "which client: sotto (default), google-cpp, google-python");
}

bool has_param_flags(const RapporFlags& flags) {
  return flags.bits || flags.hashes || flags.cohorts || flags.f || flags.p || flags.q;
}

rappor::ParamsFields override_params(rappor::ParamsFields start, const RapporFlags& flags) {
  using rappor::Params;
  if (flags.bits) start.bits = limited_count("-k", *flags.bits, Params::kMostBits);
  if (flags.hashes) start.hashes = limited_count("--hashes", *flags.hashes, Params::kMostHashes);
  if (flags.cohorts) start.cohorts = limited_count("-m", *flags.cohorts, Params::kMostCohorts);
  if (flags.f) start.f = rate_flag("-f", *flags.f);
  if (flags.p) start.p = rate_flag("-p", *flags.p);
  if (flags.q) start.q = rate_flag("-q", *flags.q);
  return start;
}

std::optional<rappor::Params> read_params(const RapporFlags& flags) {
  if (flags.file && has_param_flags(flags)) {
    throw UsageError("--params and -k, --hashes, -m, -f, -p, -q contradict each other; give one");
  }
  if (flags.file) {
    return read_collection(*flags.file).params;
  }
  if (!has_param_flags(flags)) return std::nullopt;
  require(flags.bits, "-k");
  require(flags.hashes, "--hashes");
  require(flags.cohorts, "-m");
  require(flags.f, "-f");
  require(flags.p, "-p");
  require(flags.q, "-q");
  return rappor::Params(override_params({}, flags));
}

rappor::Params required_params(const RapporFlags& flags) {
  const auto params = read_params(flags);
  if (!params) throw UsageError("-k, --hashes, -m, -f, -p and -q (or --params) are missing");
  return *params;
}

rappor::Profile read_profile(const RapporFlags& flags) {
  if (!flags.profile) return rappor::Profile::kSotto;
  return named_flag("--profile", *flags.profile, rappor::profile_from_name,
                    "one of sotto, google-cpp, google-python");
}

void declare_answers(FlagSet& app, FlagText& answers) {
  app.add_option("--answers|--categories FILE", answers,
                 "all possible answers are known: a file with one per line, each with a bit of its "
                 "own (basic RAPPOR)");
}

std::vector<std::string> read_answers(const RapporFlags& flags, const FlagText& answers) {
  std::vector<std::string> agreed;
  if (flags.file) agreed = read_collection(*flags.file).answers;
  if (!answers) return agreed;
  auto given = rappor::parse_candidates(read_file(file_flag("--answers", *answers)), *answers);
  if (!agreed.empty() && agreed != given) {
    throw UsageError("--answers '" + *answers + "': has other answers than " + *flags.file +
                     "; leave it out");
  }
  return given;
}

rappor::Params basic_params(const RapporFlags& flags, std::size_t answers) {
  if (flags.file) return *read_params(flags);
  require(flags.f, "-f");
  require(flags.p, "-p");
  require(flags.q, "-q");
  const rappor::ParamsFields start{.bits = static_cast<std::int64_t>(answers), .hashes = 1};
  return rappor::Params(override_params(start, flags));
}

CandidatesAndParams read_candidates(const RapporFlags& flags, const FlagText& candidates,
                                    const FlagText& answers) {
  auto known = read_answers(flags, answers);
  if (candidates.has_value() != known.empty()) {
    throw UsageError(candidates ? "--candidates: the answers are known; give one of the two"
                                : "--candidates (or --answers) is missing");
  }
  if (!known.empty()) {
    const auto params = basic_params(flags, known.size());
    return {params, rappor::CandidateMap::of_categories(params, std::move(known))};
  }
  const auto params = required_params(flags);
  auto names =
      rappor::parse_candidates(read_file(file_flag("--candidates", *candidates)), *candidates);
  return {params, rappor::CandidateMap::of_strings(params, read_profile(flags), std::move(names))};
}

void declare_tests(FlagSet& app, TestFlags& flags) {
  app.add_option("--alpha X", flags.alpha, "level of the tests, after correction");
  app.add_option("--correction bonferroni|fdr", flags.correction,
                 "for many candidates: bonferroni (any false discovery), fdr (share of false "
                 "discoveries, Benjamini-Hochberg)");
  app.add_option("--confidence X", flags.confidence, "of the intervals (default 0.95)");
}

rappor::DecodeOptions read_tests(const TestFlags& flags, rappor::DecodeOptions start) {
  if (flags.alpha) start.alpha = probability_flag("--alpha", *flags.alpha);
  if (flags.confidence) start.confidence = probability_flag("--confidence", *flags.confidence);
  if (!flags.correction) return start;
  if (*flags.correction == "bonferroni") {
    start.correction = rappor::Correction::kBonferroni;
  } else if (*flags.correction == "fdr") {
    start.correction = rappor::Correction::kBenjaminiHochberg;
  } else {
    throw UsageError("--correction '" + *flags.correction + "': expected bonferroni or fdr");
  }
  return start;
}

std::string short_number(double value) { return significant(value, 6); }

std::string epsilon_text(double epsilon) {
  return std::isinf(epsilon) ? "unlimited" : accounting::rounded_up(epsilon, 6);
}

std::string percent_text(double share) { return with_decimals(100 * share, 3) + " %"; }

std::string share_text(double estimate) { return percent_text(rappor::possible_share(estimate)); }

std::string limit_text(double limit) {
  if (limit > 1) {
    return "too few reports: not even a string that everybody reported is found with probability "
           "1/2";
  }
  return "a string of " + percent_text(limit) + " is found with probability 1/2";
}

}  // namespace sotto::cli
