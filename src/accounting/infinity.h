#pragma once

#include <limits>

namespace sotto::accounting {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace sotto::accounting
