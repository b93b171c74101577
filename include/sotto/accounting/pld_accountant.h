// Tight accounting by privacy-loss distributions, from both sides.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sotto/accounting/epsilon_delta.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/neighbours.h"

namespace sotto::accounting {

struct PldOptions {
  // The interval is made narrower than this, relative to its upper end, unless that would take a
  // transform longer than max_transform_size.
  double relative_width = 1e-3;
  std::size_t max_transform_size = std::size_t{1} << 19U;
};

// The exact ε(δ) of a composition, for an adversary who sees everything that it released, from
// below and from above. The upper end uses connect-the-dots discretisation (arXiv:2207.04380), the
// lower end a polygon of chords; both take the worse of the two directions; truncation, aliasing
// and rounding are charged. See docs/numerics.md.
class PldAccountant {
 public:
  // Throws NoValidAnalysis, naming event and relation, where no dominating pair is known.
  PldAccountant(const Composition& composition, const Neighbours& neighbours,
                const PldOptions& options = {});
  ~PldAccountant();
  PldAccountant(PldAccountant&&) noexcept;
  PldAccountant& operator=(PldAccountant&&) noexcept;

  // REQUIRES: kSmallestDelta <= delta < 1. Both ends are infinite if some part adds no noise.
  Enclosure epsilon(double delta) const;
  // REQUIRES: epsilon >= 0, finite.
  Enclosure delta(double epsilon) const;
  // Guarantees (ε, δ(ε)) that all hold at once, δ from above, for ε from 0 to where δ is about
  // kSmallestCurveDelta: from one transform per direction, so as fast as one ε(δ). δ is within
  // about 1e-3 of itself plus kSmallestCurveDelta where max_transform_size allows it. Empty if some
  // part adds no noise.
  std::vector<EpsilonDelta> curve() const;

  static constexpr double kSmallestCurveDelta = 1e-8;
  static constexpr double kSmallestDelta = 1e-200;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sotto::accounting
