#include "features/lane_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "features/lane_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sotto::features::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::CappedTag<float, kLanes> kTag;
using Vector = hn::Vec<decltype(kTag)>;
const auto kWidth = static_cast<std::int64_t>(hn::MaxLanes(kTag));

struct ComplexVector {
  Vector re, im;
};

HWY_INLINE Vector number(float x) { return hn::Set(kTag, x); }
HWY_INLINE ComplexVector load(const Planes& from, std::int64_t at) {
  return {hn::LoadU(kTag, from.re + at), hn::LoadU(kTag, from.im + at)};
}
HWY_INLINE void store(const ComplexVector& z, const Planes& to, std::int64_t at) {
  hn::StoreU(z.re, kTag, to.re + at);
  hn::StoreU(z.im, kTag, to.im + at);
}
HWY_INLINE ComplexVector operator+(const ComplexVector& a, const ComplexVector& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
HWY_INLINE ComplexVector operator-(const ComplexVector& a, const ComplexVector& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
// z (re + i im)
HWY_INLINE ComplexVector times(const ComplexVector& z, Vector re, Vector im) {
  return {hn::NegMulAdd(z.im, im, hn::Mul(z.re, re)), hn::MulAdd(z.re, im, hn::Mul(z.im, re))};
}
// z · i · sign
template <int kSign>
HWY_INLINE ComplexVector turned(const ComplexVector& z) {
  if constexpr (kSign > 0) return {hn::Neg(z.im), z.re};
  return {z.im, hn::Neg(z.re)};
}
HWY_INLINE ComplexVector scaled(const ComplexVector& z, float x) {
  return {hn::Mul(z.re, number(x)), hn::Mul(z.im, number(x))};
}

// b_k = Σ_j a_j e^{sign 2πi jk / r}, in place.
template <int kSign, int kRadix>
HWY_INLINE void butterfly(ComplexVector* a) {
  static_assert(kRadix >= 2 && kRadix <= 4);
  if constexpr (kRadix == 2) {
    const auto first = a[0];
    a[0] = first + a[1];
    a[1] = first - a[1];
  } else if constexpr (kRadix == 3) {
    constexpr float kSine = 0.86602540378443864676F;
    const auto sum = a[1] + a[2];
    const auto difference = turned<kSign>(scaled(a[1] - a[2], kSine));
    const auto middle = a[0] - scaled(sum, 0.5F);
    a[0] = a[0] + sum;
    a[1] = middle + difference;
    a[2] = middle - difference;
  } else {
    const auto even = a[0] + a[2];
    const auto even_difference = a[0] - a[2];
    const auto odd = a[1] + a[3];
    const auto odd_difference = turned<kSign>(a[1] - a[3]);
    a[0] = even + odd;
    a[1] = even_difference + odd_difference;
    a[2] = even - odd;
    a[3] = even_difference - odd_difference;
  }
}

template <int kSign, int kRadix>
void pass_of_radix(const FftPass& pass, std::int64_t inner, const Planes& from, const Planes& to) {
  const std::int64_t block = pass.stride * inner;
  for (std::int64_t p = 0; p < pass.groups; ++p) {
    std::array<Vector, kRadix> re, im;
    for (int k = 1; k < kRadix; ++k) {
      const auto at = static_cast<std::size_t>(p * kRadix + k);
      re[k] = number(pass.twiddles_re[at]);
      im[k] = number(kSign < 0 ? pass.twiddles_im[at] : -pass.twiddles_im[at]);
    }
    for (std::int64_t q = 0; q < block; q += kWidth) {
      std::array<ComplexVector, kRadix> a;
      for (int j = 0; j < kRadix; ++j) a[j] = load(from, (p + j * pass.groups) * block + q);
      butterfly<kSign, kRadix>(a.data());
      store(a[0], to, p * kRadix * block + q);
      for (int k = 1; k < kRadix; ++k) {
        store(times(a[k], re[k], im[k]), to, (p * kRadix + k) * block + q);
      }
    }
  }
}

// Of any radix: r² products.
template <int kSign>
void pass_of_any_radix(const FftPass& pass, std::int64_t inner, const Planes& from,
                       const Planes& to) {
  const std::int64_t block = pass.stride * inner;
  const std::int64_t r = pass.radix;
  constexpr float kConjugate = kSign < 0 ? 1 : -1;
  for (std::int64_t p = 0; p < pass.groups; ++p) {
    for (std::int64_t k = 0; k < r; ++k) {
      const auto twiddle = static_cast<std::size_t>(p * r + k);
      for (std::int64_t q = 0; q < block; q += kWidth) {
        auto sum = load(from, p * block + q);
        for (std::int64_t j = 1; j < r; ++j) {
          const auto root = static_cast<std::size_t>(j * r + k);
          sum = sum + times(load(from, (p + j * pass.groups) * block + q),
                            number(pass.roots_re[root]), number(kConjugate * pass.roots_im[root]));
        }
        store(times(sum, number(pass.twiddles_re[twiddle]),
                    number(kConjugate * pass.twiddles_im[twiddle])),
              to, (p * r + k) * block + q);
      }
    }
  }
}

template <int kSign>
void run_pass(const FftPass& pass, std::int64_t inner, const Planes& from, const Planes& to) {
  switch (pass.radix) {
    case 2:
      return pass_of_radix<kSign, 2>(pass, inner, from, to);
    case 3:
      return pass_of_radix<kSign, 3>(pass, inner, from, to);
    case 4:
      return pass_of_radix<kSign, 4>(pass, inner, from, to);
    default:
      return pass_of_any_radix<kSign>(pass, inner, from, to);
  }
}

void run_pass_here(const FftPass& pass, std::int64_t inner, Direction direction, const Planes& from,
                   const Planes& to) {
  if (direction == Direction::kForward) {
    run_pass<-1>(pass, inner, from, to);
  } else {
    run_pass<1>(pass, inner, from, to);
  }
}

void filter_and_fold_here(const Planes& data, const float* HWY_RESTRICT filter, std::int64_t height,
                          std::int64_t width, std::int64_t halvings, const Planes& folded) {
  const std::int64_t low_height = height >> halvings;
  const std::int64_t low_width = width >> halvings;
  const std::int64_t copies = std::int64_t{1} << halvings;
  for (std::int64_t y = 0; y < low_height; ++y) {
    for (std::int64_t x = 0; x < low_width; ++x) {
      for (std::int64_t lane = 0; lane < kLanes; lane += kWidth) {
        ComplexVector sum{hn::Zero(kTag), hn::Zero(kTag)};
        for (std::int64_t down = 0; down < copies; ++down) {
          for (std::int64_t right = 0; right < copies; ++right) {
            const auto at = (y + down * low_height) * width + x + right * low_width;
            const auto z = load(data, at * kLanes + lane);
            const auto weight = number(filter[at]);
            sum = {hn::MulAdd(z.re, weight, sum.re), hn::MulAdd(z.im, weight, sum.im)};
          }
        }
        store(sum, folded, (y * low_width + x) * kLanes + lane);
      }
    }
  }
}

void modulus_here(const Planes& data, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += kWidth) {
    const auto z = load(data, i);
    hn::StoreU(hn::Sqrt(hn::MulAdd(z.re, z.re, hn::Mul(z.im, z.im))), kTag, data.re + i);
  }
}

// to (terms' lines summed): to(i) = Σ_t weights(t) from(t · step + i)
void weighted_sum(const float* HWY_RESTRICT weights, std::int64_t terms,
                  const float* HWY_RESTRICT from, std::int64_t step, std::int64_t count,
                  float* HWY_RESTRICT to) {
  for (std::int64_t i = 0; i < count; i += kWidth) {
    auto sum = hn::Zero(kTag);
    for (std::int64_t t = 0; t < terms; ++t) {
      sum = hn::MulAdd(number(weights[t]), hn::LoadU(kTag, from + t * step + i), sum);
    }
    hn::StoreU(sum, kTag, to + i);
  }
}

void average_here(const Averaging& a, const float* values, float* scratch, float* maps) {
  const std::int64_t line = a.width * kLanes;
  for (std::int64_t top = 0; top < a.map_height; ++top) {
    weighted_sum(a.rows.data() + top * a.height, a.height, values, line, line, scratch);
    for (std::int64_t left = 0; left < a.map_width; ++left) {
      weighted_sum(a.columns.data() + left * a.width, a.width, scratch, kLanes, kLanes,
                   maps + (top * a.map_width + left) * kLanes);
    }
  }
}

}  // namespace
}  // namespace sotto::features::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto::features {
namespace {

HWY_EXPORT(run_pass_here);
HWY_EXPORT(filter_and_fold_here);
HWY_EXPORT(modulus_here);
HWY_EXPORT(average_here);

std::int64_t next_radix(std::int64_t n) {
  for (const std::int64_t radix : {4, 3, 2}) {
    if (n % radix == 0) return radix;
  }
  for (std::int64_t radix = 5; radix * radix <= n; radix += 2) {
    if (n % radix == 0) return radix;
  }
  return n;
}

void add_root(std::int64_t k, std::int64_t n, std::vector<float>& re, std::vector<float>& im) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  re.push_back(static_cast<float>(std::cos(angle)));
  im.push_back(static_cast<float>(std::sin(angle)));
}

FftPass pass_of(std::int64_t radix, std::int64_t groups, std::int64_t stride) {
  FftPass pass{radix, groups, stride, {}, {}, {}, {}};
  for (std::int64_t p = 0; p < groups; ++p) {
    for (std::int64_t k = 0; k < radix; ++k) {
      add_root(p * k, radix * groups, pass.twiddles_re, pass.twiddles_im);
    }
  }
  for (std::int64_t j = 0; j < radix; ++j) {
    for (std::int64_t k = 0; k < radix; ++k) add_root(j * k, radix, pass.roots_re, pass.roots_im);
  }
  return pass;
}

}  // namespace

std::vector<FftPass> fft_passes(std::int64_t n) {
  std::vector<FftPass> passes;
  std::int64_t stride = 1;
  for (std::int64_t left = n; left > 1;) {
    const auto radix = next_radix(left);
    left /= radix;
    passes.push_back(pass_of(radix, left, stride));
    stride *= radix;
  }
  return passes;
}

void fft(const std::vector<FftPass>& passes, std::int64_t outer, std::int64_t inner,
         Direction direction, Planes& data, Planes& spare) {
  for (const auto& pass : passes) {
    const std::int64_t size = pass.radix * pass.groups * pass.stride * inner;
    for (std::int64_t i = 0; i < outer; ++i) {
      const std::int64_t begin = i * size;
      HWY_DYNAMIC_DISPATCH(run_pass_here)
      (pass, inner, direction, {data.re + begin, data.im + begin},
       {spare.re + begin, spare.im + begin});
    }
    std::swap(data, spare);
  }
}

void filter_and_fold(const Planes& data, const std::vector<float>& filter, std::int64_t height,
                     std::int64_t width, std::int64_t halvings, const Planes& folded) {
  HWY_DYNAMIC_DISPATCH(filter_and_fold_here)
  (data, filter.data(), height, width, halvings, folded);
}

void modulus(const Planes& data, std::int64_t count) {
  HWY_DYNAMIC_DISPATCH(modulus_here)(data, count);
}

void average(const Averaging& averaging, const float* values, float* scratch, float* maps) {
  HWY_DYNAMIC_DISPATCH(average_here)(averaging, values, scratch, maps);
}

}  // namespace sotto::features
#endif  // HWY_ONCE
