// Laplace and Gaussian noise on real numbers. Laplace noise is that of the textbooks: in floating
// point the low digits of a noised number reveal the number (Mironov 2012), so for anything that is
// published, use DiscreteLaplace. Gaussian noise is exact; for counts, use DiscreteGaussian.
#pragma once

#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"
#include "sotto/core/random.h"

namespace sotto::mechanisms {

// How far neighbouring data sets can move an answer: ‖f(x) - f(x')‖, in the 1-norm for Laplace and
// in the 2-norm for Gaussian noise. Over a list of numbers, that of the whole list.
struct Sensitivity {
  double value;
};

// (ε, 0)-private (Dwork, McSherry, Nissim, Smith 2006): scale Δ/ε.
class LaplaceMechanism {
 public:
  // Throws InvalidArgument unless both are positive and finite.
  LaplaceMechanism(Sensitivity sensitivity, double epsilon);

  double add_noise(double value, RandomSource& random) const;
  double scale() const { return scale_; }
  double standard_deviation() const;
  accounting::LaplaceEvent event() const { return accounting::LaplaceEvent(1 / epsilon_); }

 private:
  double epsilon_;
  double scale_;
};

// (ε, δ)-private, ε > 0 and 0 < δ < 1. Its standard deviation must be between 1e-290 and 1e300.
class GaussianMechanism {
 public:
  // σ = Δ √(2 ln(1.25/δ)) / ε. Throws NoValidAnalysis for ε >= 1, where its proof (Dwork and Roth
  // 2014, Theorem A.1) ends.
  static GaussianMechanism classic(Sensitivity sensitivity, const accounting::EpsilonDelta& budget);
  // The smallest σ there is (Balle and Wang 2018), for every ε.
  static GaussianMechanism analytic(Sensitivity sensitivity,
                                    const accounting::EpsilonDelta& budget);

  // value + N(0, σ²), rounded to a multiple of a power of two between σ/2048 and σ/1024: exactly
  // what rounding the real number gives, so rounding reveals nothing. The sensitivity must be that
  // of the value as it was computed. A value that is not finite, or so large that value / σ is
  // not, stays what it is.
  double add_noise(double value, RandomSource& random) const;
  double standard_deviation() const { return deviation_; }
  accounting::GaussianEvent event() const { return accounting::GaussianEvent(multiplier_); }

 private:
  GaussianMechanism(Sensitivity sensitivity, double multiplier);

  double multiplier_;  // standard deviation over sensitivity
  double deviation_;
};

}  // namespace sotto::mechanisms
