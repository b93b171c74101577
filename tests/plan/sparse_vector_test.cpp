// A threshold by the sparse vector technique: where it lies, and that it is as private as it says.
#include "plan/sparse_vector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sotto/core/error.h"

namespace sotto {
namespace {

TEST(SparseVectorTest, CandidatesRiseToTheLargest) {
  const auto candidates = threshold_candidates(2);
  ASSERT_EQ(candidates.size(), 61U);
  EXPECT_NEAR(candidates.front(), 2e-3, 1e-12);
  EXPECT_DOUBLE_EQ(candidates.back(), 2);
  for (std::size_t i = 1; i < candidates.size(); ++i) EXPECT_GT(candidates[i], candidates[i - 1]);
}

TEST(SparseVectorTest, FindsTheQuantileOfManyNorms) {
  SeededRandomNotPrivate random(5);
  std::vector<double> norms;
  for (int i = 0; i < 4000; ++i) norms.push_back((i + 0.5) / 4000);  // uniform on (0, 1)
  const double found =
      sparse_vector_threshold(norms, threshold_candidates(1.4), 2000, /*epsilon=*/1, random);
  EXPECT_GT(found, 0.43);
  EXPECT_LT(found, 0.58);
}

TEST(SparseVectorTest, TakesTheLargestIfAllAreAbove) {
  SeededRandomNotPrivate random(5);
  const std::vector<double> norms(1000, INFINITY);
  EXPECT_DOUBLE_EQ(sparse_vector_threshold(norms, threshold_candidates(1), 10, 1, random), 1);
}

TEST(SparseVectorTest, NoNormAndNoNumberExceedNothing) {
  SeededRandomNotPrivate random(5);
  for (const auto& norms : {std::vector<double>{}, std::vector<double>(1000, std::nan(""))}) {
    EXPECT_DOUBLE_EQ(sparse_vector_threshold(norms, {0.5, 1}, 500, 1, random), 0.5);
  }
}

// Outcomes' frequencies with and without one record, against e^ε. Norms chosen so that every
// candidate is likely, and the added one exceeds all of them or none.
TEST(SparseVectorTest, OneRecordChangesNoOutcomeByMoreThanItsEpsilon) {
  constexpr int kDraws = 60'000;
  constexpr double kEpsilon = 1;
  const std::vector<double> candidates = {1, 2, 3};
  const auto frequencies = [&](const std::vector<double>& norms, std::uint64_t seed) {
    SeededRandomNotPrivate random(seed);
    std::map<double, int> counts;
    for (int i = 0; i < kDraws; ++i) {
      ++counts[sparse_vector_threshold(norms, candidates, 2, kEpsilon, random)];
    }
    return counts;
  };
  const auto without = frequencies({1.5, 2.5, 2.5, 3.5}, 1);
  const auto with = frequencies({1.5, 2.5, 2.5, 3.5, 9}, 2);
  double largest = 0;
  for (const double candidate : candidates) {
    const double ratio = std::log(static_cast<double>(with.at(candidate)) /
                                  static_cast<double>(without.at(candidate)));
    EXPECT_LE(std::abs(ratio), kEpsilon + 0.05) << candidate;
    largest = std::max(largest, std::abs(ratio));
  }
  EXPECT_GT(largest, 0.05);  // the record does matter: a search that ignores it proves nothing
}

TEST(SparseVectorTest, RefusesNoCandidatesAndNoEpsilon) {
  SeededRandomNotPrivate random(5);
  EXPECT_THROW(sparse_vector_threshold({}, {}, 1, 1, random), InvalidArgument);
  EXPECT_THROW(sparse_vector_threshold({}, {1}, 1, 0, random), InvalidArgument);
}

}  // namespace
}  // namespace sotto
