// Dominating pairs made of unit-variance Gaussians with shifted means.
#pragma once

#include <vector>

#include "accounting/privacy_pair.h"

namespace sotto::accounting {

struct GaussianComponent {
  double log_weight;
  double mean;
};

// P and Q are mixtures of N(mean, 1). The loss increases if every mean of P is at least every mean
// of Q; the constructor checks it. Covers (noise standard deviation σ, per-record bound 1):
//   full batch          P = N(1/σ)                      Q = N(0)
//   Poisson sampling    P = (1-q) N(0) + q N(1/σ)       Q = N(0)
//   groups of k         P = Σ_j Bin(k, q)_j N(j/σ)      Q = N(0)   (arXiv:2310.15526, Section 4)
//   Poisson, replaced   P = (1-q) N(0) + q N(1/σ)       Q = (1-q) N(0) + q N(-1/σ)
class GaussianMixturePair : public PrivacyPair {
 public:
  GaussianMixturePair(std::vector<GaussianComponent> p, std::vector<GaussianComponent> q);

  double loss(double z) const override;
  // Safeguarded Newton iteration; the pairs below know closed forms.
  double point_at_loss(double loss) const override;
  Cut cut(double z) const override;
  double cut_error(double z) const override;
  double loss_error(double z) const override;
  Range central_range(double tail_mass) const override;
  Range loss_limits() const override;

 private:
  std::vector<GaussianComponent> p_;
  std::vector<GaussianComponent> q_;
  double largest_mean_ = 0;        // modulus
  double largest_log_weight_ = 0;  // modulus
};

// P = (1-q) N(0) + q N(shift), Q = N(0); q = 1 is the plain Gaussian mechanism.
class PoissonGaussianPair final : public GaussianMixturePair {
 public:
  PoissonGaussianPair(double sample_rate, double shift);

  double loss(double z) const override;
  double point_at_loss(double loss) const override;

 private:
  double sample_rate_;
  double shift_;
};

// P = (1-q) N(0) + q N(shift), Q = (1-q) N(0) + q N(-shift).
class PoissonReplaceGaussianPair final : public GaussianMixturePair {
 public:
  PoissonReplaceGaussianPair(double sample_rate, double shift);

  double point_at_loss(double loss) const override;

 private:
  double sample_rate_;
  double shift_;
};

// Components of the sum of k independent Bernoulli(q) times `shift`.
std::vector<GaussianComponent> binomial_components(int k, double sample_rate, double shift);

}  // namespace sotto::accounting
