// Norms of sums of outer products, by either kernel, against plain loops in double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "fused/gram_kernel.h"
#include "fused/matrix_kernels.h"
#include "tests/fused/vector_units.h"

namespace sotto::fused {
namespace {

// Σ_t left(t) ⊗ right(t) for a number of terms and sizes, of arbitrary numbers.
struct Terms {
  Terms(std::int64_t the_terms, std::int64_t the_inputs, std::int64_t the_outputs)
      : terms(the_terms), inputs(the_inputs), outputs(the_outputs) {
    for (std::int64_t i = 0; i < terms * inputs; ++i) left.push_back(number(i, 1));
    for (std::int64_t i = 0; i < terms * outputs; ++i) right.push_back(number(i, 2));
  }

  static float number(std::int64_t i, int seed) {
    return static_cast<float>(std::sin(static_cast<double>(i * (seed + 3)) + seed));
  }

  double square() const {
    double total = 0;
    for (std::int64_t i = 0; i < inputs; ++i) {
      for (std::int64_t j = 0; j < outputs; ++j) {
        double entry = 0;
        for (std::int64_t t = 0; t < terms; ++t) entry += product(t, i, j);
        total += entry * entry;
      }
    }
    return total;
  }

  double size() const {
    double total = 0;
    for (std::int64_t t = 0; t < terms; ++t) {
      double squares = 0;
      for (std::int64_t i = 0; i < inputs; ++i) {
        for (std::int64_t j = 0; j < outputs; ++j) squares += std::pow(product(t, i, j), 2);
      }
      total += std::sqrt(squares);
    }
    return total;
  }

  double product(std::int64_t t, std::int64_t i, std::int64_t j) const {
    return static_cast<double>(left[static_cast<std::size_t>(t * inputs + i)]) *
           static_cast<double>(right[static_cast<std::size_t>(t * outputs + j)]);
  }

  NormOfTerms by_gram() const {
    return norm_of_terms(left.data(), inputs, right.data(), outputs, terms);
  }

  double by_tiles() const {
    std::vector<std::int32_t> row;
    for (std::int64_t t = 0; t < terms; ++t) row.push_back(static_cast<std::int32_t>(t * inputs));
    std::vector<float> panel(static_cast<std::size_t>(terms * kPanel));
    return outer_sum_of_squares({left.data(), row.data(), right.data(), outputs, terms}, inputs,
                                outputs, panel.data());
  }

  std::int64_t terms;
  std::int64_t inputs;
  std::int64_t outputs;
  std::vector<float> left;   // (terms, inputs): of no more room than that
  std::vector<float> right;  // (terms, outputs)
};

TEST(NormKernelsTest, AgreeWithPlainLoopsOnEveryVectorUnit) {
  on_every_vector_unit([](const std::string& unit) {
    SCOPED_TRACE(unit);
    for (const std::int64_t terms : {0, 1, 2, 3, 4, 5, 6, 7, 33}) {
      for (const std::int64_t inputs : {1, 3, 8, 13}) {
        for (const std::int64_t outputs : {1, 4, 16, 37}) {
          const Terms sum(terms, inputs, outputs);
          const auto gram = sum.by_gram();
          EXPECT_NEAR(gram.square, sum.square(), 1e-12 * sum.size() * sum.size());
          EXPECT_NEAR(gram.size, sum.size(), 1e-12 * sum.size());
          EXPECT_NEAR(sum.by_tiles(), sum.square(), 1e-6 * sum.size() * sum.size());
        }
      }
    }
  });
}

// Never: a norm that is too small where large terms cancel.
TEST(NormKernelsTest, TermsThatNearlyCancelKeepTheirSmallSum) {
  on_every_vector_unit([](const std::string& unit) {
    SCOPED_TRACE(unit);
    Terms sum(2, 40, 50);
    for (std::size_t i = 0; i < 40; ++i) sum.left[40 + i] = -sum.left[i];
    for (std::size_t j = 0; j < 50; ++j) sum.right[50 + j] = sum.right[j];
    EXPECT_NEAR(sum.by_gram().square, 0, 1e-9);
    sum.left[7] += 0x1p-10F;
    EXPECT_NEAR(sum.by_gram().square / sum.square(), 1, 1e-6);
  });
}

TEST(NormKernelsTest, WhatIsNotFiniteShows) {
  on_every_vector_unit([](const std::string& unit) {
    SCOPED_TRACE(unit);
    Terms sum(5, 20, 30);
    sum.right[100] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(std::isfinite(sum.by_gram().square));
    EXPECT_FALSE(std::isfinite(sum.by_tiles()));
  });
}

}  // namespace
}  // namespace sotto::fused
