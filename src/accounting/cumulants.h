// The cumulant generating function of a composed privacy loss, and the saddle point it gives.
#pragma once

#include <cstdint>
#include <vector>

#include "accounting/lattice_pld.h"

namespace sotto::accounting {

// K(λ) = Σ_j n_j ln E[e^{λ L_j}] for independent losses L_j, repeated n_j times each. Infinite
// losses are left out: E is over the finite part.
class CumulantFunction {
 public:
  struct Values {
    double value;
    double mean;      // K'(λ)
    double variance;  // K''(λ)
  };

  void add(std::vector<LossAtom> atoms, std::int64_t count);
  void add(const LatticePld& pld, std::int64_t count);

  double value(double tilt) const { return at(tilt).value; }
  Values at(double tilt) const;
  // ln E[e^{λ L_j}] of one event alone.
  double value_of_part(std::size_t part, double tilt) const;

 private:
  struct Part {
    std::vector<LossAtom> atoms;
    double count;
  };
  std::vector<Part> parts_;
};

// ln δ(K'(λ)) ≈ K - λK' - ½ ln(2πK'') - ln λ - ln(1+λ): the saddle-point approximation of δ at the
// ε to which λ belongs (Alghamdi et al., arXiv:2208.09595). For planning, never for a bound.
double approximate_log_delta(const CumulantFunction& cumulants, double tilt);

// The λ at which the approximation gives ln δ; clamped to [smallest, largest] tilt worth using.
double tilt_for_log_delta(const CumulantFunction& cumulants, double log_delta);
// The λ > 0 with K'(λ) = ε, clamped likewise.
double tilt_for_epsilon(const CumulantFunction& cumulants, double epsilon);

}  // namespace sotto::accounting
