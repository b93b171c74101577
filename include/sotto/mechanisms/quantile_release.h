// A quantile as it may be published: chosen by the exponential mechanism among public candidates.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sotto/accounting/epsilon_delta.h"
#include "sotto/core/random.h"
#include "sotto/mechanisms/bounded_values.h"
#include "sotto/mechanisms/releases.h"

namespace sotto::mechanisms {

// Values are clamped to the bounds and rounded to the nearest candidate: low, low + step, and so on
// up to high. A candidate with b values below it and e at it has the ranks b to b + e. Its loss is
// how far the rank that is asked for, quantile · n, is from them; one record more or less moves it
// by at most Δ = max(quantile, 1 - quantile). A candidate is drawn with a probability proportional
// to e^(-ε · loss / 2Δ), which is (ε, 0)-private (McSherry and Talwar 2007; Smith 2011). The draw
// is exact: whole numbers only, no rounding. docs/mechanisms.md has the proof.
class QuantileRelease {
 public:
  // Without a step there are kCandidates steps between the bounds. As IntegerNoise, it uses the
  // budget up to a factor of 1 - IntegerNoise::kMargin. Throws InvalidArgument unless
  // 0 < quantile < 1, 0 < ε < ∞, δ = 0, and there are from 2 to kMostCandidates candidates.
  QuantileRelease(double quantile, const ValueBounds& bounds, std::optional<double> step,
                  const accounting::EpsilonDelta& budget);

  std::size_t candidates() const;
  // The one that a value is rounded to. REQUIRES: not NaN.
  std::size_t nearest(double value) const;
  double candidate(std::size_t index) const;

  // REQUIRES of `counts`: the number of values at each candidate.
  Release release(const std::vector<std::int64_t>& counts, RandomSource& random) const;
  // What release() draws from, as doubles: for tests and simulation.
  std::vector<double> probabilities(const std::vector<std::int64_t>& counts) const;

  // The rank of the answer is off by more than this with probability `tail` at most, whatever the
  // values. REQUIRES: 0 < tail < 1.
  double rank_error(double tail) const;
  // How far one record moves a candidate's loss: Δ, in ranks.
  double sensitivity() const;

  static constexpr int kCandidates = 1000;
  static constexpr std::int64_t kMostCandidates = 100001;

 private:
  struct Law;
  std::shared_ptr<const Law> law_;  // immutable, so that copies may share it
};

}  // namespace sotto::mechanisms
