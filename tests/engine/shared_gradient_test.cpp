// Never: the same noise on two parameters, because autograd gave both one gradient.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/core/error.h"
#include "sotto/engine/bounded_model.h"
#include "sotto/engine/privacy_engine.h"

namespace sotto {
namespace {

using torch::Tensor;

struct TwoSummandsImpl : torch::nn::Module {
  TwoSummandsImpl() {
    first = register_parameter("first", torch::zeros({1, 2}));
    second = register_parameter("second", torch::zeros({1, 2}));
  }
  Tensor first, second;
};
TORCH_MODULE(TwoSummands);

// Of one record: its scores are x + first + second, so that the scores' gradient, handed out as it
// is, belongs to both parameters, and to whoever made it. Reached through a view, each parameter
// has a tensor of its own, over the same numbers.
class SummandsModel : public BoundedModel {
 public:
  SummandsModel(TwoSummands summands, bool by_view)
      : summands_(std::move(summands)), by_view_(by_view) {}

  std::vector<double> gradient_bounds(const std::vector<grad::NamedParameter>& parameters,
                                      double loss_gradient) const override {
    return std::vector<double>(parameters.size(), loss_gradient);
  }
  Tensor scores(const Tensor& inputs) override {
    const auto summand = [&](const Tensor& own) { return by_view_ ? own.t().t() : own; };
    return inputs + summand(summands_->first) + summand(summands_->second);
  }
  ScoreGradients score_gradients(const Tensor& scores, const Tensor& /*labels*/,
                                 double bound) const override {
    Tensor gradients = keep ? handed_out : torch::zeros({1, 2});
    return {torch::zeros({scores.size(0)}), gradients.fill_(bound / 2), norms};
  }
  void project() override {}

  bool keep = true;
  mutable Tensor handed_out = torch::zeros({1, 2});
  Tensor norms = torch::zeros({1}, torch::kDouble);

 private:
  TwoSummands summands_;
  bool by_view_;
};

class SharedGradientTest : public testing::TestWithParam<bool> {
 protected:
  static Plan plan() {
    PlanOptions options;
    options.dataset_size = options.batch_size = 1;
    options.steps = 1;
    options.sampling = accounting::Sampling::kNone;
    options.noise_multiplier = 1;
    options.bounded = BoundedNoise{NoiseStrategy::kGlobal, {}, {1, 1}};
    return Plan(options);
  }

  void step() {
    PrivacyEngine engine(model, *summands, optimizer, plan(),
                         {.max_physical_batch_size = 1, .insecure_seed = 1});
    ASSERT_TRUE(engine.next_batch());
    engine.step(torch::zeros({1, 2}), torch::zeros({1}, torch::kLong));
  }

  TwoSummands summands;
  SummandsModel model{summands, GetParam()};
  torch::optim::SGD optimizer{summands->parameters(), 1.0};
};

TEST_P(SharedGradientTest, EachParameterHasNoiseOfItsOwn) {
  for (const bool keep : {true, false}) {
    model.keep = keep;
    summands->first.detach().zero_();
    summands->second.detach().zero_();
    step();
    EXPECT_FALSE(torch::equal(summands->first, summands->second)) << keep;
  }
}

TEST_P(SharedGradientTest, WhatTheModelKeepsStaysAsItIs) {
  step();
  EXPECT_TRUE(torch::equal(model.handed_out, torch::full({1, 2}, 0.5)));
}

// Never: a sample counted twice by the threshold that follows the data.
TEST_P(SharedGradientTest, NormsThatAreNotOneASampleAreRefused) {
  for (const Tensor& norms : {torch::zeros({2}, torch::kDouble), torch::zeros({1}),
                              torch::zeros({1, 1}, torch::kDouble)}) {
    model.norms = norms;
    EXPECT_THROW(step(), InvalidArgument);
  }
}

INSTANTIATE_TEST_SUITE_P(ByView, SharedGradientTest, testing::Bool());

}  // namespace
}  // namespace sotto
