// Numbers are rounded to float: what is scaled to a bound stays a little below it.
#pragma once

namespace sotto::lipschitz {

inline constexpr double kBelow = 1 - 1e-5;

}  // namespace sotto::lipschitz
