// The never list on the fused path. Sampling, noise, divisor, ledger and thresholds are the same
// code; what is its own is gradients, clipping and adding up. From one seed, both paths must make
// the same training.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "sotto/core/error.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/grad/grad.h"

namespace sotto {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
using torch::Tensor;

struct FusedOutcome {
  Tensor weights;
  double bound = 0;
  std::int64_t steps = 0;
  std::int64_t discarded = 0;
  std::int64_t clipped = 0;
};

enum class Path { kGraph, kFused };

class NeverFused : public testing::Test {
 protected:
  static constexpr std::int64_t kRecords = 60;

  NeverFused() {
    torch::manual_seed(5);
    inputs = torch::randn({kRecords, 1, 6, 6});
    labels = torch::randint(3, {kRecords});
    model = nn::Sequential(nn::Conv2d(nn::Conv2dOptions(1, 4, 3)), nn::Tanh(), nn::Flatten(),
                           nn::Linear(64, 16), nn::ReLU(), nn::Linear(16, 3));
    for (const auto& parameter : model->parameters()) start.push_back(parameter.detach().clone());
  }

  static PlanOptions fused_plan(const Clipping& clipping) {
    PlanOptions plan;
    plan.dataset_size = kRecords;
    plan.batch_size = 12;
    plan.steps = 8;
    plan.noise_multiplier = 0.5;
    plan.max_grad_norm = 0.3;
    plan.clipping = clipping;
    if (auto* adaptive = std::get_if<AdaptiveClipping>(&plan.clipping)) adaptive->count_noise = 3;
    return plan;
  }

  void begin_anew() {
    torch::NoGradGuard no_gradients;
    auto parameters = model->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].copy_(start[i]);
  }

  std::unique_ptr<grad::FusedModel> compiled() const {
    auto [fused, reason] = grad::FusedModel::compile(model, {.sample_shape = {1, 6, 6}});
    EXPECT_NE(fused, nullptr) << reason;
    return std::move(fused);
  }

  FusedOutcome run(Path path, const PlanOptions& plan, std::int64_t parts = 0) {
    begin_anew();
    torch::optim::SGD optimizer(model->parameters(), 0.5);
    auto engine = make_private(*model, optimizer, plan,
                               {.max_physical_batch_size = parts, .insecure_seed = 11});
    const auto fused = compiled();
    FusedOutcome outcome;
    while (const auto batch = engine.next_batch()) {
      const auto report = path == Path::kFused
                              ? engine.step(*fused, {inputs, labels, batch->indices})
                              : engine.step(losses(batch->indices));
      outcome.clipped += report.clipped;
    }
    std::vector<Tensor> flat;
    for (const auto& parameter : model->parameters()) flat.push_back(parameter.detach().flatten());
    outcome.weights = torch::cat(flat);
    outcome.bound = engine.max_grad_norm();
    outcome.steps = engine.steps();
    outcome.discarded = engine.discarded();
    return outcome;
  }

  Tensor losses(const Tensor& records) {
    return F::cross_entropy(model->forward(inputs.index_select(0, records)),
                            labels.index_select(0, records),
                            F::CrossEntropyFuncOptions().reduction(torch::kNone));
  }

  // "" if both did the same, up to `apart`: noised numbers that lie where two multiples of the grid
  // meet may be rounded either way.
  static std::string difference(const FusedOutcome& a, const FusedOutcome& b, double apart = 1e-5) {
    if (a.steps != b.steps) return "steps";
    if (a.discarded != b.discarded) return "discarded";
    if (a.clipped != b.clipped) return "clipped";
    if (std::abs(a.bound / b.bound - 1) > 1e-9) return "threshold";
    return torch::allclose(a.weights, b.weights, 1e-4, apart) ? "" : "weights";
  }

  Tensor inputs, labels;
  nn::Sequential model{nullptr};
  std::vector<Tensor> start;
};

TEST_F(NeverFused, TrainsAsTheGraphDoesHoweverItClipsAndWhateverTheParts) {
  for (const Clipping& clipping : {Clipping(FlatClipping{}), Clipping(PerLayerClipping{}),
                                   Clipping(AutomaticClipping{}), Clipping(AdaptiveClipping{})}) {
    const auto graph = run(Path::kGraph, fused_plan(clipping));
    EXPECT_GT(graph.clipped, 10);
    for (const std::int64_t parts : {0, 1, 5}) {
      EXPECT_EQ(difference(run(Path::kFused, fused_plan(clipping), parts), graph), "")
          << to_string(clipping) << ' ' << parts;
    }
  }
}

// The comparison sees a threshold, a divisor or a noise that is off by a little.
TEST_F(NeverFused, TheComparisonIsNotBlind) {
  const auto graph = run(Path::kGraph, fused_plan(FlatClipping{}));
  auto plan = fused_plan(FlatClipping{});
  plan.max_grad_norm = 0.301;
  EXPECT_EQ(difference(run(Path::kFused, plan), graph), "threshold");
  plan = fused_plan(FlatClipping{});
  plan.noise_multiplier = 0.501;
  EXPECT_EQ(difference(run(Path::kFused, plan), graph), "weights");
}

TEST_F(NeverFused, EmptyBatches) {
  auto plan = fused_plan(FlatClipping{});
  plan.batch_size = 1;
  plan.steps = 30;
  // Batches of 1: a step of the grid is not divided by many.
  EXPECT_EQ(difference(run(Path::kFused, plan), run(Path::kGraph, plan), 4e-4), "");
}

TEST_F(NeverFused, NanAndInfinityOfOneRecord) {
  auto plan = fused_plan(FlatClipping{});
  plan.batch_size = kRecords;
  plan.sampling = accounting::Sampling::kNone;
  plan.steps = 2;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    inputs[7].fill_(bad);
    const auto fused = run(Path::kFused, plan);
    EXPECT_EQ(fused.discarded, 2);
    EXPECT_TRUE(fused.weights.isfinite().all().item<bool>());
    EXPECT_EQ(difference(fused, run(Path::kGraph, plan)), "");
  }
}

TEST_F(NeverFused, ParametersThatItDoesNotClip) {
  begin_anew();
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  auto plan = fused_plan(FlatClipping{});
  plan.batch_size = kRecords;
  plan.sampling = accounting::Sampling::kNone;  // an empty batch would be charged at once
  auto engine = make_private(*model, optimizer, plan);
  nn::Sequential other(nn::Flatten(), nn::Linear(36, 3));
  const auto fused = grad::FusedModel::compile(other, {.sample_shape = {1, 6, 6}}).model;
  ASSERT_NE(fused, nullptr);
  const auto batch = engine.next_batch();
  EXPECT_THROW(engine.step(*fused, {inputs, labels, batch->indices}), InvalidArgument);
  EXPECT_EQ(engine.steps(), 0);
}

TEST_F(NeverFused, OtherSamplesThanWereDrawnOrTheSameTwice) {
  auto plan = fused_plan(FlatClipping{});
  plan.batch_size = kRecords;
  plan.sampling = accounting::Sampling::kNone;
  plan.steps = 1;
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  auto engine = make_private(*model, optimizer, plan);
  const auto fused = compiled();
  EXPECT_THROW(engine.step(*fused, {inputs, labels, torch::arange(kRecords)}), std::logic_error);
  const auto batch = engine.next_batch();
  const Tensor fewer = batch->indices.narrow(0, 0, 5);
  EXPECT_THROW(engine.step(*fused, {inputs, labels, fewer}), InvalidArgument);
  engine.step(*fused, {inputs, labels, batch->indices});
  EXPECT_THROW(engine.step(*fused, {inputs, labels, batch->indices}), std::logic_error);
  EXPECT_EQ(engine.steps(), 1);
}

}  // namespace
}  // namespace sotto
