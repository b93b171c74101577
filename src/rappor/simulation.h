// A whole collection on an invented population: draw, encode, sum, decode, compare.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rappor/decoder.h"

namespace sotto::rappor {

enum class Distribution {
  kNormal,       // mean n/2 and standard deviation n/10 over n strings in order
  kExponential,  // rate 5/n
  kUniform,
  kZipf,  // exponent 1
};

// "normal", "exponential", "uniform", "zipf". Throws InvalidArgument for other names.
Distribution distribution_from_name(const std::string& name);
std::string_view to_string(Distribution distribution);
std::string distribution_names();

// Probabilities of the strings 0 to n - 1. REQUIRES: n >= 1.
std::vector<double> string_probabilities(Distribution distribution, std::size_t strings);

struct SimulationOptions {
  Distribution distribution = Distribution::kExponential;
  std::uint64_t reports = 1'000'000;
  std::size_t true_strings = 200;   // that people may have
  std::size_t false_strings = 100;  // candidates that nobody has
  bool basic = false;               // one bit per string instead of Bloom filters
  Params params{{.bits = 128, .hashes = 2, .cohorts = 16, .f = 0.5, .p = 0.5, .q = 0.75}};
  DecodeOptions decode{};
  std::uint64_t seed = 1;
};

// The experiments of Erlingsson, Pihur and Korolova 2014, section 5: the normal distribution by
// basic one-time RAPPOR (p = 1/2, q = 3/4: ε = ln 3) over 100 integers, the others by Bloom filters
// of k = 128, h = 2, m = 16, f = 1/2.
SimulationOptions default_simulation(Distribution distribution);

struct SimulatedString {
  std::string name{};
  double true_frequency = 0;  // among those who reported
  double estimate = 0;        // 0 if not fitted
  double low = 0;
  double high = 0;
  double p_value = 1;
  bool fitted = false;
  bool found = false;
};

struct Simulation {
  std::vector<SimulatedString> strings;  // the true ones in order, then the false ones
  Decoding decoding;
  std::size_t true_strings = 0;     // that somebody had
  std::size_t found = 0;            // of those
  std::size_t false_positives = 0;  // found, but nobody had them
  // Half the sum of |true - estimated| frequencies; a string that is not found is estimated as 0.
  double total_variation = 0;
  std::size_t intervals = 0;  // of fitted strings
  std::size_t covering = 0;   // of these, the ones that hold the true frequency
};

// Every person is a Client with a secret, a cohort and a permanent response of its own, and reports
// once. The same numbers for the same options.
Simulation simulate(const SimulationOptions& options);

}  // namespace sotto::rappor
