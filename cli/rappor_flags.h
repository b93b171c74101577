// Flags that the commands below `sotto rappor` share.
#pragma once

#include "cli/flags.h"
#include "rappor/candidate_map.h"
#include "rappor/decoder.h"
#include "rappor/params_text.h"
#include "sotto/rappor/params.h"

namespace sotto::cli {

struct RapporFlags {
  FlagText bits, hashes, cohorts, f, p, q, file, profile;
};

// -k, --hashes, -m, -f, -p, -q, --params and --profile.
void declare_params(FlagSet& app, RapporFlags& flags);

// True if any of the six parameters was given as a flag of its own.
bool has_param_flags(const RapporFlags& flags);

// `start` with the flags that were given in its place. Throws UsageError.
rappor::ParamsFields override_params(rappor::ParamsFields start, const RapporFlags& flags);

// From --params or from the flags; nothing if there are none of them. Throws UsageError if some but
// not all are there, or both.
std::optional<rappor::Params> read_params(const RapporFlags& flags);
// The same, but there must be some.
rappor::Params required_params(const RapporFlags& flags);

// kSotto unless --profile says otherwise.
rappor::Profile read_profile(const RapporFlags& flags);

// --answers: basic RAPPOR, a bit for each line of a file.
void declare_answers(FlagSet& app, FlagText& answers);

// All possible answers, from --answers, or from a --params file that holds them; none if there are
// none. Throws UsageError if the two differ.
std::vector<std::string> read_answers(const RapporFlags& flags, const FlagText& answers);

// Basic RAPPOR: k = the number of answers unless given, h = 1, m = 1 unless given. Throws
// UsageError.
rappor::Params basic_params(const RapporFlags& flags, std::size_t answers);

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): there are no parameters by default
struct CandidatesAndParams {
  rappor::Params params;
  rappor::CandidateMap map;
};

// From --candidates or answers, of which exactly one must be there.
CandidatesAndParams read_candidates(const RapporFlags& flags, const FlagText& candidates,
                                    const FlagText& answers);

struct TestFlags {
  FlagText alpha, correction, confidence;
};

// --alpha, --correction and --confidence.
void declare_tests(FlagSet& app, TestFlags& flags);
rappor::DecodeOptions read_tests(const TestFlags& flags, rappor::DecodeOptions start);

// A few significant digits.
std::string short_number(double value);
// The same, rounded up; "unlimited" if it is infinite.
std::string epsilon_text(double epsilon);
std::string percent_text(double share);
// Of an unbiased estimate, or an end of its interval: the nearest share that is possible.
std::string share_text(double estimate);
// From which share on a string is found.
std::string limit_text(double limit);

}  // namespace sotto::cli
