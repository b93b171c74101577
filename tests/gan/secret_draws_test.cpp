#include "gan/secret_draws.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace sotto::gan {
namespace {

constexpr std::int64_t kRows = 10'000;
constexpr std::int64_t kColumns = 7;

GeneratorCard card_with(Latent latent) {
  GeneratorCard card;
  card.latent = latent;
  card.shape.latent = kColumns;
  return card;
}

// Seven standard deviations of a mean over all numbers, each of this variance.
double most_off(double variance) { return 7 * std::sqrt(variance / (kRows * kColumns)); }

TEST(SecretDraws, LatentVectorsHaveTheMomentsOfNormals) {
  SecretDraws draws(std::nullopt);
  const auto latent = draws.latent(card_with(Latent::kNormal), kRows);
  ASSERT_EQ(latent.sizes(), (std::vector<std::int64_t>{kRows, kColumns}));
  ASSERT_EQ(latent.scalar_type(), torch::kFloat);
  EXPECT_NEAR(latent.mean().item<double>(), 0, most_off(1));
  EXPECT_NEAR(latent.pow(2).mean().item<double>(), 1, most_off(2));
  EXPECT_NEAR(latent.pow(4).mean().item<double>(), 3, most_off(96));
  EXPECT_GT(latent.max().item<double>(), 3);
}

TEST(SecretDraws, UniformLatentVectorsLieBetweenMinusOneAndOne) {
  SecretDraws draws(std::nullopt);
  const auto latent = draws.latent(card_with(Latent::kUniform), kRows);
  ASSERT_EQ(latent.sizes(), (std::vector<std::int64_t>{kRows, kColumns}));
  EXPECT_LE(latent.abs().max().item<double>(), 1);
  EXPECT_NEAR(latent.pow(2).mean().item<double>(), 1.0 / 3, most_off(4.0 / 45));
}

TEST(SecretDraws, OnlyASeedMakesThemAgain) {
  const auto card = card_with(Latent::kNormal);
  const auto drawn = [&](std::optional<std::uint64_t> seed) {
    return SecretDraws(seed).latent(card, 3);
  };
  EXPECT_TRUE(drawn(1).equal(drawn(1)));
  EXPECT_FALSE(drawn(1).equal(drawn(2)));
  EXPECT_FALSE(drawn(std::nullopt).equal(drawn(std::nullopt)));
}

TEST(SecretDraws, NobodyNeedsNoLatentVectors) {
  SecretDraws draws(std::nullopt);
  EXPECT_EQ(draws.latent(card_with(Latent::kNormal), 0).numel(), 0);
}

}  // namespace
}  // namespace sotto::gan
