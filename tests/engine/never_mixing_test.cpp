// Never: BatchNorm or any operation that mixes samples; a loss that averages over the batch.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/core/error.h"
#include "sotto/engine/inspector.h"
#include "sotto/engine/privacy_engine.h"
#include "tests/grad/oracle.h"

namespace sotto {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

struct MixedNetImpl : nn::Module {
  MixedNetImpl() {
    first = register_module("first", nn::Linear(6, 5));
    second = register_module("second", nn::Linear(5, 4));
  }
  Tensor hidden(const Tensor& x) { return torch::tanh(first(x)); }
  Tensor losses_of(const Tensor& h) { return second(h).square().sum(1); }

  nn::Linear first{nullptr}, second{nullptr};
};

using MixedLosses = std::function<Tensor(MixedNetImpl& net, const Tensor& x)>;

Tensor well_separated(MixedNetImpl& net, const Tensor& x) { return net.losses_of(net.hidden(x)); }

class NeverMixing : public testing::Test {
 protected:
  NeverMixing() { torch::manual_seed(9); }

  // The bug itself, without any guard: does another companion change a sample's own gradient?
  bool mixes(const MixedLosses& losses) {
    const auto gradient = [&](const Tensor& batch) {
      const Tensor all = losses(*net, batch);
      return torch::autograd::grad({all.dim() == 0 ? all : all[0]}, net->parameters(), {}, {},
                                   false, true)[0];
    };
    Tensor other = x.clone();
    other.narrow(0, 1, 4) += 5;
    return !torch::allclose(gradient(x), gradient(other), 1e-4, 1e-7);
  }

  // The engine refuses such losses: nothing moves, nothing is charged.
  bool refused(const MixedLosses& losses) {
    torch::optim::SGD optimizer(net->parameters(), 1.0);
    PlanOptions plan;
    plan.dataset_size = plan.batch_size = x.size(0);
    plan.steps = 1;
    plan.noise_multiplier = 1;
    plan.sampling = accounting::Sampling::kNone;
    auto engine = make_private(*net, optimizer, plan);
    const Tensor before = net->first->weight.detach().clone();
    const auto batch = engine.next_batch();
    try {
      engine.step(losses(*net, x.index_select(0, batch->indices)));
    } catch (const InvalidArgument&) {
      EXPECT_EQ(engine.steps(), 0);
      EXPECT_TRUE(torch::equal(before, net->first->weight));
      return true;
    }
    return false;
  }

  // Only the comparison with batches of one can see these.
  bool found_by_selfcheck(const MixedLosses& losses) {
    return !selfcheck([&](std::int64_t begin,
                          std::int64_t n) { return losses(*net, x.narrow(0, begin, n)); },
                      x.size(0), grad::named_parameters(*net))
                .passed();
  }

  std::shared_ptr<MixedNetImpl> net = std::make_shared<MixedNetImpl>();
  Tensor x = torch::randn({5, 6});  // as many samples as hidden units: shapes do not give it away
};

TEST_F(NeverMixing, SeparateSamplesPass) {
  EXPECT_FALSE(mixes(well_separated));
  EXPECT_FALSE(refused(well_separated));
  EXPECT_FALSE(found_by_selfcheck(well_separated));
}

TEST_F(NeverMixing, BatchNormModule) {
  nn::Sequential model(nn::Linear(6, 5), nn::BatchNorm1d(5));
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  PlanOptions plan;
  plan.dataset_size = 10;
  plan.batch_size = 5;
  plan.steps = 1;
  plan.noise_multiplier = 1;
  EXPECT_THROW(make_private(*model, optimizer, plan), InvalidArgument);
}

TEST_F(NeverMixing, BatchNormFunction) {
  const auto bug = [](MixedNetImpl& net, const Tensor& x) {
    return net.losses_of(torch::batch_norm(net.hidden(x), {}, {}, {}, {}, true, 0.1, 1e-5, false));
  };
  EXPECT_TRUE(mixes(bug));
  EXPECT_TRUE(refused(bug));
}

TEST_F(NeverMixing, LossAveragedOverTheBatch) {
  const auto scalar = [](MixedNetImpl& net, const Tensor& x) {
    return well_separated(net, x).mean();
  };
  const auto spread = [](MixedNetImpl& net, const Tensor& x) {
    return well_separated(net, x).mean().expand({x.size(0)});
  };
  EXPECT_TRUE(mixes(scalar));
  EXPECT_TRUE(refused(scalar));
  EXPECT_TRUE(mixes(spread));
  EXPECT_TRUE(refused(spread));
}

TEST_F(NeverMixing, ActivationsCentredOverTheBatch) {
  const auto bug = [](MixedNetImpl& net, const Tensor& x) {
    const Tensor h = net.hidden(x);
    return net.losses_of(h - h.mean(0, /*keepdim=*/true));
  };
  EXPECT_TRUE(mixes(bug));
  EXPECT_TRUE(refused(bug));
}

TEST_F(NeverMixing, SoftmaxOverTheBatch) {
  const auto bug = [](MixedNetImpl& net, const Tensor& x) {
    return net.losses_of(torch::softmax(net.hidden(x), 0));
  };
  EXPECT_TRUE(mixes(bug));
  EXPECT_TRUE(refused(bug));
}

TEST_F(NeverMixing, AttentionBetweenSamples) {
  const auto bug = [](MixedNetImpl& net, const Tensor& x) {
    const Tensor h = net.hidden(x);
    return net.losses_of(torch::softmax(torch::mm(h, h.t()), 1).mm(h));
  };
  EXPECT_TRUE(mixes(bug));
  EXPECT_TRUE(refused(bug));
}

TEST_F(NeverMixing, LossSummedOverTheWrongAxis) {
  const auto bug = [](MixedNetImpl& net, const Tensor& x) { return net.hidden(x).sum(0); };
  EXPECT_TRUE(mixes(bug));
  EXPECT_TRUE(refused(bug));
}

TEST_F(NeverMixing, LossesInAnotherOrder) {
  const auto bug = [](MixedNetImpl& net, const Tensor& x) {
    return well_separated(net, x).flip(0);
  };
  EXPECT_TRUE(mixes(bug));
  EXPECT_TRUE(refused(bug));
}

// Documented as accepted by the engine: no graph shows them.
TEST_F(NeverMixing, StatisticsOfTheBatchAsConstants) {
  const auto inputs = [](MixedNetImpl& net, const Tensor& x) {
    return well_separated(net, x - x.mean(0));
  };
  const auto detached = [](MixedNetImpl& net, const Tensor& x) {
    const Tensor h = net.hidden(x);
    return net.losses_of(h / h.detach().std(0));
  };
  EXPECT_TRUE(mixes(inputs));
  EXPECT_TRUE(found_by_selfcheck(inputs));
  EXPECT_TRUE(mixes(detached));
  EXPECT_TRUE(found_by_selfcheck(detached));
}

}  // namespace
}  // namespace sotto
