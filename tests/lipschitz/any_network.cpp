#include "tests/lipschitz/any_network.h"

#include <algorithm>
#include <random>

#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/residual.h"

namespace sotto::lipschitz {
namespace {

namespace nn = torch::nn;

class NetworkMaker {
 public:
  explicit NetworkMaker(std::uint64_t seed) : random_(seed) {
    height_ = from(7, 10);
    width_ = from(7, 10);
  }

  AnyNetwork make() {
    const std::vector<std::int64_t> shape{channels_, height_, width_};
    if (coin()) network_->push_back(LayerCentering());
    network_->push_back(InputBound(kAnyInputBound));
    for (int i = 0; i < 3; ++i) {
      add_convolution();
      add_activation();
      add_residual();
      add_pool();
    }
    add_head();
    return {network_, shape};
  }

 private:
  std::int64_t from(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }
  bool coin() { return from(0, 1) == 1; }
  Constraint constraint() { return coin() ? Constraint::kOrthogonal : Constraint::kSpectral; }

  void add_convolution() {
    Conv2dOptions options{channels_, 4 * from(1, 2), 3, 1, 1, height_, width_, constraint()};
    options.kernel = from(1, 3);
    options.padding = options.kernel / 2;
    options.stride = std::min(height_, width_) > 5 ? from(1, 2) : 1;
    const Conv2d conv(options);
    network_->push_back(conv);
    channels_ = options.outputs;
    height_ = conv->output_height();
    width_ = conv->output_width();
    if (coin()) network_->push_back(Bias(channels_, 0.3));
  }

  void add_activation() {
    switch (from(0, 3)) {
      case 0:
        network_->push_back(nn::ReLU());
        break;
      case 1:
        network_->push_back(GroupSort(2));
        break;
      case 2:
        network_->push_back(GroupSort(4));
        break;
      default:
        network_->push_back(LayerCentering());
    }
  }

  void add_residual() {
    if (coin()) return;
    nn::Sequential block;
    const Conv2dOptions same{channels_, channels_, 3, 1, 1, height_, width_, constraint()};
    block->push_back(Conv2d(same));
    block->push_back(GroupSort(2));
    if (coin()) block->push_back(Bias(channels_, 0.2));
    if (coin()) block->push_back(Conv2d(same));
    network_->push_back(residual_block(block, coin() ? Addition::kSum : Addition::kAverage));
  }

  void add_pool() {
    if (std::min(height_, width_) < 4) return;
    switch (from(0, 3)) {
      case 0:
        network_->push_back(nn::MaxPool2d(2));
        break;
      case 1:
        network_->push_back(L2NormPool2d(2));
        break;
      case 2:
        network_->push_back(ScaledAvgPool2d(2));
        break;
      default:
        return;
    }
    height_ /= 2;
    width_ /= 2;
  }

  void add_head() {
    std::int64_t features = channels_;
    if (coin()) {
      network_->push_back(GlobalL2NormPool2d());
    } else {
      network_->push_back(Permute(std::vector<std::int64_t>{2, 3, 1}));
      features = channels_ * height_ * width_;
      network_->push_back(Reshape(std::vector<std::int64_t>{features}));
    }
    network_->push_back(Linear(LinearOptions{features, 8, constraint()}));
    if (coin()) network_->push_back(ClipGradient(0.5));
    network_->push_back(Bias(8, 0.5));
    network_->push_back(GroupSort(4));
    network_->push_back(Linear(LinearOptions{8, kAnyClasses, Constraint::kFrobenius}));
  }

  std::mt19937_64 random_;
  std::int64_t channels_ = 3;
  std::int64_t height_ = 0;
  std::int64_t width_ = 0;
  nn::Sequential network_;
};

}  // namespace

AnyNetwork any_network(std::uint64_t seed) { return NetworkMaker(seed).make(); }

}  // namespace sotto::lipschitz
