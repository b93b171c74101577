#include "core/blas_kernels.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

namespace sotto {
namespace {

constexpr const char* kChoice = "OPENBLAS_CORETYPE";

VectorUnits units_of_this_machine() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return {__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), avx512};
#else
  return {};
#endif
}

// "" if there is no OpenBLAS here, or one that does not tell.
std::string chosen_by_openblas() {
  void* library = dlopen(SOTTO_OPENBLAS, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return "";
  using CoreName = const char* (*)();
  const auto core_name = reinterpret_cast<CoreName>(dlsym(library, "openblas_get_corename"));
  std::string name = core_name == nullptr ? "" : core_name();
  dlclose(library);
  return name;
}

}  // namespace

std::optional<std::string> kernels_instead_of(std::string_view chosen, const VectorUnits& units) {
  if (chosen != "Prescott") return std::nullopt;  // what it takes for a processor it does not know
  if (units.avx512) return "SkylakeX";
  if (units.avx2) return "Haswell";
  return std::nullopt;
}

bool choose_blas_kernels() {
  if (std::getenv(kChoice) != nullptr) return false;
  const auto better = kernels_instead_of(chosen_by_openblas(), units_of_this_machine());
  return better && setenv(kChoice, better->c_str(), /*overwrite=*/0) == 0;
}

void restart_with_chosen_blas_kernels(char** argv) {
  if (choose_blas_kernels()) execv("/proc/self/exe", argv);  // if it fails, slowly on
}

}  // namespace sotto
