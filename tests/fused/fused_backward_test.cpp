// FusedModel::backward() against zero_grad() and autograd's backward().
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/core/error.h"
#include "sotto/grad/grad.h"
#include "sotto/models/models.h"

namespace sotto::grad {
namespace {

class FusedBackwardTest : public testing::Test {
 protected:
  FusedBackwardTest() {
    for (auto& parameter : model_[0]->parameters()) parameter.set_requires_grad(false);
    fused_ = FusedModel::compile(model_, {.sample_shape = {1, 28, 28}}).model;
  }

  torch::Tensor losses(const torch::Tensor& records) {
    return torch::nn::functional::cross_entropy(
        model_->forward(inputs_.index_select(0, records)), labels_.index_select(0, records),
        torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone));
  }

  torch::nn::Sequential model_ = models::make_model("cnn", {{1, 28, 28}, 10});
  torch::Tensor inputs_ = torch::randn({12, 1, 28, 28});
  torch::Tensor labels_ = torch::randint(10, {12});
  std::unique_ptr<FusedModel> fused_;
};

TEST_F(FusedBackwardTest, LeavesTheGradientsThatAutogradLeaves) {
  for (const auto& records :
       {torch::tensor({4}), torch::tensor({11, 0, 7, 7}), torch::arange(12)}) {
    model_->zero_grad();
    const auto expected = losses(records);
    expected.mean().backward();
    std::vector<torch::Tensor> gradients;
    for (const auto& parameter : model_->parameters()) gradients.push_back(parameter.grad());
    // Gradients of an earlier step are replaced, not added to.
    for (auto& parameter : model_->parameters()) parameter.mutable_grad() = torch::Tensor();
    fused_->backward({inputs_, labels_});
    EXPECT_TRUE(
        torch::allclose(fused_->backward({inputs_, labels_, records}), expected, 1e-4, 1e-5));
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const auto found = model_->parameters()[i].grad();
      ASSERT_EQ(found.defined(), gradients[i].defined()) << i;
      if (!found.defined()) continue;
      EXPECT_TRUE(torch::allclose(found, gradients[i], 1e-3, 1e-5)) << i;
    }
  }
}

TEST_F(FusedBackwardTest, RefusesAnEmptyBatchAndKeepsTheGradients) {
  fused_->backward({inputs_, labels_});
  const auto before = fused_->parameters()[0].tensor.grad().clone();
  EXPECT_THROW(fused_->backward({inputs_, labels_, torch::empty({0}, torch::kLong)}),
               InvalidArgument);
  EXPECT_TRUE(fused_->parameters()[0].tensor.grad().equal(before));
}

}  // namespace
}  // namespace sotto::grad
