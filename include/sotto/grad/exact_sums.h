// Sums of clipped gradients that do not depend on order, threads or parts, and that one record
// moves by at most its bound: docs/finite-precision.md proves it.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace sotto::grad {

// One sum for each parameter, of contributions whose norm is at most a bound. They are multiples of
// unit / 256, held in double, and added without rounding.
//
// Linear layers add up samples in chains of at most 64 in float; a chain's sum depends on its own
// samples alone. So samples must be cut into chains in a way in which no record moves others
// between chains of another block, see Blocks. `chain_ends` names them: increasing, each at most 64
// after the one before, the last the number of samples.
class ExactSums {
 public:
  // Zero, for gradients of these parameters; bounds[p] > 0 is the largest norm of one record's
  // contribution to p. Throws InvalidArgument for a bound that is not positive and finite.
  ExactSums(const std::vector<at::Tensor>& parameters, const std::vector<double>& bounds);

  // Nothing added, as new, for other bounds of the same parameters: keeps the memory.
  void restart(const std::vector<double>& bounds);

  std::size_t size() const { return values_.size(); }
  // In units, double, of the parameter's shape, contiguous.
  at::Tensor& values(std::size_t parameter) { return values_[parameter]; }
  double unit(std::size_t parameter) const { return units_[parameter]; }
  // Whether anything was added, so that the values mean something: they are not set before.
  bool is_set() const { return set_; }
  void mark_set() { set_ = true; }
  // Zeros where nothing was added yet.
  void settle();

  // values · unit, in double: for tests and comparisons.
  at::Tensor real(std::size_t parameter) const;

 private:
  std::vector<at::Tensor> values_;
  std::vector<double> units_;
  bool set_ = false;
};

}  // namespace sotto::grad
