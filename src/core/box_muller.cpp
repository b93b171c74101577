#include "core/box_muller.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/box_muller.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Logarithm, sine and cosine are written out: libmvec's and Highway's take any argument, and twice
// as long.
HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<double> kReal;
const hn::ScalableTag<std::uint64_t> kBits;
using Real = hn::Vec<decltype(kReal)>;
using Bits = hn::Vec<decltype(kBits)>;

HWY_INLINE Real real(double x) { return hn::Set(kReal, x); }
HWY_INLINE Bits bits(std::uint64_t x) { return hn::Set(kBits, x); }
HWY_INLINE Real as_real(Bits x) { return hn::BitCast(kReal, x); }
HWY_INLINE Bits as_bits(Real x) { return hn::BitCast(kBits, x); }

// A number below 2^52: the low bits of 2^52 + n are n.
HWY_INLINE Real small_number(Bits n) {
  return hn::Sub(as_real(hn::Or(n, bits(0x4330000000000000U))), real(0x1p52));
}

// bits + 1 as a multiple of 2^-64, in (0, 1].
HWY_INLINE Real unit_interval(Bits x) {
  const Real high = small_number(hn::ShiftRight<32>(x));
  const Real low = small_number(hn::And(x, bits(0xffffffffU)));
  return hn::MulAdd(high, real(0x1p-32), hn::Mul(hn::Add(low, real(1)), real(0x1p-64)));
}

// c(0) + x c(1) + x² c(2) + ...
template <std::size_t kCount>
HWY_INLINE Real polynomial(Real x, const double (&c)[kCount]) {
  Real sum = real(c[kCount - 1]);
  for (std::size_t i = kCount - 1; i-- > 0;) sum = hn::MulAdd(sum, x, real(c[i]));
  return sum;
}

// For x in (0, 1]: x = m 2^e with m between √½ and √2; ln m = 2 artanh t, t = (m - 1) / (m + 1),
// |t| < 0.172, where the series to t^21 is exact to double precision.
HWY_INLINE Real logarithm(Real x) {
  constexpr double kSeries[] = {2.0,      2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9, 2.0 / 11,
                                2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
  // Adding 1 - √½ to the mantissa carries into the exponent where the mantissa is above √2.
  const Bits shifted = hn::Add(as_bits(x), bits(0x3ff0000000000000U - 0x3fe6a09e667f3bcdU));
  const Real e = hn::Sub(small_number(hn::ShiftRight<52>(shifted)), real(1023));
  const Bits mantissa = hn::And(shifted, bits(0x000fffffffffffffU));
  const Real m = as_real(hn::Add(mantissa, bits(0x3fe6a09e667f3bcdU)));
  const Real t = hn::Div(hn::Sub(m, real(1)), hn::Add(m, real(1)));
  const Real series = hn::Mul(t, polynomial(hn::Mul(t, t), kSeries));
  return hn::MulAdd(e, real(0.693147180559945309417), series);
}

// Sine and cosine of an angle of at most an eighth turn.
HWY_INLINE Real sine(Real a, Real a2) {
  constexpr double kSeries[] = {
      1.0,          -1.0 / 6,        1.0 / 120,          -1.0 / 5040,
      1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0};
  return hn::Mul(a, polynomial(a2, kSeries));
}

HWY_INLINE Real cosine(Real a2) {
  constexpr double kSeries[] = {1.0,
                                -1.0 / 2,
                                1.0 / 24,
                                -1.0 / 720,
                                1.0 / 40320,
                                -1.0 / 3628800,
                                1.0 / 479001600.0,
                                -1.0 / 87178291200.0,
                                1.0 / 20922789888000.0};
  return polynomial(a2, kSeries);
}

void box_muller_here(const std::uint64_t* HWY_RESTRICT radius,
                     const std::uint64_t* HWY_RESTRICT angle, double* HWY_RESTRICT first,
                     double* HWY_RESTRICT second, std::size_t count) {
  constexpr std::uint64_t kSign = 0x8000000000000000U;
  for (std::size_t i = 0; i < count; i += hn::Lanes(kReal)) {
    const Real u = unit_interval(hn::LoadU(kBits, radius + i));
    const Real r = hn::Sqrt(hn::Mul(real(-2), logarithm(u)));
    // Two bits choose the quarter turn, 52 the angle from its middle.
    const Bits random = hn::LoadU(kBits, angle + i);
    const Bits fraction = hn::And(random, bits(0x000fffffffffffffU));
    const Real from_middle =
        hn::Sub(as_real(hn::Or(fraction, bits(0x3ff0000000000000U))), real(1.5));
    const Real a = hn::Mul(from_middle, real(1.57079632679489661923));
    const Real a2 = hn::Mul(a, a);
    const Real c = cosine(a2);
    const Real s = sine(a, a2);
    // Quarters 0 to 3 of (c, s): (c, s), (-s, c), (-c, -s), (s, -c).
    const Bits odd = hn::ShiftLeft<1>(random);
    const auto swap = hn::Ne(hn::And(odd, bits(kSign)), hn::Zero(kBits));
    const auto swap_real = hn::RebindMask(kReal, swap);
    const Bits minus_first = hn::And(hn::Xor(random, odd), bits(kSign));
    const Bits minus_second = hn::And(random, bits(kSign));
    const Real along = hn::IfThenElse(swap_real, s, c);
    const Real across = hn::IfThenElse(swap_real, c, s);
    hn::StoreU(hn::Mul(r, hn::Xor(along, as_real(minus_first))), kReal, first + i);
    hn::StoreU(hn::Mul(r, hn::Xor(across, as_real(minus_second))), kReal, second + i);
  }
}

}  // namespace
}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {

HWY_EXPORT(box_muller_here);

void box_muller(const std::uint64_t* radius, const std::uint64_t* angle, double* first,
                double* second, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(box_muller_here)(radius, angle, first, second, count);
}

}  // namespace sotto
#endif
