// Pairs of normals from random bits, for whatever vector unit the machine has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sotto {

// Box and Muller 1958: first(i), second(i) are independent standard normals, from the 64 random
// bits radius(i) and the 64 random bits angle(i). Accurate to a few units of double precision.
// count is a multiple of 16.
void box_muller(const std::uint64_t* radius, const std::uint64_t* angle, double* first,
                double* second, std::size_t count);

}  // namespace sotto
