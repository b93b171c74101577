#include "sotto/models/models.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace sotto::models {
namespace {

std::int64_t parameter_count(const torch::nn::Sequential& model) {
  std::int64_t count = 0;
  for (const auto& parameter : model->parameters()) count += parameter.numel();
  return count;
}

TEST(ModelsTest, EveryModelMapsImagesToScores) {
  for (const auto& name : model_names()) {
    auto model = make_model(name, {{3, 32, 32}, 7});
    EXPECT_EQ(model->forward(torch::rand({2, 3, 32, 32})).sizes(),
              (std::vector<std::int64_t>{2, 7}))
        << name;
  }
}

TEST(ModelsTest, CnnHasTheSizeItShould) {
  // 16·64 + 16, 32·16·16 + 32, 512·32 + 32, 32·10 + 10
  EXPECT_EQ(parameter_count(make_model("cnn", {{1, 28, 28}, 10})), 1040 + 8224 + 16416 + 330);
}

TEST(ModelsTest, TablesTakeSoftmaxAndMlp) {
  for (const auto* name : {"softmax", "mlp"}) {
    auto model = make_model(name, {{13}, 2});
    EXPECT_EQ(model->forward(torch::rand({4, 13})).size(1), 2);
  }
  EXPECT_THROW(make_model("cnn", {{13}, 2}), std::invalid_argument);
}

TEST(ModelsTest, SaysWhatIsAccepted) {
  try {
    make_model("resnet9000", {{1, 28, 28}, 10});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("cnn"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("resnet9000"), std::string::npos);
  }
  EXPECT_THROW(make_model("cnn", {{1, 28, 28}, 1}), std::invalid_argument);
  EXPECT_THROW(make_model("cnn", {{1, 4, 4}, 10}), std::invalid_argument);
}

}  // namespace
}  // namespace sotto::models
