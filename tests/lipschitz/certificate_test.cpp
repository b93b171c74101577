#include "lipschitz/certificate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lipschitz/sensitivity.h"
#include "sotto/core/error.h"
#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/lipschitz/residual.h"
#include "tests/lipschitz/ascent.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

using torch::Tensor;

// Three clouds in eight dimensions, and a lip-mlp that tells them apart.
class CertificateTest : public testing::Test {
 protected:
  CertificateTest() {
    torch::manual_seed(1);
    labels = torch::arange(60).remainder(3);
    inputs = 0.3 * torch::randn({60, 8}) + torch::nn::functional::one_hot(labels, 8);
    network = make_network("lip-mlp", {{8}, 3, /*input_bound=*/4});
    train();
    scores = network->forward(inputs).detach();
    radii = certified_radii(scores, labels, lipschitz_constant(network));
  }

  void train() {
    LipschitzModel model(network, Loss({.temperature = 5}, 3));
    torch::optim::Adam optimizer(network->parameters(), 0.02);
    for (int step = 0; step < 60; ++step) {
      optimizer.zero_grad();
      model.losses(inputs, labels, 10).mean().backward();
      optimizer.step();
      model.project();
    }
  }

  // Whether a change of norm `radius` is found that changes the answer.
  bool falls(std::int64_t sample, double radius) {
    const Tensor x = inputs.narrow(0, sample, 1);
    const auto label = labels[sample].item<std::int64_t>();
    const auto margin = [&](const std::vector<Tensor>& point) {
      const Tensor z = network->forward(x + point[0])[0];
      const Tensor others = torch::cat({z.slice(0, 0, label), z.slice(0, label + 1)});
      return 1000 + (others.max() - z[label]);  // positive: the answer has changed
    };
    return search(margin, {{{8}, radius}}, 2, 15).value > 1000 + 1e-3;
  }

  Tensor inputs, labels, scores, radii;
  torch::nn::Sequential network;
};

TEST_F(CertificateTest, NoChangeWithinTheRadiusChangesTheAnswer) {
  int certified = 0;
  int felled = 0;
  for (std::int64_t sample = 0; sample < labels.size(0); ++sample) {
    const double radius = radii[sample].item<double>();
    if (!(radius > 0)) continue;
    ++certified;
    EXPECT_FALSE(falls(sample, 0.999 * radius)) << sample;
    felled += falls(sample, 1.5 * radius) ? 1 : 0;  // the search does find what there is
  }
  EXPECT_GE(certified, 50);
  EXPECT_GE(felled, certified / 2);
}

TEST_F(CertificateTest, WrongAnswersHaveNone) {
  const Tensor wrong = (labels + 1).remainder(3);
  const Tensor none = certified_radii(scores, wrong, 1);
  EXPECT_EQ(none.masked_select(scores.argmax(1) != wrong).abs().sum().item<double>(), 0);
}

TEST_F(CertificateTest, AccuracyFallsWithTheRadius) {
  const auto all = certified_accuracy(radii, {0, 0.1, 0.3, 100});
  const double clean = (scores.argmax(1) == labels).to(torch::kDouble).mean().item<double>();
  EXPECT_DOUBLE_EQ(all[0].accuracy, clean);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i].accuracy, all[i - 1].accuracy);
  EXPECT_EQ(all.back().accuracy, 0);
  EXPECT_EQ(all.back().radius, 100);
}

TEST(CertifiedRadiiTest, ByHand) {
  const Tensor scores = torch::tensor({{3.0, 1.0, 0.0}, {0.0, 2.0, 2.0}, {1.0, 0.0, 5.0}});
  const Tensor radii = certified_radii(scores, torch::tensor({0, 1, 0}), 2);
  const double exact = 2 / (2 * std::sqrt(2.0));  // without what rounding of scores may take
  EXPECT_LE(radii[0].item<double>(), exact);
  EXPECT_NEAR(radii[0].item<double>(), exact, 1e-4);
  EXPECT_EQ(radii[1].item<double>(), 0);
  EXPECT_EQ(radii[2].item<double>(), 0);
  EXPECT_THROW(certified_radii(scores, torch::tensor({0, 1, 0}), 0), InvalidArgument);
}

TEST(LipschitzConstantTest, OfNamedNetworksIsHardlyAboveOne) {
  for (const auto& name : network_names()) {
    const double constant = lipschitz_constant(make_network(name, {{1, 10, 10}, 4}));
    EXPECT_LE(constant, 1.001) << name;
    EXPECT_GE(constant, 0.9) << name;
  }
}

TEST(LipschitzConstantTest, OfSumsIsTwoAndOfAveragesOne) {
  const auto of = [](Addition addition) {
    const auto block = residual_block(torch::nn::Sequential(torch::nn::ReLU()), addition);
    return lipschitz_constant(torch::nn::Sequential(InputBound(1.0), block));
  };
  EXPECT_DOUBLE_EQ(of(Addition::kSum), 2);
  EXPECT_DOUBLE_EQ(of(Addition::kAverage), 1);
}

}  // namespace
}  // namespace sotto::lipschitz
