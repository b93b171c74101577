// How numbers are laid out along an axis.
#pragma once

namespace sotto::report {

enum class Scale {
  kLinear,
  kLog,  // numbers above 0 only
};

}  // namespace sotto::report
