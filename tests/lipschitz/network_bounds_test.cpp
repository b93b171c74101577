// The bounds of whole networks against the worst samples that can be found, at initialisation and
// after wild training.
#include <gtest/gtest.h>

#include <cmath>

#include "lipschitz/sensitivity.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "tests/lipschitz/any_network.h"
#include "tests/lipschitz/attacked_network.h"

namespace sotto::lipschitz {
namespace {

constexpr std::int64_t kAttackedClasses = 3;
const std::vector<std::int64_t> kAttackedShape{1, 12, 12};

torch::nn::Sequential attacked_network(const std::string& name) {
  return make_network(name, {kAttackedShape, kAttackedClasses});
}

// Saturates: an attacker who knows the label finds the whole √2.
Loss steep_cross_entropy(std::int64_t classes) { return Loss({.temperature = 20}, classes); }

AttackedNetwork attack_on(const std::string& name) {
  // Centering takes a part: more norm than the input bound lets through.
  return {attacked_network(name), steep_cross_entropy(kAttackedClasses), kAttackedClasses,
          kAttackedShape, 3 * default_input_bound(kAttackedShape)};
}

struct Factor {
  std::string name;
  double looseness;  // at most, at initialisation and after training
};

TEST(NetworkBoundsTest, NoSampleExceedsThemAndSomeComeClose) {
  for (const auto& [name, most] :
       std::vector<Factor>{{"lip-mlp", 1.1}, {"lip-cnn", 3.5}, {"lip-resnet", 7}}) {
    torch::manual_seed(1);
    auto attacked = attack_on(name);
    EXPECT_EQ(attacked.why_bounds_fail(10), "") << name;
    EXPECT_LE(attacked.looseness(), most) << name;
    RecordProperty(name, std::to_string(attacked.looseness()));
    attacked.train_wildly(20, 0.3);
    EXPECT_EQ(attacked.why_bounds_fail(10), "") << name;
    EXPECT_LE(attacked.looseness(), most) << name;
    RecordProperty(name + " trained", std::to_string(attacked.looseness()));
  }
}

// A threshold below the loss' own bound lowers all bounds with it.
TEST(NetworkBoundsTest, HoldForClippedLossGradients) {
  torch::manual_seed(2);
  auto attacked = attack_on("lip-mlp");
  for (const double clip : {1.0, 1e-3}) {
    EXPECT_EQ(attacked.why_bounds_fail(clip), "") << clip;
    EXPECT_LE(attacked.looseness(), 1.1) << clip;
  }
}

TEST(NetworkBoundsTest, HoldForRandomNetworks) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    torch::manual_seed(seed);
    const auto any = any_network(seed);
    AttackedNetwork attacked(any.network, steep_cross_entropy(kAnyClasses), kAnyClasses, any.shape,
                             2 * kAnyInputBound);
    EXPECT_EQ(attacked.why_bounds_fail(10), "") << seed;
    attacked.train_wildly(20, 0.3);
    EXPECT_EQ(attacked.why_bounds_fail(10), "") << seed;
    EXPECT_LE(attacked.looseness(), 60) << seed;
    RecordProperty("any" + std::to_string(seed), std::to_string(attacked.looseness()));
  }
}

void expect_every_parameter_named(const torch::nn::Sequential& network, const std::string& what) {
  const auto bounds = gradient_bounds(network, 1);
  const auto parameters = network->named_parameters();
  ASSERT_EQ(bounds.size(), parameters.size()) << what;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    EXPECT_EQ(bounds[i].name, parameters[i].key()) << what;
    EXPECT_TRUE(bounds[i].bound > 0 && std::isfinite(bounds[i].bound)) << what;
  }
}

TEST(NetworkBoundsTest, AreNamedAsTheParametersAre) {
  for (const auto& name : network_names())
    expect_every_parameter_named(attacked_network(name), name);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    expect_every_parameter_named(any_network(seed).network, std::to_string(seed));
  }
}

TEST(NetworkBoundsTest, GrowWithTheLossGradientUpToTheLossOwn) {
  const LipschitzModel model(attacked_network("lip-cnn"), steep_cross_entropy(kAttackedClasses));
  const auto at = [&](double clip) { return model.gradient_bounds(model.parameters(), clip); };
  const auto own = at(std::sqrt(2.0));
  const auto half = at(std::sqrt(2.0) / 2);
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(half[i], own[i] / 2, 1e-9 * own[i]);
  EXPECT_EQ(at(1e9), own);
}

}  // namespace
}  // namespace sotto::lipschitz
