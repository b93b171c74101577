#include "core/blas_kernels.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace sotto {
namespace {

constexpr VectorUnits kOld{};
constexpr VectorUnits kWithAvx2{.avx2 = true};
constexpr VectorUnits kWithAvx512{.avx2 = true, .avx512 = true};

TEST(BlasKernelsTest, OnlyWhatIsTakenForAnUnknownProcessorIsReplaced) {
  for (const auto* known : {"Haswell", "Zen", "SkylakeX", "Cooperlake", "neoversen1", ""}) {
    for (const auto& units : {kOld, kWithAvx2, kWithAvx512}) {
      EXPECT_EQ(kernels_instead_of(known, units), std::nullopt) << known;
    }
  }
}

TEST(BlasKernelsTest, ByWhatTheProcessorCanDo) {
  EXPECT_EQ(kernels_instead_of("Prescott", kOld), std::nullopt);
  EXPECT_EQ(kernels_instead_of("Prescott", kWithAvx2), "Haswell");
  EXPECT_EQ(kernels_instead_of("Prescott", kWithAvx512), "SkylakeX");
}

TEST(BlasKernelsTest, TheUsersChoiceStands) {
  const std::string variable = "OPENBLAS_CORETYPE";
  const char* before = std::getenv(variable.c_str());
  const std::string kept = before == nullptr ? "" : before;
  setenv(variable.c_str(), "Nehalem", 1);
  EXPECT_FALSE(choose_blas_kernels());
  EXPECT_STREQ(std::getenv(variable.c_str()), "Nehalem");
  if (before == nullptr) {
    unsetenv(variable.c_str());
  } else {
    setenv(variable.c_str(), kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace sotto
