#include "fused/vector_kernels.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fused/vector_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sotto::fused::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kLanes;
using Vector = hn::Vec<decltype(kLanes)>;
const auto kWidth = static_cast<std::int64_t>(hn::MaxLanes(kLanes));

// In double: a float's square may vanish or overflow, and a norm that is too small breaks a
// promise.
double sum_of_squares_here(const float* x, std::int64_t count) {
  const hn::ScalableTag<double> real;
  const hn::Rebind<float, decltype(real)> half;
  const auto width = static_cast<std::int64_t>(hn::Lanes(real));
  auto even = hn::Zero(real);
  auto odd = hn::Zero(real);
  std::int64_t i = 0;
  for (; i + 2 * width <= count; i += 2 * width) {
    const auto first = hn::PromoteTo(real, hn::LoadU(half, x + i));
    const auto second = hn::PromoteTo(real, hn::LoadU(half, x + i + width));
    even = hn::MulAdd(first, first, even);
    odd = hn::MulAdd(second, second, odd);
  }
  double total = hn::GetLane(hn::SumOfLanes(real, hn::Add(even, odd)));
  for (; i < count; ++i) total += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return total;
}

void add_scaled_here(const float* HWY_RESTRICT x, std::int64_t count, float factor,
                     float* HWY_RESTRICT y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] += factor * x[i];
}

void add_cut_off_here(const float* HWY_RESTRICT x, std::int64_t count, float factor,
                      std::int32_t* HWY_RESTRICT y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] += static_cast<std::int32_t>(factor * x[i]);
}

void add_rows_here(const float* HWY_RESTRICT x, std::int64_t rows, std::int64_t columns,
                   float* HWY_RESTRICT sum) {
  for (std::int64_t r = 0; r < rows; ++r, x += columns) {
    for (std::int64_t j = 0; j < columns; ++j) sum[j] += x[j];
  }
}

// to(i) = f(a(i), b(i)) for all i; the last few in a vector that is partly empty.
template <typename Function>
HWY_INLINE void each(const float* a, const float* b, std::int64_t count, float* to,
                     const Function& f) {
  std::int64_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    hn::StoreU(f(hn::LoadU(kLanes, a + i), hn::LoadU(kLanes, b + i)), kLanes, to + i);
  }
  if (i == count) return;
  HWY_ALIGN float x[hn::MaxLanes(kLanes)] = {};
  HWY_ALIGN float y[hn::MaxLanes(kLanes)] = {};
  std::copy(a + i, a + count, x);
  std::copy(b + i, b + count, y);
  hn::Store(f(hn::Load(kLanes, x), hn::Load(kLanes, y)), kLanes, x);
  std::copy(x, x + (count - i), to + i);
}

HWY_INLINE Vector number(float x) { return hn::Set(kLanes, x); }

// 1 / (1 + e^-x), without overflow: e^-|x| is at most 1.
HWY_INLINE Vector sigmoid(Vector x) {
  const Vector e = hn::Exp(kLanes, hn::Neg(hn::Abs(x)));
  const Vector top = hn::IfThenElse(hn::Lt(x, hn::Zero(kLanes)), e, number(1));
  return hn::Div(top, hn::Add(number(1), e));
}

HWY_INLINE Vector tanh(Vector x) {
  // Near 0 the exponentials cancel: there the series x - x³/3 + 2x⁵/15 - 17x⁷/315.
  const Vector x2 = hn::Mul(x, x);
  Vector series = number(-17.0F / 315);
  series = hn::MulAdd(series, x2, number(2.0F / 15));
  series = hn::MulAdd(series, x2, number(-1.0F / 3));
  series = hn::MulAdd(hn::Mul(series, x2), x, x);
  const Vector far = hn::Sub(hn::Mul(number(2), sigmoid(hn::Add(x, x))), number(1));
  return hn::IfThenElse(hn::Lt(hn::Abs(x), number(0.2F)), series, far);
}

// The error function to 1.5e-7: Abramowitz and Stegun 7.1.26.
HWY_INLINE Vector error_function(Vector x) {
  const Vector a = hn::Abs(x);
  const Vector t = hn::Div(number(1), hn::MulAdd(number(0.3275911F), a, number(1)));
  Vector p = number(1.061405429F);
  p = hn::MulAdd(p, t, number(-1.453152027F));
  p = hn::MulAdd(p, t, number(1.421413741F));
  p = hn::MulAdd(p, t, number(-0.284496736F));
  p = hn::MulAdd(p, t, number(0.254829592F));
  const Vector tail = hn::Mul(hn::Mul(p, t), hn::Exp(kLanes, hn::Neg(hn::Mul(a, a))));
  return hn::CopySign(hn::Sub(number(1), tail), x);
}

constexpr float kSeluScale = 1.0507009873554804934193349852946F;
constexpr float kSeluAlpha = 1.6732632423543772848170429916717F;
constexpr float kSqrtHalf = 0.70710678118654752440F;
constexpr float kInverseSqrtTwoPi = 0.39894228040143267794F;
constexpr float kSqrtTwoOverPi = 0.79788456080286535588F;
constexpr float kGeluCubic = 0.044715F;

HWY_INLINE Vector normal_distribution(Vector x) {
  return hn::MulAdd(number(0.5F), error_function(hn::Mul(x, number(kSqrtHalf))), number(0.5F));
}

HWY_INLINE Vector gelu_slope(Vector x) {
  const Vector density =
      hn::Mul(number(kInverseSqrtTwoPi), hn::Exp(kLanes, hn::Mul(number(-0.5F), hn::Mul(x, x))));
  return hn::MulAdd(x, density, normal_distribution(x));
}

HWY_INLINE Vector gelu_inner_tanh(Vector x) {
  const Vector cubic = hn::MulAdd(hn::Mul(number(kGeluCubic), hn::Mul(x, x)), x, x);
  return tanh(hn::Mul(number(kSqrtTwoOverPi), cubic));
}

HWY_INLINE Vector gelu_tanh_slope(Vector x) {
  const Vector t = gelu_inner_tanh(x);
  const Vector inner =
      hn::Mul(number(kSqrtTwoOverPi), hn::MulAdd(number(3 * kGeluCubic), hn::Mul(x, x), number(1)));
  const Vector half = hn::Mul(number(0.5F), x);
  const Vector rise = hn::Mul(hn::Mul(half, hn::NegMulAdd(t, t, number(1))), inner);
  return hn::Add(hn::Mul(number(0.5F), hn::Add(number(1), t)), rise);
}

HWY_INLINE Vector selu(Vector x) {
  const Vector below =
      hn::Mul(number(kSeluScale * kSeluAlpha), hn::Expm1(kLanes, hn::Min(x, hn::Zero(kLanes))));
  return hn::IfThenElse(hn::Gt(x, hn::Zero(kLanes)), hn::Mul(number(kSeluScale), x), below);
}

void activate_here(const Activation& f, const float* x, std::int64_t count, float* y) {
  const Vector zero = hn::Zero(kLanes);
  switch (f.kind) {
    case ActivationKind::kRelu:  // not a number stays so
      return each(x, x, count, y,
                  [&](Vector v, Vector) { return hn::IfThenElse(hn::Lt(v, zero), zero, v); });
    case ActivationKind::kLeakyRelu:
      return each(x, x, count, y, [&](Vector v, Vector) {
        return hn::IfThenElse(hn::Lt(v, zero), hn::Mul(number(f.slope), v), v);
      });
    case ActivationKind::kTanh:
      return each(x, x, count, y, [](Vector v, Vector) { return tanh(v); });
    case ActivationKind::kTemperedSigmoid:
      return each(x, x, count, y, [&](Vector v, Vector) {
        return hn::MulSub(number(f.scale), sigmoid(hn::Mul(number(f.temperature), v)),
                          number(f.offset));
      });
    case ActivationKind::kSelu:
      return each(x, x, count, y, [](Vector v, Vector) { return selu(v); });
    case ActivationKind::kGelu:
      return each(x, x, count, y,
                  [](Vector v, Vector) { return hn::Mul(v, normal_distribution(v)); });
    case ActivationKind::kGeluTanh:
      return each(x, x, count, y, [](Vector v, Vector) {
        return hn::Mul(hn::Mul(number(0.5F), v), hn::Add(number(1), gelu_inner_tanh(v)));
      });
  }
}

void activate_backward_here(const Activation& f, const float* saved, const float* dy,
                            std::int64_t count, float* dx) {
  const Vector zero = hn::Zero(kLanes);
  switch (f.kind) {
    case ActivationKind::kRelu:
      return each(saved, dy, count, dx,
                  [&](Vector y, Vector g) { return hn::IfThenElseZero(hn::Gt(y, zero), g); });
    case ActivationKind::kLeakyRelu:
      return each(saved, dy, count, dx, [&](Vector y, Vector g) {
        return hn::IfThenElse(hn::Gt(y, zero), g, hn::Mul(number(f.slope), g));
      });
    case ActivationKind::kTanh:
      return each(saved, dy, count, dx,
                  [](Vector y, Vector g) { return hn::Mul(g, hn::NegMulAdd(y, y, number(1))); });
    case ActivationKind::kTemperedSigmoid:
      return each(saved, dy, count, dx, [&](Vector y, Vector g) {
        const Vector s = hn::Mul(hn::Add(y, number(f.offset)), number(1 / f.scale));
        const Vector slope =
            hn::Mul(hn::Mul(s, hn::Sub(number(1), s)), number(f.scale * f.temperature));
        return hn::Mul(g, slope);
      });
    case ActivationKind::kSelu:
      return each(saved, dy, count, dx, [&](Vector y, Vector g) {
        const Vector below = hn::Add(y, number(kSeluScale * kSeluAlpha));
        return hn::Mul(g, hn::IfThenElse(hn::Gt(y, zero), number(kSeluScale), below));
      });
    case ActivationKind::kGelu:
      return each(saved, dy, count, dx,
                  [](Vector x, Vector g) { return hn::Mul(g, gelu_slope(x)); });
    case ActivationKind::kGeluTanh:
      return each(saved, dy, count, dx,
                  [](Vector x, Vector g) { return hn::Mul(g, gelu_tanh_slope(x)); });
  }
}

}  // namespace
}  // namespace sotto::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto::fused {

HWY_EXPORT(sum_of_squares_here);
HWY_EXPORT(add_scaled_here);
HWY_EXPORT(add_cut_off_here);
HWY_EXPORT(add_rows_here);
HWY_EXPORT(activate_here);
HWY_EXPORT(activate_backward_here);

double sum_of_squares(const float* x, std::int64_t count) {
  return HWY_DYNAMIC_DISPATCH(sum_of_squares_here)(x, count);
}

void add_scaled(const float* x, std::int64_t count, float factor, float* y) {
  HWY_DYNAMIC_DISPATCH(add_scaled_here)(x, count, factor, y);
}

void add_cut_off(const float* x, std::int64_t count, float factor, std::int32_t* y) {
  HWY_DYNAMIC_DISPATCH(add_cut_off_here)(x, count, factor, y);
}

void add_rows(const float* x, std::int64_t rows, std::int64_t columns, float* sum) {
  HWY_DYNAMIC_DISPATCH(add_rows_here)(x, rows, columns, sum);
}

void activate(const Activation& f, const float* x, std::int64_t count, float* y) {
  HWY_DYNAMIC_DISPATCH(activate_here)(f, x, count, y);
}

void activate_backward(const Activation& f, const float* saved, const float* dy, std::int64_t count,
                       float* dx) {
  HWY_DYNAMIC_DISPATCH(activate_backward_here)(f, saved, dy, count, dx);
}

}  // namespace sotto::fused
#endif
