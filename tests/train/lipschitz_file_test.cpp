// Lipschitz networks on disk.
#include <gtest/gtest.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/lipschitz/residual.h"
#include "sotto/train/model_file.h"
#include "tests/core/temporary_folder.h"

namespace sotto::train {
namespace {

namespace lip = lipschitz;

// Debian 13's LibTorch compiles scripts by LLVM when they run a second time, and never ends with
// those of lip-cnn and lip-resnet (docs/install.md).
void expect_same_as_script(torch::nn::Sequential& model, const ModelCard& card,
                           const std::filesystem::path& path) {
  torch::jit::setTensorExprFuserEnabled(false);
  save_model(path, model, card);
  auto script = torch::jit::load(path.string());
  auto sizes = card.shape;
  sizes.insert(sizes.begin(), 3);
  for (const double scale : {0.0, 1.0, 100.0}) {
    const auto x = torch::randn(sizes) * scale;
    EXPECT_TRUE(torch::allclose(script.forward({x}).toTensor(), model->forward(x), 1e-4, 1e-4))
        << card.model << " " << scale;
  }
}

TEST(LipschitzFileTest, NetworksRunAsTorchScriptAndComeBack) {
  const TemporaryFolder folder;
  for (const auto& name : lip::network_names()) {
    const ModelCard card{name, {1, 12, 12}, {"a", "b", "c"}, "", 5};
    auto model = network_of(card);
    expect_same_as_script(model, card, folder.path() / name);
    auto loaded = load_model(folder.path() / name);
    EXPECT_EQ(loaded.card.input_bound, 5);
    const auto x = torch::randn({2, 1, 12, 12});
    EXPECT_TRUE(torch::equal(model->forward(x), loaded.model->forward(x))) << name;
  }
}

TEST(LipschitzFileTest, EveryLayerIsWritten) {
  const TemporaryFolder folder;
  torch::nn::Sequential model;
  model->push_back("input", lip::InputBound(3));
  model->push_back("bias1", lip::Bias(4, 1));
  model->push_back("pool", lip::ScaledAvgPool2d(2));
  model->push_back("sort", lip::GroupSort(4));
  model->push_back("permute", lip::Permute(std::vector<std::int64_t>{1, 3, 2}));
  model->push_back("branches", lip::residual_block(torch::nn::Sequential(lip::GroupSort()),
                                                   lip::Addition::kSum));
  model->push_back("clip", lip::ClipGradient(1));
  model->push_back("global_pool", lip::GlobalL2NormPool2d());
  model->push_back("reshape", lip::Reshape(std::vector<std::int64_t>{4}));
  model->push_back("centering", lip::LayerCentering());
  model->push_back("bias2", lip::Bias(4, 1));
  torch::NoGradGuard no_gradients;
  for (auto& parameter : model->parameters()) parameter.fill_(0.25);
  expect_same_as_script(model, {"own", {4, 6, 6}, {"a", "b", "c", "d"}, ""},
                        folder.path() / "m.pt");
}

}  // namespace
}  // namespace sotto::train
