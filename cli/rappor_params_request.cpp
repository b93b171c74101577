#include "cli/rappor_params_request.h"

#include "cli/rappor_flags.h"
#include "cli/terminal_questions.h"

namespace sotto::cli {
namespace {

constexpr const char* kExamples = R"(
In a terminal, sotto rappor params asks for what it must know. The first question is whether all possible
answers can be listed beforehand: then each gets a bit of its own (basic RAPPOR), which needs fewer
people for the same accuracy than Bloom filters of unknown strings.

Examples:
  # all possible answers are known: parameters for which any number of reports together stay within ε = 2
  sotto rappor params --answers answers.txt --target-epsilon 2 --output params.json
  # the same if each person reports only once, ever
  sotto rappor params --answers answers.txt --target-epsilon 2 --one-time --output params.json
  # nobody knows which strings there are
  sotto rappor params --unknown-answers --target-epsilon 4 --epsilon-one 1 --output params.json
  # what do these parameters promise?
  sotto rappor params -k 128 --hashes 2 -m 16 -f 0.5 -p 0.5 -q 0.75
  # and what will they find among a million reports and 300 candidates?
  sotto rappor params --params params.csv --reports 1e6 --candidates 300
)";

struct ParamsFlags {
  RapporFlags params;
  FlagText answers, target, epsilon_one, epsilon_infinity, reports, candidates, alpha, output;
  bool unknown = false;
  bool one_time = false;
  bool json = false;
};

void declare(FlagSet& app, ParamsFlags& flags) {
  declare_answers(app, flags.answers);
  app.add_flag("--unknown-answers", flags.unknown,
               "they cannot be listed: any string may be reported, by its Bloom filter");
  app.add_option("--target-epsilon X", flags.target,
                 "finds f, p, q such that ε∞, of all reports of a value together, is at most this");
  app.add_flag(
      "--one-time", flags.one_time,
      "each person reports only once, ever: only ε₁, of one report, stays within the target");
  app.add_option("--epsilon-one X", flags.epsilon_one,
                 "finds f, p, q for this ε of one report (default: --target-epsilon)");
  app.add_option("--epsilon-infinity X", flags.epsilon_infinity,
                 "the same as --target-epsilon, beside --epsilon-one");
  declare_params(app, flags.params);
  app.add_option("--reports N", flags.reports,
                 "number of clients: also prints which strings they will reveal");
  app.add_option("--candidates N", flags.candidates,
                 "number of candidate strings (default: of the answers, or 1000)");
  app.add_option("--alpha X", flags.alpha, "chance of any false discovery (default 0.05)");
  app.add_option("-o,--output FILE", flags.output,
                 "writes the parameters: NAME.json with the answers, any other name as "
                 "google/rappor's params.csv")
      .writes();
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

bool has_target(const ParamsFlags& flags) {
  return flags.target || flags.epsilon_one || flags.epsilon_infinity;
}

bool has_coins(const ParamsFlags& flags) {
  return flags.params.f || flags.params.p || flags.params.q;
}

// Whoever names neither parameters nor what they are for is asked, where somebody can be.
void ask_for_rest(ParamsFlags& flags) {
  if (flags.params.file || has_coins(flags) || flags.json || !can_ask()) return;
  if (!flags.answers && !flags.unknown && !flags.epsilon_one && !has_param_flags(flags.params)) {
    flags.unknown = !ask_yes_or_no(
        "Can all possible answers be listed beforehand, such as blood groups or yes and no?");
    if (!flags.unknown) flags.answers = ask("File with these answers, one per line:");
  }
  if (!has_target(flags) && (flags.answers || flags.unknown)) {
    flags.target = ask("The most that all reports of one person's answer may reveal, ε:");
  }
}

void refuse_contradictions(const ParamsFlags& flags) {
  const auto exclude = [](bool both, const char* names) {
    if (both) throw UsageError(std::string(names) + " contradict each other; give one");
  };
  exclude(flags.answers && flags.unknown, "--answers and --unknown-answers");
  exclude(flags.target && flags.epsilon_infinity, "--target-epsilon and --epsilon-infinity");
  exclude(flags.one_time && flags.epsilon_infinity, "--one-time and --epsilon-infinity");
  exclude(flags.one_time && flags.target && flags.epsilon_one,
          "with --one-time, --target-epsilon and --epsilon-one");
  exclude(has_target(flags) && (flags.params.file || has_coins(flags)),
          "a target ε and --params, -f, -p or -q");
  exclude(flags.answers && (flags.params.bits || flags.params.hashes || flags.params.cohorts),
          "--answers and -k, --hashes or -m");
}

void require_kind(const ParamsFlags& flags) {
  if (flags.one_time && !has_target(flags)) {
    throw UsageError("--one-time: --target-epsilon is missing");
  }
  if (flags.epsilon_infinity && !flags.epsilon_one) throw UsageError("--epsilon-one is missing");
  if (flags.target && !flags.answers && !flags.unknown) {
    throw UsageError(
        "--answers FILE, with all possible answers, is missing (or --unknown-answers, if they "
        "cannot be listed)");
  }
  const bool kind = flags.answers || flags.unknown;
  if (kind && !has_target(flags) && !has_coins(flags) && !flags.params.file) {
    throw UsageError("--target-epsilon (or -f, -p and -q) is missing");
  }
}

void read_epsilons(const ParamsFlags& flags, rappor::DesignTarget& target) {
  const char* const limit_flag = flags.target ? "--target-epsilon" : "--epsilon-infinity";
  const FlagText& limit = flags.target ? flags.target : flags.epsilon_infinity;
  if (limit) target.epsilon_infinity = positive_flag(limit_flag, *limit);
  target.epsilon_one = flags.epsilon_one ? positive_flag("--epsilon-one", *flags.epsilon_one)
                                         : *target.epsilon_infinity;
  if (target.epsilon_infinity && *target.epsilon_infinity < target.epsilon_one) {
    throw UsageError(std::string(limit_flag) + " '" + *limit +
                     "': expected at least --epsilon-one, " + *flags.epsilon_one);
  }
  if (flags.one_time) target.epsilon_infinity.reset();
}

rappor::Params designed(const ParamsFlags& flags, std::size_t answers) {
  rappor::DesignTarget target;
  if (answers > 0) {
    target.bits = static_cast<std::int64_t>(answers);
    target.hashes = 1;
    target.cohorts = 1;
  }
  const auto sizes = override_params({target.bits, target.hashes, target.cohorts}, flags.params);
  target.bits = sizes.bits;
  target.hashes = sizes.hashes;
  target.cohorts = sizes.cohorts;
  target.profile = read_profile(flags.params);
  read_epsilons(flags, target);
  return rappor::designed_params(target);
}

rappor::Collection collection_for(const ParamsFlags& flags) {
  refuse_contradictions(flags);
  require_kind(flags);
  auto answers = read_answers(flags.params, flags.answers);
  const auto params = has_target(flags) ? designed(flags, answers.size())
                      : answers.empty() ? required_params(flags.params)
                                        : basic_params(flags.params, answers.size());
  if (!answers.empty()) static_cast<void>(rappor::CandidateMap::of_categories(params, answers));
  return {params, std::move(answers)};
}

std::optional<rappor::DetectionLimit> limit_for(const ParamsFlags& flags,
                                                const rappor::Params& params, std::size_t answers) {
  if (!flags.reports) return std::nullopt;
  const auto reports = static_cast<double>(count_flag("--reports", *flags.reports));
  const auto by_default = static_cast<double>(answers > 0 ? answers : 1000);
  const auto candidates = flags.candidates
                              ? static_cast<double>(count_flag("--candidates", *flags.candidates))
                              : by_default;
  const double alpha = flags.alpha ? probability_flag("--alpha", *flags.alpha) : 0.05;
  return rappor::detection_limit(params, reports, candidates, alpha);
}

}  // namespace

std::optional<ParamsRequest> parse_params_request(const Arguments& arguments) {
  FlagSet app("The privacy that RAPPOR parameters give, or parameters for a given privacy.",
              "sotto rappor params");
  ParamsFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return std::nullopt;
  ask_for_rest(flags);
  ParamsRequest request{.collection = collection_for(flags), .profile = read_profile(flags.params)};
  request.executed = executed_params(request.collection.params, request.profile);
  request.limit = limit_for(flags, request.executed, request.collection.answers.size());
  request.solved = has_target(flags);
  request.answers_file = flags.answers;
  request.output = flags.output;
  request.json = flags.json;
  return request;
}

}  // namespace sotto::cli
