// Arithmetic of 50 digits, and how far a double is from it.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

namespace sotto {

using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                            boost::multiprecision::et_off>;

// |value - exact| in units of the last place of the double nearest to `exact`.
inline double error_in_ulps(double value, const Exact& exact) {
  const double nearest = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(nearest, HUGE_VAL) - nearest;
  return static_cast<double>(abs(Exact(value) - exact) / ulp);
}

}  // namespace sotto
