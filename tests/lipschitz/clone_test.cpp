#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/lipschitz/lipschitz_model.h"

namespace sotto::lipschitz {
namespace {

TEST(CloneTest, NetworksCloneWithParametersOfTheirOwn) {
  for (const auto& name : network_names()) {
    torch::manual_seed(1);
    auto network = make_network(name, {{1, 8, 8}, 3});
    auto copy = torch::nn::Sequential(
        std::dynamic_pointer_cast<torch::nn::SequentialImpl>(network->clone()));
    const auto x = torch::randn({2, 1, 8, 8});
    const auto before = network->forward(x);
    EXPECT_TRUE(torch::equal(before, copy->forward(x))) << name;
    torch::NoGradGuard no_gradients;
    for (auto& parameter : copy->parameters()) parameter.zero_();
    EXPECT_TRUE(torch::equal(before, network->forward(x))) << name;
    EXPECT_EQ(copy->forward(x).abs().max().item<float>(), 0) << name;
  }
}

}  // namespace
}  // namespace sotto::lipschitz
