// Transfer learning: VGG16 as Python has it, and features that are computed once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "core/atomic_file.h"
#include "data/png_image.h"
#include "models/vgg16.h"
#include "runs/run_record.h"
#include "sotto/core/error.h"
#include "sotto/train/model_file.h"
#include "sotto/train/trainer.h"
#include "tests/core/temporary_folder.h"
#include "train/feature_cache.h"

namespace sotto::train {
namespace {

using testing::HasSubstr;

// VGG16 in Python, with torchvision's names, a small classifier and random weights; what it makes
// of one picture.
constexpr const char* kMakeWeights = R"(
import sys, torch
from torch import nn
torch.manual_seed(1)
layers, channels = [], 3
for width in [64, 64, 'M', 128, 128, 'M', 256, 256, 256, 'M', 512, 512, 512, 'M', 512, 512, 512, 'M']:
    if width == 'M':
        layers.append(nn.MaxPool2d(2, 2))
    else:
        layers += [nn.Conv2d(channels, width, 3, padding=1), nn.ReLU()]
        channels = width
class VGG(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Linear(25088, 8), nn.ReLU(), nn.Linear(8, 3))
    def forward(self, x):
        x = nn.functional.adaptive_avg_pool2d(self.features(x), 7)
        return self.classifier(torch.flatten(x, 1))
model = VGG()
for name, p in model.named_parameters():  # so that signals do not vanish through 13 layers
    if name.endswith('weight') and p.dim() == 4:
        nn.init.kaiming_normal_(p)
torch.save(model.state_dict(), sys.argv[1] + '/vgg.pth')
pixels = torch.linspace(0, 1, 2 * 3 * 40 * 40).view(2, 3, 40, 40)
mean = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
deviation = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)
with torch.no_grad():
    print(*model((pixels - mean) / deviation).flatten().tolist())
)";

class Messages : public TrainingObserver {
 public:
  void on_message(const std::string& text) override { all += text + "\n"; }
  std::string all;
};

class TransferTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::system("/usr/bin/python3 -c 'import torch' 2>/dev/null") != 0) return;
    shared = std::make_unique<TemporaryFolder>();
    write_file_atomically(*shared / "make.py", kMakeWeights);
    const auto folder = shared->path().string();
    if (std::system(
            ("/usr/bin/python3 " + folder + "/make.py " + folder + " > " + folder + "/scores")
                .c_str()) != 0) {
      shared = nullptr;
    }
  }
  static void TearDownTestSuite() { shared = nullptr; }

  void SetUp() override {
    if (!shared) GTEST_SKIP() << "python3-torch is not installed (scripts/setup installs it)";
    setenv("SOTTO_CACHE", (folder / "cache").c_str(), 1);
  }
  void TearDown() override { unsetenv("SOTTO_CACHE"); }

  static std::filesystem::path weights() { return *shared / "vgg.pth"; }

  // Three classes that differ in their colour.
  void draw_pictures() const {
    for (const std::string part : {"train", "test"}) {
      for (int label = 0; label < 3; ++label) {
        const auto place =
            folder.path() / "pictures" / part / std::string(1, static_cast<char>('a' + label));
        std::filesystem::create_directories(place);
        for (int i = 0; i < 6; ++i) {
          data::Image image{32, 32, 3, std::string(32 * 32 * 3, static_cast<char>(20 + i))};
          for (std::size_t p = 0; p < image.pixels.size(); p += 3) {
            image.pixels[p + static_cast<std::size_t>(label)] = '\x7f';
          }
          write_file_atomically(place / (std::to_string(i) + ".png"), encode_png(image));
        }
      }
    }
  }

  TrainingConfig config() const {
    TrainingConfig config;
    config.dataset = "images:" + (folder / "pictures").string();
    config.class_names = {"a", "b", "c"};
    config.image_size = 32;
    config.image_channels = 3;
    config.model = "vgg16";
    config.hidden_units = 8;
    config.weights = weights();
    config.freeze = {"features"};
    config.batch_size = 9;
    config.epochs = 1;
    config.noise_multiplier = 1;
    return config;
  }

  TemporaryFolder folder;
  static inline std::unique_ptr<TemporaryFolder> shared;
};

TEST_F(TransferTest, NetworkScoresAsPythonDoes) {
  auto network = models::vgg16(3, 8);
  EXPECT_TRUE(load_weights_except("classifier", weights(), *network));
  const auto pixels = torch::linspace(0, 1, 2 * 3 * 40 * 40).view({2, 3, 40, 40});
  const auto scores = network->forward(pixels * 2 - 1).flatten();
  std::ifstream python(*shared / "scores");
  for (std::int64_t i = 0; i < 6; ++i) {
    double expected = 0;
    ASSERT_TRUE(python >> expected);
    EXPECT_NEAR(scores[i].item<double>(), expected, 1e-4 * std::max(1.0, std::abs(expected)));
  }
}

TEST_F(TransferTest, ClassifierOfAnotherShapeIsLeftAlone) {
  auto network = models::vgg16(5, 16);
  const auto before = network->named_parameters()["classifier.0.weight"].clone();
  EXPECT_FALSE(load_weights_except("classifier", weights(), *network));
  EXPECT_TRUE(torch::equal(network->named_parameters()["classifier.0.weight"], before));
  EXPECT_THROW(load_weights(weights(), *network), InvalidArgument);
}

TEST_F(TransferTest, TrainsTheClassifierOnFeaturesComputedOnce) {
  draw_pictures();
  Messages first;
  const auto result = train(config(), folder / "one", first);
  EXPECT_TRUE(result.is_private);
  EXPECT_THAT(first.all, HasSubstr("the features of new images are computed first"));
  const auto kept = [&] {
    std::map<std::filesystem::path, std::filesystem::file_time_type> times;
    for (const auto& file : std::filesystem::directory_iterator(folder / "cache" / "features")) {
      times[file.path()] = file.last_write_time();
    }
    return times;
  };
  const auto before = kept();
  EXPECT_FALSE(before.empty());
  Messages second;
  train(config(), folder / "two", second);
  EXPECT_EQ(kept(), before);
  EXPECT_EQ(second.all, first.all);  // whether a picture is known already is about that picture

  // The model that was written takes pictures, and has the file's features.
  auto loaded = load_model(folder / "one" / "model.pt");
  EXPECT_EQ(loaded.card.shape, (std::vector<std::int64_t>{3, 32, 32}));
  EXPECT_EQ(loaded.model->forward(torch::zeros({2, 3, 32, 32})).size(1), 3);
  auto original = models::vgg16(3, 8);
  load_weights(weights(), *original);
  const auto same = [&](const std::string& name) {
    return torch::equal(loaded.model->named_parameters()[name], original->named_parameters()[name]);
  };
  EXPECT_TRUE(same("features.28.weight"));
  EXPECT_FALSE(same("classifier.0.weight"));  // started from the file's, and trained
}

// Fused gradients need no places; what LibTorch computed is named all the same.
TEST_F(TransferTest, FeaturesAreInTheStatementAndNoContradiction) {
  draw_pictures();
  Messages messages;
  train(config(), folder / "one", messages);
  const auto run = runs::RunRecord::read(folder / "one");
  EXPECT_THAT(run.privacy().at("arithmetic").get<std::string>(),
              HasSubstr("the features that LibTorch computed"));
  EXPECT_FALSE(run.plan()->places());
  EXPECT_TRUE(run.contradictions().empty());
}

// Without a record the others would have other places where features are computed.
TEST_F(TransferTest, FeaturesAreRefusedUnderAddRemove) {
  draw_pictures();
  auto removed = config();
  removed.adjacency = accounting::Adjacency::kAddRemove;
  Messages messages;
  EXPECT_THROW(train(removed, folder / "one", messages), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder / "one"));
}

TEST_F(TransferTest, WithoutWeightsThereIsNothingToFreeze) {
  auto without = config();
  without.weights.clear();
  Messages messages;
  EXPECT_THROW(train(without, folder / "run", messages), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder / "run"));
}

TEST_F(TransferTest, MemoryLimitSplitsBatches) {
  draw_pictures();
  auto limited = config();
  limited.memory_limit = std::int64_t{20} << 30;
  Messages messages;
  train(limited, folder / "wide", messages);
  EXPECT_THAT(messages.all, HasSubstr("samples at once"));
  limited.memory_limit = 1 << 20;
  EXPECT_THROW(train(limited, folder / "narrow", messages), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder / "narrow"));
}

TEST(FeatureCacheTest, FindsWhatWasStoredAndNothingDamaged) {
  const TemporaryFolder folder;
  const FeatureCache cache(folder.path());
  const auto rows = torch::rand({3, 5});
  EXPECT_FALSE(cache.find("a"));
  cache.store("a", rows);
  EXPECT_TRUE(torch::equal(cache.find("a").value(), rows));
  const auto file = folder / "a.features";
  EXPECT_EQ(std::filesystem::status(file).permissions() & std::filesystem::perms::others_read,
            std::filesystem::perms::none);
  std::filesystem::resize_file(file, 60);
  EXPECT_FALSE(cache.find("a"));
}

TEST(FeatureCacheTest, KeyDependsOnEveryTensorAndItsShape) {
  const auto x = torch::arange(6).to(torch::kFloat);
  const auto key = content_key({x});
  EXPECT_EQ(content_key({x.clone()}), key);
  EXPECT_NE(content_key({x.view({2, 3})}), key);
  EXPECT_NE(content_key({x + 1}), key);
  EXPECT_NE(content_key({x, x}), key);
}

}  // namespace
}  // namespace sotto::train
