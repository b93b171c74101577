// OpenBLAS chooses its kernels by the processor's model. One that is newer than the library (0.3.21
// of Debian 12 does not know Emerald Rapids, for instance) gets those of 2004, whatever it can do,
// and products take three times as long.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sotto {

struct VectorUnits {
  bool avx2 = false;    // with FMA
  bool avx512 = false;  // F, BW, CD, DQ and VL
};

// What OpenBLAS should be told to use (OPENBLAS_CORETYPE) where it has chosen `chosen`; nothing if
// its choice is fine.
std::optional<std::string> kernels_instead_of(std::string_view chosen, const VectorUnits& units);

// Sets OPENBLAS_CORETYPE, for programs started from now on, if OpenBLAS does not know this
// processor and the variable is not set. True if it did.
bool choose_blas_kernels();

// Call it first in main(): OpenBLAS chooses when a program is loaded, so this restarts the
// program if choose_blas_kernels() finds better ones.
void restart_with_chosen_blas_kernels(char** argv);

}  // namespace sotto
