// Numbers where a scale puts them.
#pragma once

#include <cmath>
#include <limits>

#include "report/scale.h"

namespace sotto::report {

inline bool is_on_scale(Scale scale, double value) {
  return std::isfinite(value) && (scale == Scale::kLinear || value > 0);
}

// Not finite for what is not on the scale.
inline double on_scale(Scale scale, double value) {
  if (!is_on_scale(scale, value)) return std::numeric_limits<double>::quiet_NaN();
  return scale == Scale::kLinear ? value : std::log(value);
}

// The number this share of the way, along the scale, from one to the other.
inline double between(Scale scale, double from, double to, double share) {
  return scale == Scale::kLinear ? std::lerp(from, to, share) : from * std::pow(to / from, share);
}

}  // namespace sotto::report
