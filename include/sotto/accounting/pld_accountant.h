// Tight accounting by privacy-loss distributions, as certified intervals.
#pragma once

#include <cstddef>
#include <memory>

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

// The true ε(δ) of a composition, from below and from above. The upper end uses connect-the-dots
// discretisation (arXiv:2207.04380), the lower end a polygon of chords; both take the worse of the
// two directions; truncation, aliasing and rounding are charged. See docs/numerics.md.
class PldAccountant {
 public:
  // Throws NoValidAnalysis, naming event and relation, where no dominating pair is known.
  PldAccountant(const Composition& composition, const Neighbours& neighbours,
                const PldOptions& options = {});
  ~PldAccountant();
  PldAccountant(PldAccountant&&) noexcept;
  PldAccountant& operator=(PldAccountant&&) noexcept;

  // REQUIRES: kSmallestDelta <= delta < 1. Both ends are infinite if some part adds no noise.
  CertifiedInterval epsilon(double delta) const;
  // REQUIRES: epsilon >= 0, finite.
  CertifiedInterval delta(double epsilon) const;

  static constexpr double kSmallestDelta = 1e-200;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sotto::accounting
