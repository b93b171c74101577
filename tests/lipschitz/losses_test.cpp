#include "sotto/lipschitz/losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <sstream>

#include "sotto/core/error.h"
#include "tests/lipschitz/loss_cases.h"

namespace sotto::lipschitz {
namespace {

using testing::HasSubstr;
using torch::Tensor;

Tensor gradient_norms(const Loss& loss, const Tensor& scores, const Tensor& labels) {
  const Tensor z = scores.detach().requires_grad_(true);
  const Tensor gradient = torch::autograd::grad({loss(z, labels).sum()}, {z})[0];
  return gradient.to(torch::kDouble).norm(2, {1});
}

TEST(LossesTest, GradientsAreWithinTheirBoundAndReachIt) {
  torch::manual_seed(1);
  for (const auto& [options, classes] : loss_cases()) {
    const Loss loss(options, classes);
    const Tensor scores = awkward_scores(classes);
    const Tensor norms = gradient_norms(loss, scores, random_labels(scores.size(0), classes));
    const double largest = norms.max().item<double>();
    EXPECT_LE(largest, loss.lipschitz() * (1 + 1e-5)) << loss.describe() << " " << classes;
    EXPECT_GE(largest, 0.9 * loss.lipschitz()) << loss.describe() << " " << classes;
  }
}

// A secant is no steeper than the bound either: what holds of gradients holds of values.
TEST(LossesTest, ValuesAreAsLipschitzAsTheySay) {
  torch::manual_seed(2);
  for (const auto& [options, classes] : loss_cases()) {
    const Loss loss(options, classes);
    const auto wide = torch::TensorOptions().dtype(torch::kDouble);
    const Tensor from = torch::randn({200, classes}, wide) * 3;
    const Tensor to = from + torch::randn({200, classes}, wide);
    const Tensor labels = random_labels(200, classes);
    const Tensor slopes = (loss(to, labels) - loss(from, labels)).abs() / (to - from).norm(2, {1});
    EXPECT_LE(slopes.max().item<double>(), loss.lipschitz() * (1 + 1e-9)) << loss.describe();
  }
}

// Never: a loss whose weights depend on the rest of the batch.
TEST(LossesTest, ASamplesLossDependsOnThatSampleAlone) {
  torch::manual_seed(3);
  for (const auto& [options, classes] : loss_cases()) {
    const Loss loss(options, classes);
    const Tensor scores = torch::randn({7, classes}) * 2;
    Tensor labels = torch::zeros({7}, torch::kLong);
    labels[3] = 1;  // the only one of its class
    const Tensor together = loss(scores, labels);
    ASSERT_EQ(together.sizes(), labels.sizes());
    const Tensor norms = gradient_norms(loss, scores, labels);
    for (std::int64_t i = 0; i < 7; ++i) {
      const Tensor z = scores.narrow(0, i, 1);
      const Tensor y = labels.narrow(0, i, 1);
      EXPECT_TRUE(torch::allclose(loss(z, y), together.narrow(0, i, 1), 1e-6, 1e-6));
      EXPECT_TRUE(torch::allclose(gradient_norms(loss, z, y), norms.narrow(0, i, 1), 1e-6, 1e-7));
    }
  }
}

double value_of(LossKind kind, const std::vector<double>& scores, std::int64_t label) {
  const auto classes = static_cast<std::int64_t>(scores.size());
  LossOptions options;
  options.kind = kind;
  options.temperature = 2;
  const Tensor z = torch::tensor(scores, torch::kDouble).unsqueeze(0);
  return Loss(options, classes)(z, torch::tensor({label})).item<double>();
}

TEST(LossesTest, ValuesByHand) {
  EXPECT_NEAR(value_of(LossKind::kCrossEntropy, {1, 0}, 0), std::log1p(std::exp(-2.0)) / 2, 1e-12);
  EXPECT_NEAR(value_of(LossKind::kBinaryCrossEntropy, {1}, 1), std::log1p(std::exp(-2.0)) / 2,
              1e-12);
  EXPECT_NEAR(value_of(LossKind::kHinge, {0.25}, 0), 1.25, 1e-12);
  EXPECT_NEAR(value_of(LossKind::kMulticlassHinge, {0.5, 0.25, -1}, 0), 0.75, 1e-12);
  EXPECT_NEAR(value_of(LossKind::kMeanAbsoluteError, {0.5, 0.25, -1}, 0), 1.75 / 3, 1e-12);
  EXPECT_NEAR(value_of(LossKind::kCosine, {3, 4}, 1), -0.8, 1e-12);
  EXPECT_NEAR(value_of(LossKind::kCosine, {0.3, 0.4}, 1), -0.4, 1e-12);
  EXPECT_NEAR(value_of(LossKind::kKr, {3, 1, 2}, 0), -1.5, 1e-12);
  EXPECT_NEAR(value_of(LossKind::kHkr, {0.5, 0.25, -1}, 0), -0.875 + 10 * 0.75, 1e-12);
}

std::string loss_refusal(const LossOptions& options, std::int64_t classes) {
  try {
    const Loss loss(options, classes);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(LossesTest, RefusedOptionsNameTheValue) {
  for (const double bad : {0.0, -2.5, std::nan(""), static_cast<double>(INFINITY)}) {
    std::ostringstream text;
    text << bad;
    EXPECT_THAT(loss_refusal({.temperature = bad}, 3), HasSubstr("temperature"));
    EXPECT_THAT(loss_refusal({.margin = bad}, 3), HasSubstr(text.str()));
    EXPECT_THAT(loss_refusal({.alpha = bad}, 3), HasSubstr("alpha"));
    EXPECT_THAT(loss_refusal({.least_norm = bad}, 3), HasSubstr(text.str()));
  }
  EXPECT_THAT(loss_refusal({}, 1), HasSubstr("got 1"));
  EXPECT_THAT(loss_refusal({.kind = LossKind::kHinge}, 2), HasSubstr("got 2"));
}

TEST(LossesTest, NamesGoBothWays) {
  for (const auto& one : loss_cases()) {
    EXPECT_EQ(settings::loss_from_name(to_string(one.options.kind)), one.options.kind);
  }
  EXPECT_THROW(settings::loss_from_name("focal"), InvalidArgument);
}

TEST(LossesTest, RefusesScoresOfAnotherShape) {
  const Loss loss({}, 3);
  EXPECT_THROW(loss(torch::zeros({4, 2}), torch::zeros({4}, torch::kLong)), InvalidArgument);
  EXPECT_THROW(loss(torch::zeros({4, 3}), torch::zeros({3}, torch::kLong)), InvalidArgument);
  EXPECT_THROW(loss(torch::zeros({4, 3}), torch::zeros({4, 1}, torch::kLong)), InvalidArgument);
}

}  // namespace
}  // namespace sotto::lipschitz
