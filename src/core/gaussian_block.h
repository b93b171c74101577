// Many Gaussians at once.
#pragma once

#include <span>

#include "sotto/core/random.h"

namespace sotto {

// Fills with independent standard normals (ziggurat, in double precision: 52 bits choose the place
// in a layer). The tail reaches 13 standard deviations: cutting it there changes the distribution
// by less than 2^-120 per number.
void fill_standard_normal(std::span<double> values, RandomSource& random);

}  // namespace sotto
