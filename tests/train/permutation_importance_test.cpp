#include "train/permutation_importance.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/core/error.h"

namespace sotto::train {
namespace {

const std::vector<data::FeatureColumn> kColumns = {{"kind", 0, 2}, {"age", 2, 1}};

// Two classes; the second where weights · features is above 0.
torch::nn::Sequential network_with(const std::vector<float>& weights) {
  torch::NoGradGuard no_gradients;
  torch::nn::Linear layer(3, 2);
  layer->weight.zero_();
  layer->weight[1].copy_(torch::tensor(weights));
  layer->bias.zero_();
  return torch::nn::Sequential(layer);
}

// A category of two, and a number that says which class a row has.
TensorData rows() {
  const auto age = torch::linspace(-1, 1, 200);
  const auto kind = torch::arange(200) % 2;
  return {torch::stack({kind.to(torch::kFloat), 1 - kind.to(torch::kFloat), age}, 1),
          (age > 0).to(torch::kLong)};
}

TEST(PermutationImportance, OnlyWhatTheModelLooksAtMatters) {
  auto model = network_with({0, 0, 1});
  const auto columns = permutation_importance(model, rows(), 2, kColumns, {});
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].column, "age");
  EXPECT_NEAR(columns[0].accuracy.mean, 0.5, 0.1);
  EXPECT_NEAR(columns[0].auc->mean, 0.5, 0.1);
  EXPECT_GT(*columns[0].accuracy.deviation, 0);
  EXPECT_EQ(columns[1].column, "kind");
  EXPECT_EQ(columns[1].accuracy.mean, 0);
  EXPECT_EQ(columns[1].auc->mean, 0);
}

// A row has one kind, whatever row it comes from: the sum of both features is always 1.
TEST(PermutationImportance, FeaturesOfAColumnMoveTogether) {
  auto model = network_with({3, 3, 1});
  const auto columns = permutation_importance(model, rows(), 2, kColumns, {});
  const auto& kind = columns[0].column == "kind" ? columns[0] : columns[1];
  EXPECT_EQ(kind.accuracy.mean, 0);
  EXPECT_EQ(kind.auc->mean, 0);
  EXPECT_EQ(*kind.auc->deviation, 0);
}

TEST(PermutationImportance, TheSeedDecides) {
  auto model = network_with({0.2F, 0, 1});
  const auto mean = [&](std::uint64_t seed) {
    return permutation_importance(model, rows(), 2, kColumns, {3, seed})[0].auc->mean;
  };
  EXPECT_EQ(mean(1), mean(1));
  EXPECT_NE(mean(1), mean(2));
}

TEST(PermutationImportance, OneRepeatHasNoSpread) {
  auto model = network_with({0, 0, 1});
  const auto columns = permutation_importance(model, rows(), 2, kColumns, {1, 0});
  EXPECT_FALSE(columns[0].accuracy.deviation);
}

TEST(PermutationImportance, RowsOfOneClassHaveNoAuc) {
  auto model = network_with({0, 0, 1});
  auto same = rows();
  same.labels.fill_(1);
  EXPECT_FALSE(permutation_importance(model, same, 2, kColumns, {})[0].auc);
}

TEST(PermutationImportance, WrongColumnsAreRefused) {
  auto model = network_with({0, 0, 1});
  EXPECT_THROW(permutation_importance(model, rows(), 2, {{"age", 0, 1}}, {}), InvalidArgument);
  EXPECT_THROW(permutation_importance(model, rows(), 2, kColumns, {0, 0}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::train
