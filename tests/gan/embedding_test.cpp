#include "gan/embedding.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "gan/merf.h"

namespace sotto::gan {
namespace {

// One record must not be able to move the sum by more than 1.
TEST(EmbeddingTest, EveryRowHasNormOne) {
  torch::manual_seed(1);
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {1, 28, 28}, {3, 32, 32}, {1, 8, 8}, {1, 12, 20}, {6}, {1}}) {
    const Embedding embedding(shape, 3);
    auto sizes = shape;
    sizes.insert(sizes.begin(), 4);
    for (const double scale : {0.0, 1.0, 1e3}) {
      const auto rows = embedding.features(torch::randn(sizes) * scale);
      ASSERT_EQ(rows.size(1), embedding.size());
      EXPECT_LT((rows.norm(2, 1) - 1).abs().max().item<double>(), 1e-4) << shape << scale;
    }
  }
}

TEST(EmbeddingTest, TheSameSeedGivesTheSameFeatures) {
  const auto x = torch::randn({2, 1, 8, 8});
  EXPECT_TRUE(Embedding({1, 8, 8}, 5).features(x).equal(Embedding({1, 8, 8}, 5).features(x)));
  EXPECT_FALSE(Embedding({1, 8, 8}, 5).features(x).equal(Embedding({1, 8, 8}, 6).features(x)));
}

TEST(EmbeddingTest, ItsConstantCountsTheClasses) {
  const Embedding embedding({4}, 1);
  const auto features = embedding.features(torch::randn({10, 4}));
  MeanEmbedding mean{torch::zeros({3, embedding.size()})};
  const auto labels = torch::tensor({0, 0, 0, 0, 0, 1, 1, 1, 0, 0});
  mean.sums.index_add_(0, labels, features / 10);
  const auto shares = mean.class_shares();
  EXPECT_NEAR(shares[0], 0.7, 1e-5);
  EXPECT_NEAR(shares[1], 0.3, 1e-5);
  EXPECT_NEAR(shares[2], 0, 1e-5);
  mean.sums.mul_(-1);  // noise alone may say so
  for (const double share : mean.class_shares()) EXPECT_NEAR(share, 1.0 / 3, 1e-12);
}

// Fitted to the mean of a narrow distribution, the generator gives samples near it.
TEST(MerfTest, FindsAClassByItsMeanEmbedding) {
  torch::manual_seed(2);
  GeneratorCard card;
  card.networks = Networks::kMlp;
  card.classes = {"low", "high"};
  card.shares = {0.5, 0.5};
  card.shape = {{2}, 2, 4, 32, {{0, 1, false, false, 1}, {1, 1, false, false, 1}}};
  const Embedding embedding({2}, 1);
  const auto around = [](double centre) { return torch::randn({500, 2}) * 0.05 + centre; };
  MeanEmbedding target{torch::stack(
      {embedding.features(around(-0.6)).mean(0) / 2, embedding.features(around(0.6)).mean(0) / 2})};
  Generator generator(card.networks, card.shape);
  double last = 0;
  fit_generator(generator, card, embedding, target, {300, 50, 5e-3},
                [&](std::int64_t, double distance) {
                  last = distance;
                  return true;
                });
  EXPECT_LT(last, 0.1);
  const auto drawn = draw_samples(generator, card, 400);
  const auto low = drawn.samples.index({drawn.labels == 0}).mean().item<double>();
  const auto high = drawn.samples.index({drawn.labels == 1}).mean().item<double>();
  EXPECT_NEAR(low, -0.6, 0.15);
  EXPECT_NEAR(high, 0.6, 0.15);
}

}  // namespace
}  // namespace sotto::gan
