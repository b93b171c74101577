// The six parameters of a RAPPOR collection, and the privacy that they give.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sotto::rappor {

// Which client's bits.
enum class Profile {
  kSotto,         // any k and m, exact probabilities, unbiased hashing; the default
  kGoogleCpp,     // bit for bit google/rappor's C++ client
  kGooglePython,  // bit for bit google/rappor's Python client
};

// "sotto", "google-cpp", "google-python".
std::string_view profile_name(Profile profile);

// Throws InvalidArgument for other names.
Profile profile_from_name(const std::string& name);

// As written by a caller; Params checks it.
struct ParamsFields {
  std::int64_t bits = 0;     // k: length of a report
  std::int64_t hashes = 0;   // h: bits that one value sets
  std::int64_t cohorts = 1;  // m: groups of clients, each with hash functions of its own
  double f = 0;              // share of permanently randomised bits; 0 = one-time collection
  double p = 0;              // Pr[reported bit = 1 | permanent bit = 0]
  double q = 1;              // Pr[reported bit = 1 | permanent bit = 1]
};

class Params {
 public:
  static constexpr std::int64_t kMostBits = 65536;
  static constexpr std::int64_t kMostHashes = 16;  // MD5 has 16 bytes
  static constexpr std::int64_t kMostCohorts = 65536;
  static constexpr std::int64_t kMostCells = std::int64_t{1} << 24U;  // k × m

  // Throws InvalidArgument unless 1 <= k, h, m within the limits above, and f, p, q in [0, 1].
  explicit Params(const ParamsFields& fields);

  std::uint32_t bits() const { return bits_; }
  std::uint32_t hashes() const { return hashes_; }
  std::uint32_t cohorts() const { return cohorts_; }
  double f() const { return f_; }
  double p() const { return p_; }
  double q() const { return q_; }
  // Number of (cohort, bit) pairs.
  std::uint32_t cells() const { return bits_ * cohorts_; }

  bool operator==(const Params&) const = default;

 private:
  std::uint32_t bits_;
  std::uint32_t hashes_;
  std::uint32_t cohorts_;
  double f_;
  double p_;
  double q_;
};

// Pr[reported bit = 1] for a bit that the value does not set (p*), and for one that it does (q*).
// Erlingsson, Pihur, Korolova 2014 (arXiv:1407.6981), Lemma 1.
struct ReportedRates {
  double p_star;
  double q_star;
};
ReportedRates reported_rates(const Params& params);

// Upper bound on what one report reveals: h ln[q*(1-p*) / (p*(1-q*))] (Theorem 2), in absolute
// value where q < p. Infinite if a report can be conclusive. Rounded up, for the coins that are
// tossed: p, q and f as doubles have no more binary digits than a coin.
double epsilon_one(const Params& params);

// Upper bound on what any number of reports of one value reveal: 2h ln[(1-f/2) / (f/2)] (Theorem
// 1). Infinite for f = 0. Rounded up.
double epsilon_infinity(const Params& params);

// What the profile's clients execute: google/rappor's round f down to 1/128ths, and its C++ client
// p and q to 1/256ths. Privacy and decoding follow these, not the nominal values.
Params executed_params(const Params& params, Profile profile);

}  // namespace sotto::rappor
