// Discrete Fourier transform in double precision.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sotto {

// The smallest 2^a 3^b 5^c >= n: sizes for which the transform is fast.
std::size_t fast_transform_size(std::size_t n);

// A plan for transforms of one size. Building it costs one sine and cosine a point; running it
// allocates nothing but its scratch. One object must not be used from two threads at once.
class ComplexFft {
 public:
  explicit ComplexFft(std::size_t size);
  ~ComplexFft();
  ComplexFft(ComplexFft&&) noexcept;
  ComplexFft& operator=(ComplexFft&&) noexcept;

  std::size_t size() const { return scratch_.size(); }

  // In place: X_k = Σ_n x_n e^{-2πikn/N}. REQUIRES: data.size() == size().
  void forward(std::span<std::complex<double>> data);
  // In place, the inverse of forward, with the factor 1/N.
  void inverse(std::span<std::complex<double>> data);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
  std::vector<std::complex<double>> scratch_;
};

}  // namespace sotto
