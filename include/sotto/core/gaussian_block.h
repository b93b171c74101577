// Many Gaussians at once.
#pragma once

#include <span>

#include "sotto/core/random.h"

namespace sotto {

// Fills with independent standard normals (Box and Muller's method in double precision,
// vectorised). The radius comes from 64 random bits, so that the tail reaches 9.4 standard
// deviations: cutting it there changes the distribution by 2^-64 a pair.
void fill_standard_normal(std::span<double> values, RandomSource& random);

}  // namespace sotto
