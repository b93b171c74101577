// The one place that makes noise: Gaussian, added to exact sums and rounded, without approximation.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "sotto/core/random.h"

namespace sotto {

class Noise {
 public:
  // Secure: every thread has a generator of its own, keyed by the operating system.
  Noise();
  // All noise from one seed. For tests and demonstrations: nothing made with it is private.
  explicit Noise(std::uint64_t insecure_seed);

  bool is_private() const { return sources_.front()->is_private(); }

  // (sum·unit + N(0, deviation²)) / divisor for every element, in type `type` (float or double).
  // Before the division the noised numbers are rounded to multiples of a power of two between
  // deviation / 2048 and deviation / 1024: exactly what rounding the real numbers gives (see
  // core/rounded_normal.h). sum: contiguous, double; unit: a power of two.
  [[nodiscard]] at::Tensor release(const at::Tensor& sum, double unit, double deviation,
                                   double divisor, at::ScalarType type);
  // The same into `result`, contiguous and of the sum's shape.
  void release_to(at::Tensor& result, const at::Tensor& sum, double unit, double deviation,
                  double divisor);
  // The same of one number.
  [[nodiscard]] double release(double value, double deviation);

  // For sampling batches.
  RandomSource& random() { return *sources_.front(); }

 private:
  void prepare_threads();

  std::vector<std::unique_ptr<RandomSource>> sources_;
};

}  // namespace sotto
