// The N-th roots of unity in double precision, with a proven error.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "core/unit_roundoff.h"

namespace sotto {

// |computed - exact| is at most this. Angles are reduced to [0, π/4] in integers; there the angle
// πr/(2N) errs by at most 2.36 u·π/4 (π, one product, one quotient), sine and cosine, both below 1,
// by at most one ulp each, which is at most u: 1.86 u + √2 u = 3.27 u.
// Assumes that the C library's sin and cos are good to one ulp on [0, π/4], as glibc's manual says.
inline constexpr double kUnitRootError = 3.5 * kUnitRoundoff;

// e^{-2πik/N} for k < N.
std::vector<std::complex<double>> unit_roots(std::size_t size);

}  // namespace sotto
