// Cooley and Tukey's algorithm, decimation in time, depth first so that small transforms stay in
// the cache. Written for its error bound: every factor is a root of unity of known error, and every
// butterfly a fixed sequence of operations. This file is compiled with -fcx-limited-range: complex
// products are (ac - bd) + i(ad + bc).
#include "core/complex_fft.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/unit_roots.h"
#include "sotto/core/error.h"

namespace sotto {

namespace {

using Complex = std::complex<double>;

// radix transforms of size `rest` become one of size radix·rest.
struct Stage {
  std::size_t radix;
  std::size_t rest;
  std::vector<Complex> twiddles;  // w^{jk} for k < rest, and for each k j = 1 ... radix-1
};

std::vector<std::size_t> radices_of(std::size_t size) {
  check_argument(size > 0, "transform size must be 2^a 3^b 5^c, got 0");
  std::vector<std::size_t> radices;
  std::size_t left = size;
  for (const std::size_t radix : {4U, 2U, 3U, 5U}) {
    for (; left % radix == 0; left /= radix) radices.push_back(radix);
  }
  check_argument(left == 1, "transform size must be 2^a 3^b 5^c, got ", size);
  return radices;
}

std::vector<Stage> stages_of(std::size_t size) {
  const std::vector<std::size_t> radices = radices_of(size);
  const std::vector<Complex> roots = unit_roots(size);
  std::vector<Stage> stages;
  std::size_t stride = 1;
  for (const std::size_t radix : radices) {
    Stage stage{radix, size / stride / radix, {}};
    stage.twiddles.reserve(stage.rest * (radix - 1));
    for (std::size_t k = 0; k < stage.rest; ++k) {
      for (std::size_t j = 1; j < radix; ++j) stage.twiddles.push_back(roots[j * k * stride]);
    }
    stages.push_back(std::move(stage));
    stride *= radix;
  }
  return stages;
}

Complex times_minus_i(Complex value) { return {value.imag(), -value.real()}; }

void butterfly2(Complex* out, std::size_t rest, const Complex* twiddle) {
  for (std::size_t k = 0; k < rest; ++k, ++out, ++twiddle) {
    const Complex b = out[rest] * twiddle[0];
    const Complex a = out[0];
    out[0] = a + b;
    out[rest] = a - b;
  }
}

void butterfly3(Complex* out, std::size_t rest, const Complex* twiddle) {
  constexpr double kSine = 0.86602540378443864676;  // of 2π/3
  for (std::size_t k = 0; k < rest; ++k, ++out, twiddle += 2) {
    const Complex b = out[rest] * twiddle[0];
    const Complex c = out[2 * rest] * twiddle[1];
    const Complex sum = b + c;
    const Complex difference = times_minus_i(kSine * (b - c));
    const Complex middle = out[0] - 0.5 * sum;
    out[0] += sum;
    out[rest] = middle + difference;
    out[2 * rest] = middle - difference;
  }
}

void butterfly4(Complex* out, std::size_t rest, const Complex* twiddle) {
  for (std::size_t k = 0; k < rest; ++k, ++out, twiddle += 3) {
    const Complex b = out[rest] * twiddle[0];
    const Complex c = out[2 * rest] * twiddle[1];
    const Complex d = out[3 * rest] * twiddle[2];
    const Complex even = out[0] + c;
    const Complex odd = out[0] - c;
    const Complex sum = b + d;
    const Complex difference = times_minus_i(b - d);
    out[0] = even + sum;
    out[rest] = odd + difference;
    out[2 * rest] = even - sum;
    out[3 * rest] = odd - difference;
  }
}

void butterfly5(Complex* out, std::size_t rest, const Complex* twiddle) {
  constexpr double kCosine1 = 0.30901699437494742410;  // of 2π/5, 4π/5
  constexpr double kCosine2 = -0.80901699437494742410;
  constexpr double kSine1 = 0.95105651629515357212;
  constexpr double kSine2 = 0.58778525229247312917;
  for (std::size_t k = 0; k < rest; ++k, ++out, twiddle += 4) {
    const Complex a = out[0];
    const Complex b = out[rest] * twiddle[0];
    const Complex c = out[2 * rest] * twiddle[1];
    const Complex d = out[3 * rest] * twiddle[2];
    const Complex e = out[4 * rest] * twiddle[3];
    const Complex outer = b + e;
    const Complex inner = c + d;
    const Complex outer_gap = b - e;
    const Complex inner_gap = c - d;
    const Complex first = a + (kCosine1 * outer + kCosine2 * inner);
    const Complex second = a + (kCosine2 * outer + kCosine1 * inner);
    const Complex first_turn = times_minus_i(kSine1 * outer_gap + kSine2 * inner_gap);
    const Complex second_turn = times_minus_i(kSine2 * outer_gap - kSine1 * inner_gap);
    out[0] = (a + outer) + inner;
    out[rest] = first + first_turn;
    out[2 * rest] = second + second_turn;
    out[3 * rest] = second - second_turn;
    out[4 * rest] = first - first_turn;
  }
}

// How many roundings of relative size u a stage adds to what passes through it, apart from its
// product with a twiddle factor: the largest sum, over outputs and inputs, of the coefficients'
// moduli times the roundings on the way. E.g. 3: the sum (1/2), middle (1/2) and output (1/2), and
// √3/2 times difference, constant, product and output: 1.5 + 4·0.867 = 4.97.
int additions_of(std::size_t radix) {
  switch (radix) {
    case 2:
      return 1;
    case 3:
      return 5;
    case 4:
      return 2;
    default:
      return 8;  // 6·0.8091 + 5·0.5878 = 7.8 for the output with the cosine of 4π/5
  }
}

}  // namespace

struct ComplexFft::Plan {
  explicit Plan(std::size_t size) : stages(stages_of(size)) {}

  void run(const Complex* in, Complex* out, std::size_t stage, std::size_t stride) const {
    if (stage == stages.size()) {
      *out = *in;
      return;
    }
    const Stage& here = stages[stage];
    for (std::size_t j = 0; j < here.radix; ++j) {
      if (here.rest == 1) {
        out[j] = in[j * stride];
      } else {
        run(in + j * stride, out + j * here.rest, stage + 1, stride * here.radix);
      }
    }
    combine(here, out);
  }

  static void combine(const Stage& stage, Complex* out) {
    switch (stage.radix) {
      case 2:
        return butterfly2(out, stage.rest, stage.twiddles.data());
      case 3:
        return butterfly3(out, stage.rest, stage.twiddles.data());
      case 4:
        return butterfly4(out, stage.rest, stage.twiddles.data());
      default:
        return butterfly5(out, stage.rest, stage.twiddles.data());
    }
  }

  std::vector<Stage> stages;
};

std::size_t fast_transform_size(std::size_t n) {
  std::size_t best = 1;
  while (best < n) best *= 2;
  for (std::size_t fives = 1; fives < best; fives *= 5) {
    for (std::size_t threes = fives; threes < best; threes *= 3) {
      std::size_t candidate = threes;
      while (candidate < n) candidate *= 2;
      best = std::min(best, candidate);
    }
  }
  return best;
}

ComplexFft::ComplexFft(std::size_t size) : plan_(std::make_unique<Plan>(size)), scratch_(size) {}
ComplexFft::~ComplexFft() = default;
ComplexFft::ComplexFft(ComplexFft&&) noexcept = default;
ComplexFft& ComplexFft::operator=(ComplexFft&&) noexcept = default;

void ComplexFft::forward(std::span<Complex> data) {
  assert(data.size() == size());
  std::copy(data.begin(), data.end(), scratch_.begin());
  plan_->run(scratch_.data(), data.data(), 0, 1);
}

void ComplexFft::inverse(std::span<Complex> data) {
  // x = conj(F(conj X))/N, so that one set of twiddle factors serves both directions.
  assert(data.size() == size());
  std::transform(data.begin(), data.end(), scratch_.begin(),
                 [](const Complex& value) { return std::conj(value); });
  plan_->run(scratch_.data(), data.data(), 0, 1);
  const double scale = 1 / static_cast<double>(size());
  for (auto& value : data) value = std::conj(value) * scale;
}

// By induction over stages: if each value errs by at most g Σ|x_n|, n over the inputs it depends
// on, the values of the next stage err by at most g' Σ|x_n|, where 1 + g' = (1 + g) times the
// factors of a twiddle's error, a complex product (√5 u: Brent, Percival, Zimmermann 2007; with
// fused operations 2 u: Jeannerod et al. 2017) and the additions.
double ComplexFft::error_bound() const {
  double log_factor = 2 * kUnitRoundoff;  // the inverse's 1/N and its product
  for (const auto& stage : plan_->stages) {
    log_factor +=
        kUnitRootError + std::sqrt(5.0) * kUnitRoundoff + additions_of(stage.radix) * kUnitRoundoff;
  }
  constexpr double kRoundUp = 1 + 1e-12;  // of this very sum, and of e^x - 1 <= x (1 + x)
  return kRoundUp * log_factor * (1 + log_factor);
}

}  // namespace sotto
