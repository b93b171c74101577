// Discrete Fourier transform in double precision, with a proven error.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sotto {

// The smallest 2^a 3^b 5^c >= n: sizes of which there are transforms.
std::size_t fast_transform_size(std::size_t n);

// A plan for transforms of one size. Running it allocates nothing. One object must not be used from
// two threads at once.
class ComplexFft {
 public:
  // Throws InvalidArgument unless size is a 2^a 3^b 5^c.
  explicit ComplexFft(std::size_t size);
  ~ComplexFft();
  ComplexFft(ComplexFft&&) noexcept;
  ComplexFft& operator=(ComplexFft&&) noexcept;

  std::size_t size() const { return scratch_.size(); }

  // In place: X_k = Σ_n x_n e^{-2πikn/N}. REQUIRES: data.size() == size().
  void forward(std::span<std::complex<double>> data);
  // In place, the inverse of forward, with the factor 1/N.
  void inverse(std::span<std::complex<double>> data);

  // |computed - exact| <= error_bound() Σ_n |x_n| for every X_k of forward, and
  // <= error_bound()/N Σ_k |X_k| for every x_n of inverse, unless numbers underflow. See
  // docs/numerics.md.
  double error_bound() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
  std::vector<std::complex<double>> scratch_;
};

}  // namespace sotto
