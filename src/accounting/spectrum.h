// Spectra that are raised to powers and multiplied, with bounds on their errors.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "core/unit_roundoff.h"

namespace sotto::accounting {

// Relative error of a complex product (Brent, Percival, Zimmermann 2007; with fused operations it
// is smaller).
inline constexpr double kComplexProductError = 2.23606797749979 * kUnitRoundoff;  // √5 u

inline std::complex<double> power(std::complex<double> base, std::int64_t exponent) {
  std::complex<double> result = 1;
  for (auto bits = static_cast<std::uint64_t>(exponent); bits != 0; bits >>= 1U) {
    if ((bits & 1U) != 0) result *= base;
    base *= base;
  }
  return result;
}

// Raises numbers of modulus about 1 or less, known up to an error, to a fixed power.
class Power {
 public:
  using Complex = std::complex<double>;

  Power(std::int64_t exponent, double base_error)
      : exponent_(exponent),
        base_error_(base_error),
        // Repeated squaring: exponent - 1 products count, each once (1 + √5 u)^exponent in all.
        own_error_(std::expm1(static_cast<double>(exponent) * kComplexProductError)),
        // Of std::pow, whose base is known up to a few u, here and below.
        round_up_(std::exp(8 * static_cast<double>(exponent) * kUnitRoundoff)),
        vanishing_norm_(std::exp(2 * kNegligible / static_cast<double>(exponent))),
        vanishing_error_(error_for_modulus(std::sqrt(vanishing_norm_)) +
                         round_up_ * std::exp(kNegligible)) {}

  struct Result {
    Complex value;
    double error;
  };

  Result operator()(Complex base) const {
    // For long compositions almost every frequency ends here.
    const double norm = base.real() * base.real() + base.imag() * base.imag();
    if (norm < vanishing_norm_) return {0, vanishing_error_};
    return {power(base, exponent_), error_for_modulus(std::sqrt(norm))};
  }

 private:
  // |x^n - y^n| <= n |x - y| max(|x|, |y|)^{n-1}, and the rounding of y^n.
  double error_for_modulus(double modulus) const {
    const auto n = static_cast<double>(exponent_);
    const double largest = modulus + base_error_;
    return round_up_ * (n * base_error_ + own_error_ * largest) * std::pow(largest, n - 1);
  }

  static constexpr double kNegligible = -90;  // e^-90: far below what rounding leaves
  std::int64_t exponent_;
  double base_error_;
  double own_error_;
  double round_up_;
  double vanishing_norm_;
  double vanishing_error_;
};

// A spectrum that grows by one event at a time, with a bound on its error.
class Spectrum {
 public:
  using Complex = std::complex<double>;

  explicit Spectrum(std::size_t half_size) : values_(half_size, 1), errors_(half_size, 0) {}

  void multiply(std::size_t k, const Power::Result& factor) {
    const double here = std::abs(values_[k]);
    const double there = std::abs(factor.value);
    errors_[k] = errors_[k] * (there + factor.error) + here * factor.error +
                 kComplexProductError * here * there;
    values_[k] *= factor.value;
  }

  const Complex& operator[](std::size_t k) const { return values_[k]; }
  double error(std::size_t k) const { return errors_[k]; }

 private:
  std::vector<Complex> values_;
  std::vector<double> errors_;
};

}  // namespace sotto::accounting
