// Products of matrices by kernels that fit the processor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/cli/program.h"

namespace sotto::cli {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class BlasKernelsOfTheProgramTest : public testing::Test {
 protected:
  // OpenBLAS says on stderr what it chose.
  BlasKernelsOfTheProgramTest() { setenv("OPENBLAS_VERBOSE", "2", 1); }
  ~BlasKernelsOfTheProgramTest() override {
    unsetenv("OPENBLAS_VERBOSE");
    unsetenv("OPENBLAS_CORETYPE");
  }

  // By the program itself; before, the one that starts it has asked what would be chosen.
  static std::string what_was_chosen() {
    const auto said = run_program("predict --help").err;
    const auto last = said.rfind("Core:");
    return last == std::string::npos ? "" : said.substr(last);
  }
};

TEST_F(BlasKernelsOfTheProgramTest, FitTheProcessor) {
  unsetenv("OPENBLAS_CORETYPE");
  const auto chosen = what_was_chosen();
  if (chosen.empty()) GTEST_SKIP() << "another BLAS than OpenBLAS";
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "an old processor";
  EXPECT_THAT(chosen, Not(HasSubstr("Prescott")));
}

TEST_F(BlasKernelsOfTheProgramTest, AreTheUsersIfHeChooses) {
  setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
  EXPECT_THAT(what_was_chosen(), AnyOf(HasSubstr("Nehalem"), IsEmpty()));
}

}  // namespace
}  // namespace sotto::cli
