// Never: the same noise on two parameters, because autograd gave both one gradient.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/private/bounded_model.h"
#include "sotto/private/privacy_engine.h"

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
// is, belongs to both parameters, and to whoever made it.
class SummandsModel : public BoundedModel {
 public:
  explicit SummandsModel(TwoSummands summands) : summands_(std::move(summands)) {}

  std::vector<double> gradient_bounds(const std::vector<grad::NamedParameter>& parameters,
                                      double loss_gradient) const override {
    return std::vector<double>(parameters.size(), loss_gradient);
  }
  Tensor scores(const Tensor& inputs) override {
    return inputs + summands_->first + summands_->second;
  }
  ScoreGradients score_gradients(const Tensor& scores, const Tensor& /*labels*/,
                                 double bound) const override {
    return {torch::zeros({scores.size(0)}), handed_out.fill_(bound / 2),
            torch::zeros({scores.size(0)}, torch::kDouble)};
  }
  void project() override {}

  mutable Tensor handed_out = torch::zeros({1, 2});

 private:
  TwoSummands summands_;
};

TEST(SharedGradientTest, EachParameterHasNoiseOfItsOwn) {
  TwoSummands summands;
  SummandsModel model(summands);
  torch::optim::SGD optimizer(summands->parameters(), 1.0);
  PlanOptions options;
  options.dataset_size = options.batch_size = 1;
  options.steps = 1;
  options.sampling = accounting::Sampling::kNone;
  options.noise_multiplier = 1;
  options.bounded = BoundedNoise{NoiseStrategy::kGlobal, {}, {1, 1}};
  PrivacyEngine engine(model, *summands, optimizer, Plan(options), {.insecure_seed = 1});
  ASSERT_TRUE(engine.next_batch());
  engine.step(torch::zeros({1, 2}), torch::zeros({1}, torch::kLong));
  EXPECT_FALSE(torch::equal(summands->first, summands->second));
  EXPECT_TRUE(torch::equal(model.handed_out, torch::full({1, 2}, 0.5)));
}

}  // namespace
}  // namespace sotto
