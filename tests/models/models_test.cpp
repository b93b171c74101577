#include "sotto/models/models.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "models/scatter_networks.h"
#include "sotto/core/error.h"

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

TEST(ScatteringLayer, TransformsEveryColourForItself) {
  const features::ScatteringOptions options{12, 10, 2, 3, 2};
  Scattering layer(options);
  const auto pictures = torch::rand({5, 3, 12, 10});
  const auto features = layer->forward(pictures);
  const auto channels = layer->transform().channels();
  EXPECT_EQ(features.sizes(), (std::vector<std::int64_t>{5, 3 * channels, 3, 2}));
  const auto green = layer->forward(pictures.narrow(1, 1, 1));
  EXPECT_TRUE(green.equal(features.narrow(1, channels, channels)));
  EXPECT_TRUE(layer->forward(pictures.to(torch::kDouble)).equal(features));
  EXPECT_EQ(layer->forward(pictures.narrow(0, 0, 0)).size(0), 0);
  EXPECT_TRUE(layer->parameters().empty());
  EXPECT_FALSE(features.requires_grad());
}

TEST(ScatteringLayer, RefusesOtherShapesAndGradients) {
  Scattering layer(features::ScatteringOptions{12, 10, 2, 3, 2});
  EXPECT_THROW(layer->forward(torch::rand({5, 12, 10})), InvalidArgument);
  EXPECT_THROW(layer->forward(torch::rand({5, 1, 10, 12})), InvalidArgument);
  EXPECT_THROW(layer->forward(torch::rand({5, 1, 12, 10}).set_requires_grad(true)),
               InvalidArgument);
}

TEST(Standardised, IsGroupNormWithoutWeights) {
  const auto maps = torch::randn({5, 6, 4, 3}) * 3 + 1;
  Standardised layer(2);
  const auto got = layer->forward(maps);
  EXPECT_TRUE(torch::allclose(got, torch::group_norm(maps, 2), 1e-5, 1e-5));
  EXPECT_TRUE(layer->forward(maps.narrow(0, 3, 1)).equal(got.narrow(0, 3, 1)));
  EXPECT_TRUE(layer->forward(torch::ones({2, 6, 4, 3})).equal(torch::zeros({2, 6, 4, 3})));
  EXPECT_EQ(layer->forward(maps.narrow(0, 0, 0)).size(0), 0);
  EXPECT_THROW(layer->forward(torch::rand({5, 3, 4, 3})), InvalidArgument);
  EXPECT_THROW(layer->forward(torch::rand({5, 6, 4, 3}).set_requires_grad(true)), InvalidArgument);
}

TEST(ScatterNetworks, TrainTheirClassifierAlone) {
  for (const auto* name : {"scatter-linear", "scatter-cnn"}) {
    auto network = make_model(name, {{1, 28, 28}, 10});
    auto features = features_of(network);
    auto classifier = classifier_of(network);
    EXPECT_TRUE(features->parameters().empty());
    const auto pictures = torch::rand({3, 1, 28, 28}) * 2 - 1;
    const auto maps = features->forward(pictures);
    EXPECT_EQ(maps.sizes(), (std::vector<std::int64_t>{3, 81, 7, 7}));
    EXPECT_TRUE(classifier->forward(maps).equal(network->forward(pictures)));
    for (const auto& item : classifier->named_parameters()) {
      EXPECT_TRUE(network->named_parameters().contains("classifier." + item.key()));
    }
  }
  EXPECT_EQ(parameter_count(make_model("scatter-linear", {{1, 28, 28}, 10})), 81 * 49 * 10 + 10);
}

TEST(ScatterNetworks, MapsStaySmall) {
  EXPECT_EQ(suitable_scattering(28, 28).scales, 2);
  EXPECT_EQ(suitable_scattering(32, 32).scales, 2);
  EXPECT_EQ(suitable_scattering(64, 48).scales, 3);
  EXPECT_EQ(suitable_scattering(128, 128).scales, 4);
  EXPECT_EQ(suitable_scattering(128, 8).scales, 3) << "a side must span an average";
  EXPECT_THROW(suitable_scattering(7, 28), InvalidArgument);
  EXPECT_THROW(suitable_scattering(28, 129), InvalidArgument);
  EXPECT_THROW(make_model("scatter-linear", {{13}, 2}), std::invalid_argument);
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
