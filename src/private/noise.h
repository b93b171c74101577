// The one place that makes noise.
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

  // value <- (value + N(0, standard_deviation²)) / divisor for every element, computed in double
  // precision and rounded once. The tensor must be contiguous, float or double, on the CPU.
  // Returns false if the result is not finite everywhere.
  bool add_and_divide(at::Tensor& sum, double standard_deviation, double divisor);
  // One number.
  double draw(double standard_deviation);

  // For sampling batches.
  RandomSource& random() { return *sources_.front(); }

 private:
  void prepare_threads();

  std::vector<std::unique_ptr<RandomSource>> sources_;
};

}  // namespace sotto
