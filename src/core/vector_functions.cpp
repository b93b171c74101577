// Compiled with -ffast-math: only then does GCC use libmvec's vectorised logarithm. Nothing in this
// file may meet an infinity or a NaN, or depend on the order of additions.
#include "core/vector_functions.h"

#include <cmath>
#include <numbers>

#include "core/machine_clones.h"

namespace sotto {

namespace {

// 0 for even, 1 for odd whole numbers. Inlined, so that it is compiled for each clone's target.
[[gnu::always_inline]] inline double parity(double n) { return n - 2 * std::floor(0.5 * n); }

}  // namespace

SOTTO_CLONES void vector_radius(const double* __restrict x, double* __restrict out,
                                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = std::sqrt(-2 * std::log(x[i]));
}

// Written out because libmvec's sine and cosine reduce any angle, and take thrice as long. To the
// nearest quarter turn and at most an eighth from there, where the Taylor series to x^15 and x^16
// are exact to double precision.
SOTTO_CLONES void vector_circle(const double* __restrict x, double* __restrict cosine,
                                double* __restrict sine, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double quarter = std::floor(4 * x[i] + 0.5);  // 0 to 4
    const double a = 2 * std::numbers::pi * (x[i] - 0.25 * quarter);
    const double a2 = a * a;
    double s = -1.0 / 1307674368000.0;
    s = s * a2 + 1.0 / 6227020800.0;
    s = s * a2 - 1.0 / 39916800.0;
    s = s * a2 + 1.0 / 362880.0;
    s = s * a2 - 1.0 / 5040.0;
    s = s * a2 + 1.0 / 120.0;
    s = s * a2 - 1.0 / 6.0;
    s = s * a2 * a + a;
    double c = 1.0 / 20922789888000.0;
    c = c * a2 - 1.0 / 87178291200.0;
    c = c * a2 + 1.0 / 479001600.0;
    c = c * a2 - 1.0 / 3628800.0;
    c = c * a2 + 1.0 / 40320.0;
    c = c * a2 - 1.0 / 720.0;
    c = c * a2 + 1.0 / 24.0;
    c = c * a2 - 0.5;
    c = c * a2 + 1.0;
    // By arithmetic, since conditions would keep the loop from being vectorised.
    const double odd = parity(quarter);
    const double along = c + odd * (s - c);
    const double across = s + odd * (c - s);
    cosine[i] = along - 2 * parity(std::floor(0.5 * quarter + 0.5)) * along;  // 1, 2: negative
    sine[i] = across - 2 * parity(std::floor(0.5 * quarter)) * across;        // 2, 3: negative
  }
}

}  // namespace sotto
