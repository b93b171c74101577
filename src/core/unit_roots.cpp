#include "core/unit_roots.h"

#include <cmath>
#include <numbers>

namespace sotto {

namespace {

using Complex = std::complex<double>;

// e^{-iπr/(2N)}, r <= N.
Complex root_in_quadrant(std::size_t r, std::size_t size) {
  const bool beyond_octant = 2 * r > size;
  const double angle = std::numbers::pi * static_cast<double>(beyond_octant ? size - r : r) /
                       static_cast<double>(2 * size);
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  return beyond_octant ? Complex(sine, -cosine) : Complex(cosine, -sine);
}

// Multiplication by -i, `times` times: exact.
Complex turned(Complex value, std::size_t times) {
  switch (times % 4) {
    case 1:
      return {value.imag(), -value.real()};
    case 2:
      return -value;
    case 3:
      return {-value.imag(), value.real()};
    default:
      return value;
  }
}

}  // namespace

std::vector<Complex> unit_roots(std::size_t size) {
  std::vector<Complex> roots(size);
  if (size % 8 != 0) {
    for (std::size_t k = 0; k < size; ++k) {
      roots[k] = turned(root_in_quadrant(4 * k % size, size), 4 * k / size);
    }
    return roots;
  }
  // One octant is computed, the others mirror it.
  const std::size_t quarter = size / 4;
  for (std::size_t k = 0; k <= size / 8; ++k) {
    const Complex root = root_in_quadrant(4 * k, size);
    roots[k] = root;
    roots[quarter - k] = {-root.imag(), -root.real()};
  }
  for (std::size_t k = 0; k < quarter; ++k) {
    for (std::size_t times = 1; times < 4; ++times) {
      roots[k + times * quarter] = turned(roots[k], times);
    }
  }
  return roots;
}

}  // namespace sotto
