// Simple loops over many numbers, for whatever vector unit the machine has.
#pragma once

#include <cstdint>

namespace sotto::fused {

// In double precision.
double sum_of_squares(const float* x, std::int64_t count);

// y += factor · x
void add_scaled(const float* x, std::int64_t count, float factor, float* y);

// y += factor · x, cut off to whole numbers, each below 2^31 in magnitude.
void add_cut_off(const float* x, std::int64_t count, float factor, std::int32_t* y);

// sum(j) += Σ_r x(r, j); x is (rows, columns).
void add_rows(const float* x, std::int64_t rows, std::int64_t columns, float* sum);

enum class ActivationKind : std::uint8_t {
  kRelu,
  kLeakyRelu,  // slope
  kTanh,
  kTemperedSigmoid,  // scale · sigmoid(temperature · x) - offset
  kSelu,
  kGelu,      // x Φ(x)
  kGeluTanh,  // its approximation by tanh
};

struct Activation {
  ActivationKind kind = ActivationKind::kRelu;
  float slope = 0;
  float scale = 1;
  float temperature = 1;
  float offset = 0;

  // The derivative follows from the output alone, so that the input may be overwritten.
  bool invertible() const {
    return kind != ActivationKind::kGelu && kind != ActivationKind::kGeluTanh;
  }
};

// y = f(x); x and y may be the same.
void activate(const Activation& f, const float* x, std::int64_t count, float* y);

// dx = dy · f'; `saved` is the output if f is invertible, else the input. dx and dy may be the
// same.
void activate_backward(const Activation& f, const float* saved, const float* dy, std::int64_t count,
                       float* dx);

}  // namespace sotto::fused
