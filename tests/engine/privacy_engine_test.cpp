#include "sotto/engine/privacy_engine.h"

#include <cmath>

#include "plan/clip_rule.h"
#include "plan/ledger.h"
#include "sotto/core/error.h"
#include "tests/engine/training_fixture.h"

namespace sotto {
namespace {

using torch::Tensor;

constexpr double kNoNoise = 1e-12;

class PrivacyEngineTest : public TrainingFixture {
 protected:
  // The mean of clipped gradients by a loop over batches of one, divided by the plan's batch size.
  Tensor clipped_mean(const Tensor& records, double bound, double divisor) {
    Tensor sum = torch::zeros_like(weights());
    for (std::int64_t i = 0; i < records.size(0); ++i) {
      const auto gradients =
          torch::autograd::grad({losses(records.narrow(0, i, 1)).sum()}, model->parameters());
      std::vector<Tensor> flat;
      for (const auto& gradient : gradients) flat.push_back(gradient.flatten());
      const Tensor g = torch::cat(flat);
      sum += g * std::min(1.0, bound / (g.norm().item<double>() * kRoundingMargin));
    }
    return sum / divisor;
  }
};

// Never: dividing by the actual batch size; clip threshold and noise disagreeing.
TEST_F(PrivacyEngineTest, StepIsTheClippedSumOverThePlansBatchSize) {
  for (const std::int64_t physical : {0, 1, 3, 7}) {
    torch::optim::SGD optimizer(model->parameters(), /*lr=*/1.0);
    auto plan = options(kNoNoise, 5);
    plan.max_grad_norm = 0.3;
    auto engine = make_private(*model, optimizer, plan, {.max_physical_batch_size = physical});
    Tensor before = weights();
    std::vector<Tensor> records;
    Tensor expected = torch::zeros_like(before);
    while (auto batch = engine.next_batch()) {
      expected += clipped_mean(batch->indices.masked_select(batch->is_drawn), 0.3, 20);
      const auto report = engine.step(losses(batch->indices));
      ASSERT_EQ(report.stepped, batch->last_part);
      if (!report.stepped) continue;
      EXPECT_TRUE(torch::allclose(before - weights(), expected, 1e-4, 1e-6));
      before = weights();
      expected = torch::zeros_like(before);
    }
    EXPECT_EQ(engine.steps(), 5);
  }
}

TEST_F(PrivacyEngineTest, NoiseHasThePlansDeviationWhateverThePartsOfABatch) {
  for (const std::int64_t physical : {0, 4}) {
    model = torch::nn::Sequential(torch::nn::Linear(6, 2000), torch::nn::Linear(2000, 2));
    torch::optim::SGD optimizer(model->parameters(), 1.0);
    auto plan = options(/*noise_multiplier=*/50, 1);
    plan.max_grad_norm = 0.2;
    auto engine = make_private(*model, optimizer, plan, {.max_physical_batch_size = physical});
    const Tensor before = weights();
    train(engine);
    const Tensor change = before - weights();  // signal at most 0.2, noise 50 * 0.2 / 20 = 0.5
    EXPECT_NEAR(change.std().item<double>(), 0.5, 0.02) << physical;
  }
}

TEST_F(PrivacyEngineTest, WorksWithEveryOptimizer) {
  const auto run = [&](torch::optim::Optimizer& optimizer) {
    const Tensor before = weights();
    auto engine = make_private(*model, optimizer, options());
    train(engine);
    EXPECT_FALSE(torch::equal(before, weights()));
  };
  torch::optim::SGD sgd(model->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  torch::optim::Adam adam(model->parameters(), 1e-2);
  torch::optim::AdamW adamw(model->parameters(), 1e-2);
  torch::optim::RMSprop rmsprop(model->parameters(), 1e-2);
  torch::optim::Adagrad adagrad(model->parameters(), 1e-2);
  for (torch::optim::Optimizer* optimizer :
       std::initializer_list<torch::optim::Optimizer*>{&sgd, &adam, &adamw, &rmsprop, &adagrad}) {
    run(*optimizer);
  }
  torch::optim::LBFGS lbfgs(model->parameters());
  EXPECT_THROW(make_private(*model, lbfgs, options()), InvalidArgument);
}

TEST_F(PrivacyEngineTest, LearnsWithLittleNoise) {
  torch::optim::Adam optimizer(model->parameters(), 0.05);
  auto engine = make_private(*model, optimizer, options(0.5, 150));
  const Tensor all = torch::arange(kRecords);
  const double before = losses(all).mean().item<double>();
  train(engine);
  EXPECT_LT(losses(all).mean().item<double>(), 0.5 * before);
}

TEST_F(PrivacyEngineTest, SpendIsWhatTheAccountantSaysOfThePlan) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto engine = make_private(*model, optimizer, options(1, 10));
  EXPECT_EQ(engine.privacy_spent(1e-5).epsilon, 0);
  train(engine);
  const auto expected = accounting::cost_at_delta(
      accounting::Composition(accounting::PoissonGaussianEvent(0.1, 1), 10),
      accounting::Neighbours(), 1e-5);
  const auto spent = engine.privacy_spent(1e-5).epsilon;
  EXPECT_GE(spent, *expected.epsilon_lower);
  EXPECT_NEAR(spent, expected.epsilon, 1e-5);  // too few places are in it
  accounting::AccountingOptions rdp;
  rdp.accountant = accounting::Accountant::kRdp;
  EXPECT_TRUE(engine.privacy_spent(1e-5, rdp).order.has_value());
}

TEST_F(PrivacyEngineTest, CalibratesToATarget) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto engine = make_private_with_epsilon(*model, optimizer, {2, 1e-5}, options(0, 30));
  train(engine);
  EXPECT_EQ(engine.steps(), 30);
  EXPECT_LE(engine.privacy_spent(1e-5).epsilon, 2);
  EXPECT_GT(engine.privacy_spent(1e-5).epsilon, 1.99);
}

// Never: a step executed after the budget is gone.
TEST_F(PrivacyEngineTest, StopsBeforeTheStepThatWouldExceedTheTarget) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto engine = make_private(*model, optimizer, options(1, 1000),
                             {.target = accounting::EpsilonDelta{2, 1e-5}});
  train(engine);
  EXPECT_LT(engine.steps(), 1000);
  EXPECT_LE(engine.privacy_spent(1e-5).epsilon, 2);
  const auto one_more = accounting::cost_at_delta(engine.plan().composition(engine.steps() + 1),
                                                  engine.plan().neighbours(), 1e-5);
  EXPECT_GT(one_more.epsilon, 2);
  EXPECT_FALSE(engine.next_batch().has_value());
}

// Never: an empty Poisson batch skipped.
TEST_F(PrivacyEngineTest, EmptyBatchesAreNoisedSteppedAndCharged) {
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  auto plan = options(1, 200);
  plan.batch_size = 1;  // a third of the batches is empty
  auto engine = make_private(*model, optimizer, plan);
  std::int64_t empty = 0;
  Tensor before = weights();
  while (auto batch = engine.next_batch()) {
    const bool changed = !torch::equal(before, weights());  // before its losses are asked for
    EXPECT_EQ(changed, batch->size() == 0);
    empty += changed ? 1 : 0;
    engine.step(losses(batch->indices));
    before = weights();
  }
  EXPECT_EQ(engine.steps(), 200);
  EXPECT_GT(empty, 20);
  EXPECT_LT(empty, 120);
}

TEST_F(PrivacyEngineTest, ABatchIsUsedExactlyOnce) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto plan = options();
  plan.batch_size = 100;
  auto engine = make_private(*model, optimizer, plan);
  EXPECT_THROW(engine.step(losses(torch::arange(3))), std::logic_error);
  const auto batch = engine.next_batch();
  ASSERT_TRUE(batch);
  EXPECT_THROW(engine.next_batch(), std::logic_error);
  EXPECT_THROW(engine.checkpoint(), std::logic_error);
  const Tensor values = losses(batch->indices);
  EXPECT_THROW(engine.step(values.mean()), InvalidArgument);           // averaged
  EXPECT_THROW(engine.step(values.narrow(0, 0, 2)), InvalidArgument);  // not all
  EXPECT_THROW(engine.step(values.detach()), InvalidArgument);
  engine.step(values);
  EXPECT_THROW(engine.step(values), std::logic_error);
}

// Never: a trainable parameter without per-sample gradient silently updated.
TEST_F(PrivacyEngineTest, RefusesParametersThatAreNotTheModels) {
  torch::nn::Linear other(2, 2);
  auto parameters = model->parameters();
  parameters.push_back(other->weight);
  torch::optim::SGD optimizer(parameters, 0.1);
  EXPECT_THROW(make_private(*model, optimizer, options()), InvalidArgument);
}

TEST_F(PrivacyEngineTest, ParametersNotReachedStillGetNoise) {
  struct HalfUsedImpl : torch::nn::Module {
    HalfUsedImpl() {
      used = register_module("used", torch::nn::Linear(6, 2));
      unused = register_module("unused", torch::nn::Linear(30, 30));
    }
    torch::nn::Linear used{nullptr}, unused{nullptr};
  };
  const auto net = std::make_shared<HalfUsedImpl>();
  torch::optim::SGD optimizer(net->parameters(), 1.0);
  auto engine = make_private(*net, optimizer, options(20, 1));
  const Tensor before = net->unused->weight.detach().clone();
  while (auto batch = engine.next_batch()) {
    engine.step(net->used(inputs.index_select(0, batch->indices)).square().sum(1));
  }
  EXPECT_NEAR((net->unused->weight.detach() - before).std().item<double>(), 1, 0.15);
}

TEST_F(PrivacyEngineTest, FrozenParametersStayAsTheyAre) {
  for (auto& parameter : model[0]->parameters()) parameter.set_requires_grad(false);
  const Tensor before = model[0]->parameters()[0].clone();
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  auto engine = make_private(*model, optimizer, options());
  train(engine);
  EXPECT_TRUE(torch::equal(before, model[0]->parameters()[0]));
}

// Never: a parameter that the engine does not know updated without noise.
TEST_F(PrivacyEngineTest, GradientsFromElsewhereDoNotReachTheOptimizer) {
  auto parameters = model[0]->parameters();
  parameters[1].mutable_grad() = torch::full_like(parameters[1], 8.0).detach();
  parameters[1].set_requires_grad(false);  // frozen after some other training
  const Tensor before = parameters[1].clone();
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  auto engine = make_private(*model, optimizer, options());
  train(engine);
  EXPECT_TRUE(torch::equal(before, parameters[1]));
  auto late = make_private(*model, optimizer, options());
  parameters[1].set_requires_grad(true);
  const auto batch = late.next_batch();
  EXPECT_THROW(late.step(losses(batch->indices)), InvalidArgument);
}

// Never: a seeded run that still claims privacy.
TEST_F(PrivacyEngineTest, SeededRunsRepeatAndClaimNothing) {
  std::vector<Tensor> results;
  for (int run = 0; run < 2; ++run) {
    torch::manual_seed(5);
    model = make_model();
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    auto engine = make_private(*model, optimizer, options(), {.insecure_seed = 9});
    train(engine);
    EXPECT_FALSE(engine.is_private());
    EXPECT_TRUE(std::isinf(engine.privacy_spent(1e-5).epsilon));
    results.push_back(weights());
  }
  EXPECT_TRUE(torch::equal(results[0], results[1]));
}

TEST_F(PrivacyEngineTest, TwoEnginesDoNotDisturbOneAnother) {
  auto other = make_model();
  torch::optim::SGD first(model->parameters(), 1.0);
  torch::optim::SGD second(other->parameters(), 1.0);
  auto plan = options(kNoNoise, 3);
  plan.sampling = accounting::Sampling::kNone;
  plan.batch_size = kRecords;
  auto engine = make_private(*model, first, plan);
  auto other_engine = make_private(*other, second, plan);
  const Tensor before = weights();
  const auto batch = engine.next_batch();
  const auto other_batch = other_engine.next_batch();
  const Tensor own = losses(batch->indices);
  // Losses that depend on both models: each engine takes its own parameters only.
  other_engine.step(own.detach() * other->forward(inputs).square().sum(1));
  EXPECT_TRUE(torch::equal(before, weights()));
  const Tensor expected = clipped_mean(batch->indices, 1, kRecords);
  engine.step(own);
  EXPECT_TRUE(torch::allclose(before - weights(), expected, 1e-4, 1e-6));
}

TEST_F(PrivacyEngineTest, BadSamplesAreCountedAndContributeNothing) {
  inputs[3].fill_(std::nan(""));
  auto plan = options(kNoNoise, 1);
  plan.sampling = accounting::Sampling::kNone;
  plan.batch_size = kRecords;
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  auto engine = make_private(*model, optimizer, plan);
  const auto batch = engine.next_batch();
  const auto report = engine.step(losses(batch->indices));
  EXPECT_EQ(report.discarded, 1);
  EXPECT_EQ(engine.discarded(), 1);
  EXPECT_TRUE(weights().isfinite().all().item<bool>());
}

// Never: a run that ends, uncharged, because of what single records hold. Whatever the samples are,
// the step is noised, charged and made.
TEST_F(PrivacyEngineTest, ABatchOfNothingButBadSamplesIsAStepLikeAnyOther) {
  inputs.fill_(std::nan(""));
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  auto plan = options();
  plan.batch_size = 100;
  auto engine = make_private(*model, optimizer, plan);
  const auto before = weights();
  const auto batch = engine.next_batch();
  EXPECT_TRUE(engine.step(losses(batch->indices)).stepped);
  EXPECT_EQ(engine.steps(), 1);
  EXPECT_TRUE(weights().isfinite().all().item<bool>());
  EXPECT_FALSE(weights().equal(before));
}

// What a checkpoint holds must follow from noised sums: how many samples are bad does not.
TEST_F(PrivacyEngineTest, ACheckpointDoesNotTellOfBadSamples) {
  const auto checkpoint = [&] {
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    auto engine = make_private(*model, optimizer, options());
    train(engine);
    return engine.checkpoint();
  };
  const auto without = checkpoint();
  inputs.narrow(0, 0, 100).fill_(NAN);
  EXPECT_EQ(checkpoint(), without);
}

// Never: one record that is not finite spoiling others where samples cannot be told apart; such
// models are refused whatever the data.
TEST_F(PrivacyEngineTest, RefusesOperationsThatDoNotIsolateSamples) {
  struct ScaledImpl : torch::nn::Module {
    ScaledImpl() { w = register_parameter("w", torch::rand({6}) + 1); }
    Tensor w;
  };
  ScaledImpl scaled;
  torch::optim::SGD optimizer(scaled.parameters(), 1.0);
  for (const std::int64_t physical : {0, 1}) {
    auto engine = make_private(scaled, optimizer, options(), {.max_physical_batch_size = physical});
    const auto batch = engine.next_batch();
    const Tensor own = (inputs.index_select(0, batch->indices) / scaled.w).square().sum(1);
    if (physical == 1) {
      EXPECT_NO_THROW(engine.step(own));
    } else {
      EXPECT_THROW(engine.step(own), grad::NotSeparable);
      EXPECT_EQ(engine.steps(), 0);
    }
  }
}

// Who acts after a fixed number of steps (a schedule, an average) must not be able to tell how many
// of them were empty: each is handed out, and step() may be called for it or not.
TEST_F(PrivacyEngineTest, EmptyBatchesAreHandedOut) {
  auto plan = options(1, 60);
  plan.batch_size = 1;  // a third of the batches are empty
  for (const bool use_empty : {true, false}) {
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    auto engine = make_private(*model, optimizer, plan);
    std::int64_t updates = 0;
    std::int64_t empty = 0;
    while (auto batch = engine.next_batch()) {
      if (use_empty || batch->size() > 0) {
        EXPECT_TRUE(engine.step(losses(batch->indices)).stepped);
        EXPECT_THROW(engine.step(losses(batch->indices)), std::logic_error);  // once
      }
      EXPECT_EQ(engine.steps(), ++updates);
      empty += batch->size() == 0 ? 1 : 0;
    }
    EXPECT_EQ(updates, 60);
    EXPECT_GT(empty, 0);
  }
}

TEST_F(PrivacyEngineTest, AnEmptyBatchHasNoLosses) {
  auto plan = options(1, 60);
  plan.batch_size = 1;
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto engine = make_private(*model, optimizer, plan);
  while (auto batch = engine.next_batch()) {
    if (batch->size() == 0) {
      EXPECT_THROW(engine.step(losses(torch::tensor({3}))), InvalidArgument);
      EXPECT_NO_THROW(engine.step(torch::empty({0})));  // depends on nothing, and need not
    } else {
      engine.step(losses(batch->indices));
    }
  }
  EXPECT_EQ(engine.steps(), 60);
}

}  // namespace
}  // namespace sotto
