#include "gan/parameter_groups.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

const std::vector<std::string> kNames{"a.weight", "a.bias", "b.weight", "b.bias", "c.weight"};

std::vector<std::size_t> sorted(std::vector<std::size_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(ParameterGroupsTest, JoinsTheMostAlikeAndAddsSquares) {
  // Weights 1, 8, 9; biases 0.1, 0.3: first 8 and 9, then the biases (ratio 3), then weights.
  const std::vector<double> bounds{1, 0.1, 8, 0.3, 9};
  const auto four = cluster_parameters(bounds, kNames, 4);
  ASSERT_EQ(four.size(), 4U);
  const auto joined = std::find_if(four.begin(), four.end(),
                                   [](const auto& g) { return g.parameters.size() == 2; });
  ASSERT_NE(joined, four.end());
  EXPECT_EQ(sorted(joined->parameters), (std::vector<std::size_t>{2, 4}));
  EXPECT_NEAR(joined->bound, std::hypot(8, 9), 1e-12);
  const auto two = cluster_parameters(bounds, kNames, 2);
  for (const auto& group : two) {  // weights and biases are apart
    for (const auto p : group.parameters) {
      EXPECT_EQ(kNames[p].ends_with("bias"), kNames[group.parameters[0]].ends_with("bias"));
    }
  }
}

TEST(ParameterGroupsTest, OneGroupHoldsAll) {
  const auto one = cluster_parameters({1, 2, 3, 4, 5}, kNames, 1);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].parameters.size(), 5U);
  EXPECT_NEAR(one[0].bound, std::sqrt(55.0), 1e-12);
}

TEST(ParameterGroupsTest, RefusesMoreGroupsThanParameters) {
  EXPECT_THROW(cluster_parameters({1, 2, 3, 4, 5}, kNames, 6), InvalidArgument);
  EXPECT_THROW(cluster_parameters({1, 2, 3, 4, 5}, kNames, 0), InvalidArgument);
  EXPECT_EQ(cluster_parameters({1, 2, 3, 4, 5}, kNames, 5).size(), 5U);
}

TEST(ParameterGroupsTest, DeadParametersGetAPositiveBound) {
  for (const auto& group : cluster_parameters({0, 0, 1, 0, 1}, kNames, 3))
    EXPECT_GT(group.bound, 0);
}

}  // namespace
}  // namespace sotto::gan
