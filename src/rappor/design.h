// Choosing parameters before anything is collected.
#pragma once

#include <cstdint>
#include <optional>

#include "sotto/rappor/params.h"

namespace sotto::rappor {

struct DesignTarget {
  double epsilon_one = 0;  // of one report
  // Of all reports of a value together; nothing: one-time collection.
  std::optional<double> epsilon_infinity{};
  std::int64_t bits = 128;
  std::int64_t hashes = 2;
  std::int64_t cohorts = 16;
  Profile profile = Profile::kSotto;  // whose coins must keep to it
};

// Parameters whose epsilon_one and epsilon_infinity, as executed, are at most the target's, as near
// to it as coins allow and, among those, detect rare strings best: f from ε∞, then the p* and q* of
// odds ratio e^{ε₁/h} with the least variance for a rare string, p*(1-p*)/(q*-p*)². That is q* =
// 1/2, "optimised unary encoding" (Wang, Blocki, Li, Jha 2017), or else p = 0 where f is too large
// for it. Throws InvalidArgument unless 0 < ε₁ <= ε∞, or if no coins of the profile come near it.
Params designed_params(const DesignTarget& target);

struct DetectionLimit {
  double frequency;  // share of the reports
  double reports;    // the same as a number of reports; may exceed what there are
};

// What a string must reach to be found with probability 1/2: z(α/S) standard errors of a string
// that shares its bits with no other. REQUIRES: reports, candidates >= 1, 0 < α < 1. Throws
// InvalidArgument if reports carry no information (p* = q*).
DetectionLimit detection_limit(const Params& params, double reports, double candidates,
                               double alpha);

}  // namespace sotto::rappor
