// The losses' gradients in one pass, against autograd's.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "sotto/core/error.h"
#include "tests/lipschitz/loss_cases.h"

namespace sotto::lipschitz {
namespace {

using torch::Tensor;

constexpr double kNeverReached = 1e12;

struct Reference {
  Tensor losses;
  Tensor gradients;
};

// By autograd, in double.
Reference by_autograd(const Loss& loss, const Tensor& scores, const Tensor& labels) {
  const Tensor z = scores.detach().to(torch::kDouble).requires_grad_(true);
  const Tensor losses = loss(z, labels);
  return {losses.detach(), torch::autograd::grad({losses.sum()}, {z})[0]};
}

double largest_norm(const Tensor& gradients) {
  return gradients.to(torch::kDouble).norm(2, {1}).max().item<double>();
}

TEST(ScoreGradientsTest, AreThoseOfAutograd) {
  torch::manual_seed(1);
  for (const auto& [options, classes] : loss_cases()) {
    const Loss loss(options, classes);
    const Tensor scores = awkward_scores(classes);
    const Tensor labels = random_labels(scores.size(0), classes);
    const auto expected = by_autograd(loss, scores, labels);
    for (const auto type : {torch::kFloat, torch::kDouble}) {
      const auto found = loss.gradients(scores.to(type), labels, kNeverReached);
      const double slack = type == torch::kFloat ? 1e-6 : 1e-13;
      EXPECT_EQ(found.gradients.scalar_type(), type);
      // Losses are differences of scores.
      const Tensor loss_slack = slack * (std::get<0>(scores.abs().max(1)) + expected.losses.abs());
      EXPECT_TRUE(((found.losses - expected.losses).abs() <= loss_slack + slack).all().item<bool>())
          << loss.describe() << " " << classes;
      EXPECT_TRUE(torch::allclose(found.gradients.to(torch::kDouble), expected.gradients, slack,
                                  slack * loss.lipschitz()))
          << loss.describe() << " " << classes;
      EXPECT_LE(largest_norm(found.gradients), loss.lipschitz() * (1 + 1e-6));
      EXPECT_TRUE(torch::allclose(found.norms, expected.gradients.norm(2, {1}), 1e-12, 1e-15))
          << loss.describe() << " " << classes;
    }
  }
}

// Never: a sample beyond the bound that noise is set for.
TEST(ScoreGradientsTest, AreScaledDownToTheirBound) {
  torch::manual_seed(2);
  for (const auto& [options, classes] : loss_cases()) {
    const Loss loss(options, classes);
    const Tensor scores = awkward_scores(classes);
    const Tensor labels = random_labels(scores.size(0), classes);
    const auto whole = loss.gradients(scores, labels, kNeverReached);
    for (const double bound : {1e-12, 1e-3, 0.5 * loss.lipschitz(), loss.lipschitz()}) {
      const auto found = loss.gradients(scores, labels, bound);
      EXPECT_LE(largest_norm(found.gradients), bound) << loss.describe() << " " << classes;
      EXPECT_TRUE(torch::equal(found.norms, whole.norms));
      const Tensor factors = (bound / whole.norms).clamp_max(1).unsqueeze(1);
      EXPECT_TRUE(torch::allclose(found.gradients.to(torch::kDouble),
                                  whole.gradients.to(torch::kDouble) * factors, 1e-4, 1e-4 * bound))
          << loss.describe() << " " << classes << " " << bound;
    }
  }
}

TEST(ScoreGradientsTest, ASampleThatIsNotFiniteHasNone) {
  for (const auto& [options, classes] : loss_cases()) {
    const Loss loss(options, classes);
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      Tensor scores = torch::ones({3, classes});
      scores[1][classes - 1] = bad;
      const auto found = loss.gradients(scores, torch::zeros({3}, torch::kLong), 1);
      EXPECT_TRUE(torch::isfinite(found.gradients).all().item<bool>()) << loss.describe();
      EXPECT_EQ(found.gradients[1].abs().sum().item<double>(), 0) << loss.describe();
      EXPECT_TRUE(std::isnan(found.norms[1].item<double>())) << loss.describe();
      EXPECT_TRUE(std::isnan(found.losses[1].item<double>())) << loss.describe();
      const auto alone = loss.gradients(scores.narrow(0, 0, 1), torch::tensor({0}), 1);
      EXPECT_TRUE(torch::equal(found.gradients[0], alone.gradients[0])) << loss.describe();
      EXPECT_TRUE(torch::equal(found.gradients[2], alone.gradients[0])) << loss.describe();
    }
  }
}

// Differences and squares of such scores overflow.
TEST(ScoreGradientsTest, TheLargestNumbersStayWithinTheBound) {
  torch::manual_seed(5);
  for (const auto& [options, classes] : loss_cases()) {
    const Loss loss(options, classes);
    const Tensor signs = torch::randn({50, classes}, torch::kDouble).sign();
    const Tensor labels = random_labels(50, classes);
    for (const Tensor& scores :
         {(signs * 3e38).to(torch::kFloat), signs * 1e200, signs * 1.7e308}) {
      const auto found = loss.gradients(scores, labels, 0.5);
      EXPECT_LE(largest_norm(found.gradients), 0.5) << loss.describe() << " " << classes;
    }
  }
}

TEST(ScoreGradientsTest, ManySamplesAreEachTheirOwn) {
  torch::manual_seed(3);
  const Loss loss({.temperature = 3}, 10);
  const Tensor scores = torch::randn({2000, 10});
  const Tensor labels = random_labels(2000, 10);
  const auto together = loss.gradients(scores, labels, 1);
  for (const std::int64_t i : {0, 1, 999, 1000, 1999}) {
    const auto alone = loss.gradients(scores.narrow(0, i, 1), labels.narrow(0, i, 1), 1);
    EXPECT_TRUE(torch::equal(alone.gradients, together.gradients.narrow(0, i, 1))) << i;
    EXPECT_TRUE(torch::equal(alone.losses, together.losses.narrow(0, i, 1))) << i;
  }
  EXPECT_EQ(loss.gradients(scores.narrow(0, 0, 0), labels.narrow(0, 0, 0), 1).losses.numel(), 0);
}

TEST(ScoreGradientsTest, LabelsThatAreNoClassAreRefused) {
  for (const auto& [options, classes] : loss_cases()) {
    if (classes == 1) continue;  // every label is below 1, or is 1
    const Loss loss(options, classes);
    const Tensor scores = torch::zeros({1, classes});
    for (const std::int64_t label : {std::int64_t{-100}, std::int64_t{-1}, classes}) {
      EXPECT_THROW(loss.gradients(scores, torch::tensor({label}), 1), InvalidArgument) << label;
    }
    EXPECT_THROW(loss.gradients(scores, torch::tensor({0.5}), 1), InvalidArgument);
  }
}

TEST(ScoreGradientsTest, ShapesTypesAndBoundsThatDoNotFitAreRefused) {
  const Loss loss({}, 3);
  const Tensor label = torch::tensor({0});
  EXPECT_THROW(loss.gradients(torch::zeros({1, 2}), label, 1), InvalidArgument);
  EXPECT_THROW(loss.gradients(torch::zeros({1, 3}, torch::kBFloat16), label, 1), InvalidArgument);
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(loss.gradients(torch::zeros({1, 3}), label, bad), InvalidArgument) << bad;
  }
}

TEST(ScoreGradientsTest, HoweverScoresAndLabelsAreStored) {
  torch::manual_seed(4);
  const Loss loss({.temperature = 3}, 3);
  const Tensor scores = torch::randn({3, 5});
  const Tensor labels = torch::tensor({0, 1, 2, 1, 0});
  const auto expected = loss.gradients(scores.t().contiguous(), labels, 1);
  EXPECT_TRUE(torch::equal(loss.gradients(scores.t(), labels.to(torch::kInt), 1).gradients,
                           expected.gradients));
  const Loss binary({.kind = LossKind::kHinge}, 1);
  const Tensor one = torch::zeros({2, 1});
  EXPECT_TRUE(torch::equal(binary.gradients(one, torch::tensor({0.0, 0.5}), 1).gradients,
                           binary.gradients(one, torch::tensor({-1, 7}), 1).gradients));
}

}  // namespace
}  // namespace sotto::lipschitz
