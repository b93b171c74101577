// What mixes samples is refused, by name.
#include <gtest/gtest.h>
#include <torch/jit.h>
#include <torch/torch.h>

#include "grad/libtorch/nodes.h"
#include "tests/grad/oracle.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
using torch::Tensor;

std::string refusal(const Tensor& losses, const nn::Module& module) {
  try {
    const PerSampleGradients gradients(losses, named_parameters(module));
  } catch (const NotSeparable& error) {
    return error.what();
  }
  return "";
}

struct NetImpl : nn::Module {
  NetImpl() {
    first = register_module("first", nn::Linear(6, 5));
    norm = register_module("norm", nn::BatchNorm1d(5));
    second = register_module("second", nn::Linear(5, 4));
  }
  nn::Linear first{nullptr}, second{nullptr};
  nn::BatchNorm1d norm{nullptr};
};

class SeparabilityTest : public testing::Test {
 protected:
  std::shared_ptr<NetImpl> net = std::make_shared<NetImpl>();
  Tensor x = torch::randn({5, 6});  // as many samples as features: shapes alone do not tell

  Tensor hidden() { return torch::relu(net->first(x)); }
};

TEST_F(SeparabilityTest, BatchNormIsNamed) {
  const auto text = refusal(net->second(net->norm(net->first(x))).square().sum(1), *net);
  EXPECT_NE(text.find("batch normalisation"), std::string::npos) << text;
  EXPECT_NE(text.find("norm."), std::string::npos) << text;
  EXPECT_NE(text.find("GroupNorm"), std::string::npos) << text;
}

TEST_F(SeparabilityTest, LossMustBeAVector) {
  EXPECT_NE(refusal(net->second(hidden()).sum(), *net).find("one value per sample"),
            std::string::npos);
  EXPECT_NE(refusal(net->second(hidden()), *net).find("[5, 4]"), std::string::npos);
}

TEST_F(SeparabilityTest, AveragedLossSpreadOverTheBatch) {
  const Tensor mean = net->second(hidden()).square().mean();
  EXPECT_NE(refusal(mean.expand({5}), *net), "");
  EXPECT_NE(refusal(mean.repeat({5}), *net), "");
}

TEST_F(SeparabilityTest, SubtractingTheBatchMean) {
  const Tensor losses = net->second(hidden()).square().sum(1);
  EXPECT_NE(refusal(losses - losses.mean(), *net), "");
  const Tensor h = hidden();
  EXPECT_NE(refusal(net->second(h - h.mean(0)).square().sum(1), *net), "");
  EXPECT_NE(refusal(net->second(h - h.mean(0, true)).square().sum(1), *net), "");
}

TEST_F(SeparabilityTest, SoftmaxOverTheBatch) {
  EXPECT_NE(refusal(torch::softmax(net->second(hidden()), 0).square().sum(1), *net), "");
  EXPECT_EQ(refusal(torch::softmax(net->second(hidden()), 1).square().sum(1), *net), "");
}

TEST_F(SeparabilityTest, SumOverTheWrongAxis) {
  const Tensor square = torch::relu(net->first(x));  // (5, 5)
  EXPECT_NE(refusal(square.sum(0), *net), "");
  EXPECT_EQ(refusal(square.sum(1), *net), "");
}

TEST_F(SeparabilityTest, TransposedCopyAdded) {
  const Tensor square = torch::relu(net->first(x));
  EXPECT_NE(refusal((square + square.t()).square().sum(1), *net), "");
}

TEST_F(SeparabilityTest, SimilaritiesBetweenSamples) {
  const Tensor h = hidden();
  EXPECT_NE(refusal(torch::mm(h, h.t()).square().sum(1), *net), "");
  EXPECT_NE(refusal(torch::log_softmax(torch::mm(h, h.t()), 1).diagonal(), *net), "");
}

TEST_F(SeparabilityTest, SamplesPickedOrReordered) {
  const Tensor h = net->second(hidden()).square().sum(1);
  EXPECT_NE(refusal(h.flip(0), *net), "");
  EXPECT_NE(refusal(h.roll(1), *net), "");
  EXPECT_NE(refusal(h.index_select(0, torch::tensor({1, 0, 2, 3, 4})), *net), "");
  EXPECT_NE(refusal(torch::cumsum(h, 0), *net), "");
  EXPECT_NE(refusal(torch::cat({h.slice(0, 1, 5), h.slice(0, 0, 1)}), *net), "");
}

TEST_F(SeparabilityTest, ParameterAsLargeAsTheBatch) {
  struct PositionImpl : nn::Module {
    PositionImpl() { place = register_parameter("place", torch::randn({5, 6})); }
    Tensor place;
  };
  const auto module = std::make_shared<PositionImpl>();
  EXPECT_NE(refusal((x * module->place).sum(1), *module).find("position in the batch"),
            std::string::npos);
}

TEST_F(SeparabilityTest, DataInTheSharedPart) {
  const Tensor statistic = (net->first->weight * x).mean();  // (5, 6) data times (5, 6) weight
  EXPECT_NE(refusal(net->second(hidden()).square().sum(1) * statistic, *net), "");
  Tensor leaf = torch::randn({5, 6}).requires_grad_();
  EXPECT_NE(
      refusal(net->second(hidden()).square().sum(1) * (net->first->weight * leaf).sum(), *net), "");
}

TEST_F(SeparabilityTest, WeightPenaltyIsAllowed) {
  const Tensor penalty = net->first->weight.square().sum();
  EXPECT_EQ(refusal(net->second(hidden()).square().sum(1) + 0.1 * penalty, *net), "");
}

TEST_F(SeparabilityTest, EmbeddingScaledByFrequency) {
  nn::Embedding words(nn::EmbeddingOptions(5, 3).scale_grad_by_freq(true));
  const Tensor losses = words(torch::randint(5, {4, 2})).square().sum({1, 2});
  EXPECT_NE(refusal(losses, *words).find("how often"), std::string::npos);
}

TEST_F(SeparabilityTest, HooksCouldMixSamples) {
  Tensor h = hidden();
  h.register_hook([](const Tensor& g) { return g - g.mean(0, true); });
  EXPECT_NE(refusal(net->second(h).square().sum(1), *net).find("hook"), std::string::npos);
}

// An operation of the user's own that only bears the name of a known one.
struct MulBackward0 : torch::autograd::Node {
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    return {gradients[0].sum(0, true).expand_as(gradients[0])};
  }
  std::string name() const override { return "mine::MulBackward0"; }
};

TEST_F(SeparabilityTest, ForeignNodesAreNotTrustedByName) {
  const Tensor h = hidden();
  const auto node = make_node<MulBackward0>();
  node->set_next_edges(torch::autograd::collect_next_edges(h));
  Tensor out = h.detach().clone();
  torch::autograd::create_gradient_edge(out, node);
  EXPECT_NE(refusal(out.square().sum(1), *net), "");
}

// After a few calls TorchScript's executor makes one node of several operations.
TEST_F(SeparabilityTest, CompiledGraphsAreNamed) {
  const auto unit = torch::jit::compile(R"(
def scores(x, weight, bias):
    return torch.sigmoid(torch.matmul(x, weight.t()) + bias) * torch.tanh(bias)
)");
  std::string text;
  for (int call = 0; call < 5 && text.empty(); ++call) {
    const Tensor scores =
        unit->run_method("scores", x, net->first->weight, net->first->bias).toTensor();
    text = refusal(scores.square().sum(1), *net);
  }
  EXPECT_NE(text.find("compiled graph"), std::string::npos) << text;
}

TEST_F(SeparabilityTest, LossesThatAreAParameter) {
  struct OnlyImpl : nn::Module {
    OnlyImpl() { w = register_parameter("w", torch::randn({5})); }
    Tensor w;
  };
  const auto module = std::make_shared<OnlyImpl>();
  EXPECT_NE(refusal(module->w, *module), "");
}

TEST_F(SeparabilityTest, CoarseNumbersAreRefused) {
  struct ScaleImpl : nn::Module {
    ScaleImpl() { w = register_parameter("w", torch::ones({6}, torch::kBFloat16)); }
    Tensor w;
  };
  const auto coarse = std::make_shared<ScaleImpl>();
  const Tensor losses = (x.to(torch::kBFloat16) * coarse->w).sum(1).to(torch::kFloat);
  EXPECT_NE(refusal(losses, *coarse).find("neither float nor double"), std::string::npos);
}

TEST_F(SeparabilityTest, UnknownOperationsFailClosed) {
  const Tensor sorted = std::get<0>(torch::sort(net->second(hidden()), 1));
  EXPECT_NE(refusal(sorted.square().sum(1), *net).find("not known to keep samples apart"),
            std::string::npos);
}

}  // namespace
}  // namespace sotto::grad
