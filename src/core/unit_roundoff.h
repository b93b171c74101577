// The unit roundoff of doubles, in which bounds on rounding errors are expressed.
#pragma once

namespace sotto {

// u: every operation of doubles is right up to a factor of 1 ± u. One ulp is at most 2 u.
inline constexpr double kUnitRoundoff = 0x1p-53;

}  // namespace sotto
