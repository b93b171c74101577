#include <torch/nn.h>

#include <numeric>

#include "sotto/core/error.h"
#include "sotto/engine/inspector.h"

namespace sotto {
namespace {

namespace nn = torch::nn;

class Converter {
 public:
  nn::Sequential convert(nn::SequentialImpl& original) {
    nn::Sequential copy;
    std::ptrdiff_t place = 0;
    for (const auto& item : original.named_children()) {
      add(copy, item.key(), *(original.begin() + place++));
    }
    return copy;
  }

  std::vector<std::string> changes;

 private:
  void add(nn::Sequential& copy, const std::string& key, const nn::AnyModule& any) {
    const auto module = any.ptr();
    if (!replace_batch_norm<nn::BatchNorm1d>(copy, key, *module) &&
        !replace_batch_norm<nn::BatchNorm2d>(copy, key, *module) &&
        !replace_batch_norm<nn::BatchNorm3d>(copy, key, *module) &&
        !replace_instance_norm<nn::InstanceNorm1d>(copy, key, *module) &&
        !replace_instance_norm<nn::InstanceNorm2d>(copy, key, *module) &&
        !replace_instance_norm<nn::InstanceNorm3d>(copy, key, *module)) {
      stop_frequency_scaling<nn::Embedding>(*module, key);
      stop_frequency_scaling<nn::EmbeddingBag>(*module, key);
      copy->push_back(key, any);
    }
  }

  template <typename Norm>
  bool replace_batch_norm(nn::Sequential& copy, const std::string& name, const nn::Module& module) {
    const auto* norm = module.as<Norm>();
    if (norm == nullptr) return false;
    const auto channels = norm->options.num_features();
    const auto groups = std::gcd<std::int64_t>(32, channels);
    auto replacement = nn::GroupNorm(nn::GroupNormOptions(groups, channels)
                                         .eps(norm->options.eps())
                                         .affine(norm->options.affine()));
    if (norm->options.affine()) {
      torch::NoGradGuard no_gradients;
      replacement->weight.copy_(norm->weight);
      replacement->bias.copy_(norm->bias);
    }
    copy->push_back(name, nn::AnyModule(replacement));
    changes.push_back(detail::join_message("'", name, "': BatchNorm of ", channels,
                                           " channels became GroupNorm of ", groups, " groups"));
    return true;
  }

  template <typename Norm>
  bool replace_instance_norm(nn::Sequential& copy, const std::string& name,
                             const nn::Module& module) {
    const auto* norm = module.as<Norm>();
    if (norm == nullptr || !norm->options.track_running_stats()) return false;
    auto options = norm->options;
    auto replacement = Norm(options.track_running_stats(false));
    if (options.affine()) {
      torch::NoGradGuard no_gradients;
      replacement->weight.copy_(norm->weight);
      replacement->bias.copy_(norm->bias);
    }
    copy->push_back(name, nn::AnyModule(replacement));
    changes.push_back("'" + name + "': InstanceNorm no longer keeps running statistics");
    return true;
  }

  template <typename Embedding>
  void stop_frequency_scaling(nn::Module& module, const std::string& name) {
    auto* embedding = module.as<Embedding>();
    if (embedding == nullptr || !embedding->options.scale_grad_by_freq()) return;
    embedding->options.scale_grad_by_freq(false);
    changes.push_back("'" + name + "': gradients are no longer scaled by frequency");
  }
};

}  // namespace

CompatibleModel make_compatible(const nn::Sequential& model) {
  Converter converter;
  auto copy = converter.convert(*model.ptr());
  return {copy, converter.changes};
}

}  // namespace sotto
