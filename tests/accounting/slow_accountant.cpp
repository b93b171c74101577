#include "tests/accounting/slow_accountant.h"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/core/exact_numbers.h"

namespace sotto::accounting {

namespace {

using Real = Exact;

struct Complex {
  Real re;
  Real im;
};

Complex operator*(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

Complex power(Complex base, std::int64_t exponent) {
  Complex result{1, 0};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base;
    base = base * base;
  }
  return result;
}

Real pi() { return boost::math::constants::pi<Real>(); }

// Points z of the noise with the loss there and its probability times the step.
struct WeightedLoss {
  Real loss;
  Real weight;
};

std::vector<WeightedLoss> losses(const SlowRun& run, Direction direction, const Real& step) {
  const Real q = run.sample_rate;
  const Real mu = 1 / Real(run.noise_multiplier);
  const Real normal = step / sqrt(2 * pi());
  constexpr int kReach = 13;  // standard deviations: the rest is below 1e-37
  std::vector<WeightedLoss> all;
  for (Real z = -kReach; z <= kReach + mu; z += step) {
    const Real ratio = 1 - q + q * exp(mu * z - mu * mu / 2);
    const Real base = normal * exp(-z * z / 2);
    const bool remove = direction == Direction::kRemove;
    all.push_back({remove ? log(ratio) : -log(ratio), remove ? base * ratio : base});
  }
  return all;
}

// ln M(λ) for a real λ.
Real cumulant(const std::vector<WeightedLoss>& losses, const Real& lambda) {
  Real sum = 0;
  for (const auto& [loss, weight] : losses) sum += weight * exp(lambda * loss);
  return log(sum);
}

// The λ, among powers of 2^(1/2), at which the integrand is smallest: near the saddle point.
Real best_lambda(const std::vector<WeightedLoss>& losses, const SlowRun& run, const Real& epsilon) {
  Real best = 1;
  Real least = 1e300;
  for (int k = -8; k <= 20; ++k) {
    const Real lambda = pow(Real(2), Real(k) / 2);
    const Real exponent = Real(run.steps) * cumulant(losses, lambda) - lambda * epsilon -
                          log(lambda) - log(lambda + 1);
    if (exponent < least) {
      least = exponent;
      best = lambda;
    }
  }
  return best;
}

// Σ over t = k·step of the integrand, real part, k and -k together.
class Bromwich {
 public:
  Bromwich(const std::vector<WeightedLoss>& losses, const SlowRun& run, Real epsilon, Real lambda,
           Real step)
      : steps_(run.steps),
        epsilon_(std::move(epsilon)),
        lambda_(std::move(lambda)),
        step_(std::move(step)) {
    const Real least = exp(cumulant(losses, lambda_)) * Real("1e-32");
    for (const auto& [loss, weight] : losses) {
      const Real term = weight * exp(lambda_ * loss);
      if (term < least) continue;
      const Real angle = step_ * loss;
      turns_.push_back({cos(angle), sin(angle)});
      terms_.push_back({term, 0});
    }
  }

  Real integral() {
    Real sum = value(0).re / 2;
    const Real negligible = abs(sum) * Real("1e-26");
    int quiet = 0;  // consecutive terms that do not count any more
    for (int k = 1; quiet < 12; ++k) {
      if (k == kMostTerms) throw std::runtime_error("the integrand does not decay");
      for (std::size_t i = 0; i < terms_.size(); ++i) terms_[i] = terms_[i] * turns_[i];
      const Complex term = value(k);
      sum += term.re;
      quiet = abs(term.re) + abs(term.im) < negligible ? quiet + 1 : 0;
    }
    return sum * step_ / pi();
  }

 private:
  static constexpr int kMostTerms = 6'000;

  // e^{-sε} M(s)^T / (s (s+1)) at s = λ + i k step.
  Complex value(int k) const {
    Complex moment{0, 0};
    for (const auto& term : terms_) moment = {moment.re + term.re, moment.im + term.im};
    const Real t = step_ * k;
    const Real damping = exp(-lambda_ * epsilon_);
    const Complex shift{damping * cos(t * epsilon_), -damping * sin(t * epsilon_)};
    // s (s + 1)
    const Complex poles{lambda_ * (lambda_ + 1) - t * t, t * (2 * lambda_ + 1)};
    const Real norm = poles.re * poles.re + poles.im * poles.im;
    return power(moment, steps_) * shift * Complex{poles.re / norm, -poles.im / norm};
  }

  std::int64_t steps_;
  Real epsilon_;
  Real lambda_;
  Real step_;
  std::vector<Complex> turns_;  // e^{i step loss}
  std::vector<Complex> terms_;  // weight e^{(λ + i k step) loss}
};

// `fineness` divides both steps.
Real inverted(const SlowRun& run, const Real& epsilon, Direction direction, const Real& fineness) {
  const Real noise_step = std::min(0.1, run.noise_multiplier / 9) / fineness;
  const auto points = losses(run, direction, noise_step);
  const Real lambda = best_lambda(points, run, epsilon);
  // Sampling the integrand repeats δ with this period, damped by e^{-λ·period} below; above, the
  // loss has no mass so far out.
  const Real log_bound = Real(run.steps) * cumulant(points, 2 * lambda) - 2 * lambda * epsilon;
  const Real log_delta = Real(run.steps) * cumulant(points, lambda) - lambda * epsilon;
  const Real period =
      (50 + std::max({Real(0), Real(-log_delta), Real(log_bound - log_delta)})) / lambda;
  return Bromwich(points, run, epsilon, lambda, 2 * pi() / (period * fineness)).integral();
}

}  // namespace

double slow_delta(const SlowRun& run, double epsilon, Direction direction) {
  // An added record lowers likelihoods by a factor of at most 1 - q a step.
  const double most = -static_cast<double>(run.steps) * std::log1p(-run.sample_rate);
  if (direction == Direction::kAdd && run.sample_rate < 1 && epsilon >= most) return 0;
  Real last = inverted(run, epsilon, direction, 1);
  for (const double fineness : {1.3, 2.0, 3.1, 4.7}) {
    const Real finer = inverted(run, epsilon, direction, fineness);
    if (abs(last - finer) <= abs(finer) * Real("1e-13") + Real("1e-60")) {
      return static_cast<double>(finer);
    }
    last = finer;
  }
  throw std::runtime_error("the slow accountant has not converged: " + last.str(20));
}

double slow_delta(const SlowRun& run, double epsilon) {
  return std::max(slow_delta(run, epsilon, Direction::kRemove),
                  slow_delta(run, epsilon, Direction::kAdd));
}

}  // namespace sotto::accounting
