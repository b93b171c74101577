#include "core/distributions.h"

#include <boost/random/exponential_distribution.hpp>
#include <cmath>

#include "sotto/core/error.h"

namespace sotto {

namespace {

struct LeadingDigits {
  std::uint64_t first;  // floor(2^64 p)
  double remainder;     // 2^64 p - first
};

// Exact for every double in [0, 1): scaling by a power of two and the subtraction do not round.
LeadingDigits split(double probability) {
  const double scaled = std::ldexp(probability, 64);
  const double whole = std::floor(scaled);
  return {static_cast<std::uint64_t>(whole), scaled - whole};
}

}  // namespace

double draw_uniform(RandomSource& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

Bernoulli::Bernoulli(double probability) {
  check_argument(probability >= 0 && probability <= 1, "probability must be in [0, 1], got ",
                 probability);
  const LeadingDigits digits = probability < 1
                                   ? split(probability)
                                   : LeadingDigits{RandomSource::max(), 1};  // 0.111... in binary
  threshold_ = digits.first;
  remainder_ = digits.remainder;
}

bool Bernoulli::draw_remaining_digits(RandomSource& random) const {
  double remainder = remainder_;
  while (remainder > 0 && remainder < 1) {
    const LeadingDigits digits = split(remainder);
    const std::uint64_t bits = random();
    if (bits != digits.first) return bits < digits.first;
    remainder = digits.remainder;
  }
  return remainder == 1;
}

double draw_laplace(double scale, RandomSource& random) {
  const double magnitude = scale * boost::random::exponential_distribution<double>()(random);
  return (random() & 1U) != 0 ? magnitude : -magnitude;
}

}  // namespace sotto
