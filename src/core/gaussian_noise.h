// Gaussian noise of any deviation on real numbers: RoundedNormal, with steps that fit.
#pragma once

#include "sotto/core/random.h"

namespace sotto {

// What noised numbers are multiples of: the power of two of which the deviation is 1024 to 2048.
// REQUIRES: deviation is positive, finite, and above 1e-290.
double rounding_step(double deviation);

// value + N(0, deviation²), rounded to a multiple of rounding_step(deviation): exactly what
// rounding the real number gives. A value that is not finite, or so large that value over deviation
// is not, stays what it is.
double add_gaussian(double value, double deviation, RandomSource& random);

}  // namespace sotto
