// The server's second step: which candidates were reported, and how often.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rappor/candidate_map.h"
#include "rappor/counts.h"

namespace sotto::rappor {

enum class Correction {
  kBonferroni,         // chance of any false discovery at most α
  kBenjaminiHochberg,  // expected share of false discoveries at most α
};

struct DecodeOptions {
  double alpha = 0.05;
  Correction correction = Correction::kBonferroni;
  double confidence = 0.95;  // of the intervals
};

// Frequencies are shares of those who reported, not of a population they were drawn from.
struct Estimate {
  std::size_t candidate = 0;  // in the map
  double frequency = 0;       // unbiased: may be negative
  double standard_error = 0;
  double low = 0;  // of the confidence interval; like the frequency, not held to [0, 1]
  double high = 0;
  double p_value = 1;  // of "nobody reported it", one-sided
  bool found = false;  // significant after correction
};

struct Decoding {
  std::uint64_t reports = 0;
  std::vector<Estimate> estimates;  // of fitted candidates, most frequent first
  std::size_t candidates = 0;       // tested: all of the map
  std::size_t found = 0;
  // Share of the reports that is of no found candidate.
  double unknown_mass = 0;
  double unknown_mass_error = 0;
  // Frequency from which a string is found with probability 1/2, as it turned out here.
  double detection_limit = 0;
  // Residual variance over the expected one, about 1 if all is well. Much more: wrong parameters, a
  // wrong map, or frequent strings that are not among the candidates. Errors are widened by it.
  double dispersion = 1;
  std::size_t degrees_of_freedom = 0;
  // Candidates that were left out because their bits are (a combination of) those of others.
  std::vector<std::size_t> indistinguishable;
};

// Per-cohort counts, unbiased by Erlingsson et al. 2014, section 4, are regressed on the
// candidates' bits by weighted least squares, with a constant for strings that are not candidates.
// Where there are too many candidates for that (more than a quarter of the cells, if these are not
// few), a LASSO with non-negative coefficients selects them first. Covariances account for the
// randomised responses and for the cohorts' random composition. Throws InvalidArgument if map,
// counts and parameters do not fit, if there is no report, or if reports carry no information (p* =
// q*).
Decoding decode(const Counts& counts, const Params& params, const CandidateMap& map,
                const DecodeOptions& options = {});

}  // namespace sotto::rappor
