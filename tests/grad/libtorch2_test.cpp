// Rules for what LibTorch 2 brought, and memory formats, against a batch-of-one loop.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <optional>

#include "sotto/core/error.h"
#include "tests/grad/oracle.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

class LibTorch2Test : public testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(11); }
};

// Kernels for pixels whose channels lie together take other ways than those for planes.
struct ChannelsLastImpl : nn::Module {
  ChannelsLastImpl() {
    first = register_module("first", nn::Conv2d(nn::Conv2dOptions(4, 8, 3).padding(1)));
    norm = register_module("norm", nn::GroupNorm(2, 8));
    second = register_module("second", nn::Conv2d(nn::Conv2dOptions(8, 6, 3).stride(2)));
  }
  Tensor forward(const Tensor& x) {
    const Tensor pixels = x.contiguous(torch::MemoryFormat::ChannelsLast);
    return second->forward(norm->forward(first->forward(pixels)).relu());
  }
  nn::Conv2d first{nullptr};
  nn::GroupNorm norm{nullptr};
  nn::Conv2d second{nullptr};
};

// LibTorch 1.13 cannot run them on nobody.
constexpr auto kWeightsOfChannelsLast =
    TORCH_VERSION_MAJOR >= 2 ? OnNothing::kRuns : OnNothing::kRefusedByLibTorch;

TEST_F(LibTorch2Test, ConvolutionsOfChannelsLast) {
  auto module = std::make_shared<ChannelsLastImpl>();
  expect_module_matches_oracle(module, normal({4, 9, 7}));
  for (auto& parameter : module->parameters()) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.contiguous(torch::MemoryFormat::ChannelsLast));
    }
  }
  expect_module_matches_oracle(module, normal({4, 9, 7}), kWeightsOfChannelsLast);
}

#if TORCH_VERSION_MAJOR >= 2

enum class Mask { kNone, kCausal, kGiven, kGivenAndTrained };

// Attention of all places to all, (N, length, width).
struct DotProductAttentionImpl : nn::Module {
  explicit DotProductAttentionImpl(Mask the_mask, std::int64_t length) : mask(the_mask) {
    project = register_module("project", nn::Linear(8, 24));
    if (mask == Mask::kGiven || mask == Mask::kGivenAndTrained) {
      bias = torch::randn({length, length});
      if (mask == Mask::kGivenAndTrained) bias = register_parameter("bias", bias);
    }
  }
  Tensor forward(const Tensor& x) {
    const auto heads = [&](const Tensor& part) {  // (N, 2, length, 4)
      return part.reshape({x.size(0), x.size(1), 2, 4}).transpose(1, 2);
    };
    const auto parts = project->forward(x).chunk(3, -1);
    std::optional<Tensor> given;
    if (bias.defined()) given = bias.to(x.dtype());
    const Tensor seen = at::scaled_dot_product_attention(
        heads(parts[0]), heads(parts[1]), heads(parts[2]), given, 0, mask == Mask::kCausal);
    return seen.transpose(1, 2).reshape(x.sizes());
  }
  Mask mask;
  nn::Linear project{nullptr};
  Tensor bias;
};

TEST_F(LibTorch2Test, ScaledDotProductAttention) {
  for (const auto mask : {Mask::kNone, Mask::kCausal, Mask::kGiven, Mask::kGivenAndTrained}) {
    for (const std::int64_t length : {1, 5, 20}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(mask) << ' ' << length);
      auto module = std::make_shared<DotProductAttentionImpl>(mask, length);
      expect_module_matches_oracle(module, normal({length, 8}));
    }
  }
}

TEST_F(LibTorch2Test, FlashAttentionHasItsNode) {
  DotProductAttentionImpl module(Mask::kNone, 5);
  const Tensor result = module.forward(torch::randn({3, 5, 8}));
  bool found = false;
  auto node = result.grad_fn();
  for (int i = 0; node && i < 8; ++i) {
    found = found || node->name() == "ScaledDotProductFlashAttentionForCpuBackward0";
    node = node->next_edges().empty() ? nullptr : node->next_edges()[0].function;
  }
  EXPECT_TRUE(found) << "nothing of the test above ran this rule";
}

#endif

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)

struct RmsNormImpl : nn::Module {
  RmsNormImpl() {
    first = register_module("first", nn::Linear(6, 8));
    weight = register_parameter("weight", torch::randn({8}));
  }
  Tensor forward(const Tensor& x) {
    return at::rms_norm(first->forward(x), {8}, weight.to(x.dtype()), 1e-6);
  }
  nn::Linear first{nullptr};
  Tensor weight;
};

TEST_F(LibTorch2Test, RmsNorm) {
  auto module = std::make_shared<RmsNormImpl>();
  expect_module_matches_oracle(module, normal({6}));
  expect_module_matches_oracle(module, normal({3, 6}));
}

#endif

}  // namespace
}  // namespace sotto::grad
