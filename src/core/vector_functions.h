// Elementary functions of whole arrays, as fast as the machine's vector unit.
#pragma once

#include <cstddef>

namespace sotto {

// out[i] = sqrt(-2 ln x[i]) for x[i] in (0, 1], within 4 units in the last place. The arrays must
// not overlap.
void vector_radius(const double* x, double* out, std::size_t count);

// The points of the unit circle at x[i] turns, x[i] in [0, 1]: cos(2π x) and sin(2π x), within
// 4e-16. The arrays must not overlap.
void vector_circle(const double* x, double* cosine, double* sine, std::size_t count);

}  // namespace sotto
