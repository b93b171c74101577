// Rényi differential privacy of single mechanisms: pure functions, no state.
//
// Each returns an upper bound on the Rényi divergence of order alpha between the outputs on
// neighbours, in both directions. sigma is the noise's standard deviation over the sensitivity of
// the released sum; see Neighbours::sum_sensitivity. All are +infinity at sigma = 0.
#pragma once

namespace sotto::accounting {

// α/(2σ²). REQUIRES here and below: alpha > 1.
double rdp_gaussian(double sigma, double alpha);

// Sampled Gaussian mechanism, Poisson sampling, add/remove (arXiv:1908.10530). Exact to about
// 1e-12 for every real order: integer orders by the binomial sum, others by quadrature with an
// exponentially small error. No series to stop early, no subtraction that could turn negative.
double rdp_poisson_gaussian(double sample_rate, double sigma, double alpha);

// Fixed-size sampling without replacement, replace-one (arXiv:1808.00087, Theorem 27); sigma is
// relative to the replace-one sensitivity. Fractional orders interpolate the cumulant function,
// which is convex.
double rdp_fixed_size_gaussian(double sample_rate, double sigma, double alpha);

// Laplace with the given scale over sensitivity (Mironov 2017, Proposition 6).
double rdp_laplace(double scale, double alpha);

// k-ary randomised response that answers uniformly with probability noise_probability.
double rdp_randomized_response_replace_one(double noise_probability, int buckets, double alpha);
double rdp_randomized_response_zero_out(double noise_probability, int buckets, double alpha);

// Anything ε-DP: the divergence of the worst ε-DP mechanism, binary randomised response.
double rdp_pure(double epsilon, double alpha);

}  // namespace sotto::accounting
