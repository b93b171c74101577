#include "gan/networks.h"

#include <torch/nn/functional/activation.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/pooling.h>

#include "gan/doubling.h"
#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

namespace nn = torch::nn;
using at::Tensor;

std::int64_t elements(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto extent : shape) count *= extent;
  return count;
}

nn::LeakyReLU leaky() { return nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)); }

nn::Conv2d halving(std::int64_t in, std::int64_t out) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, 5).stride(2).padding(2));
}

// A quarter of the height and width, twice doubled.
nn::Sequential deconv_generator(const NetworkShape& shape) {
  const auto height = shape.sample[1] / 4;
  const auto width = shape.sample[2] / 4;
  const auto w = shape.width;
  const auto start = 2 * w * height * width;
  return nn::Sequential(nn::Linear(shape.latent + shape.classes, start), nn::BatchNorm1d(start),
                        nn::ReLU(), nn::Unflatten(nn::UnflattenOptions(1, {2 * w, height, width})),
                        Doubling(2 * w, w), nn::BatchNorm2d(w), nn::ReLU(),
                        Doubling(w, shape.sample[0]), nn::Tanh());
}

// An eighth, rounded up, three times doubled; what is too much is cut off.
nn::Sequential dcgan_generator(const NetworkShape& shape) {
  const auto w = shape.width;
  const auto start = 4 * w * 4 * 4;
  return nn::Sequential(nn::Linear(shape.latent + shape.classes, start), nn::BatchNorm1d(start),
                        nn::ReLU(), nn::Unflatten(nn::UnflattenOptions(1, {4 * w, 4, 4})),
                        Doubling(4 * w, 2 * w), nn::BatchNorm2d(2 * w), nn::ReLU(),
                        Doubling(2 * w, w), nn::BatchNorm2d(w), nn::ReLU(),
                        Doubling(w, shape.sample[0]), nn::Tanh());
}

nn::Sequential autoencoder(const NetworkShape& shape) {
  const auto pixels = elements(shape.sample);
  return nn::Sequential(nn::Linear(shape.latent + shape.classes, 89), nn::SELU(),
                        nn::Linear(89, 10), nn::SELU(), nn::Linear(10, 89), nn::SELU(),
                        nn::Linear(89, pixels), nn::Tanh());
}

nn::Sequential dense_generator(const NetworkShape& shape) {
  constexpr std::int64_t kHidden = 256;
  return nn::Sequential(nn::Linear(shape.latent + shape.classes, kHidden), nn::BatchNorm1d(kHidden),
                        nn::ReLU(), nn::Linear(kHidden, kHidden), nn::BatchNorm1d(kHidden),
                        nn::ReLU(), nn::Linear(kHidden, elements(shape.sample)));
}

nn::Sequential generator_body(Networks networks, const NetworkShape& shape) {
  switch (networks) {
    case Networks::kDeconv:
      return deconv_generator(shape);
    case Networks::kDcgan:
      return dcgan_generator(shape);
    case Networks::kAutoencoder:
      return autoencoder(shape);
    case Networks::kMlp:
      break;
  }
  auto body = dense_generator(shape);
  if (shape.sample.size() == 3) body->push_back(nn::Tanh());
  return body;
}

// Before the label: convolutions to a vector. Nothing for dense critics.
nn::Sequential critic_features(Networks networks, const NetworkShape& shape) {
  const auto channels = shape.sample[0];
  const auto w = shape.width;
  if (networks == Networks::kDeconv) {
    return nn::Sequential(halving(channels, w / 2), leaky(), halving(w / 2, w), leaky(),
                          nn::Flatten());
  }
  if (networks == Networks::kDcgan) {
    return nn::Sequential(halving(channels, w), leaky(), halving(w, 2 * w), leaky(),
                          halving(2 * w, 4 * w), leaky(), nn::Flatten());
  }
  if (networks == Networks::kAutoencoder) {
    constexpr std::int64_t kFilters = 64;
    const auto same = [](std::int64_t in) {
      return nn::Conv2d(nn::Conv2dOptions(in, kFilters, 3).padding(1));
    };
    return nn::Sequential(same(channels), nn::SELU(), nn::MaxPool2d(2), same(kFilters), nn::SELU(),
                          nn::MaxPool2d(2), same(kFilters), nn::SELU(), nn::MaxPool2d(2),
                          nn::Flatten());
  }
  return nn::Sequential(nn::Flatten());
}

// From the features and the label to a score.
nn::Sequential critic_head(Networks networks, std::int64_t inputs) {
  if (networks == Networks::kAutoencoder) {
    constexpr std::int64_t kHidden = 512;
    return nn::Sequential(nn::Linear(inputs, kHidden), nn::SELU(), nn::Linear(kHidden, kHidden),
                          nn::SELU(), nn::Linear(kHidden, 1));
  }
  constexpr std::int64_t kHidden = 128;
  nn::Sequential head(nn::Linear(inputs, kHidden), leaky());
  if (networks == Networks::kMlp) {
    head->push_back(nn::Linear(kHidden, kHidden));
    head->push_back(leaky());
  }
  head->push_back(nn::Linear(nn::LinearOptions(kHidden, 1).bias(false)));
  return head;
}

// Numbers into their range; categories into shares.
Tensor in_columns(const Tensor& rows, const std::vector<ColumnSpan>& columns) {
  std::vector<Tensor> parts;
  for (const auto& column : columns) {
    const Tensor part = rows.narrow(1, column.begin, column.size);
    if (!column.categorical) {
      parts.push_back(part.tanh() * column.limit);
    } else if (column.other) {  // a score of 0 for what has no feature
      const Tensor all = at::cat({part, at::zeros_like(part.narrow(1, 0, 1))}, 1).softmax(1);
      parts.push_back(all.narrow(1, 0, column.size));
    } else {
      parts.push_back(part.softmax(1));
    }
  }
  return at::cat(parts, 1);
}

}  // namespace

void require_fits(Networks networks, const NetworkShape& shape) {
  const bool images = shape.sample.size() == 3;
  check_argument(images || networks == Networks::kMlp, "networks ", to_string(networks),
                 ": are for images; rows of a table take mlp");
  check_argument(shape.width >= 2 && shape.width % 2 == 0 && shape.width <= 1024,
                 "width must be even, from 2 to 1024, got ", shape.width);
  if (!images) return;
  const auto height = shape.sample[1];
  const auto width = shape.sample[2];
  if (networks == Networks::kDeconv) {
    check_argument(height % 4 == 0 && width % 4 == 0,
                   "networks deconv: height and width must be "
                   "multiples of 4, got ",
                   height, " x ", width);
  }
  if (networks == Networks::kDcgan) {
    check_argument(height > 16 && height <= 32 && width > 16 && width <= 32,
                   "networks dcgan: height and width must be from 17 to 32, got ", height, " x ",
                   width);
  }
  if (networks == Networks::kAutoencoder) {
    check_argument(height >= 8 && width >= 8,
                   "networks autoencoder: height and width must be at "
                   "least 8, got ",
                   height, " x ", width);
  }
}

Networks default_networks(const std::vector<std::int64_t>& sample_shape) {
  const bool quarters =
      sample_shape.size() == 3 && sample_shape[1] % 4 == 0 && sample_shape[2] % 4 == 0;
  return quarters ? Networks::kDeconv : Networks::kMlp;
}

std::int64_t latent_size(Networks networks, const std::vector<std::int64_t>& sample_shape,
                         std::int64_t wanted) {
  return networks == Networks::kAutoencoder ? elements(sample_shape) : wanted;
}

GeneratorImpl::GeneratorImpl(Networks networks, const NetworkShape& shape) : shape_(shape) {
  require_fits(networks, shape);
  body_ = register_module("body", generator_body(networks, shape));
}

Tensor GeneratorImpl::forward(const Tensor& latent, const Tensor& labels) {
  const Tensor out = body_->forward(at::cat({latent, labels}, 1));
  if (!shape_.columns.empty()) return in_columns(out, shape_.columns);
  if (out.dim() == 4) {
    return out.narrow(2, 0, shape_.sample[1]).narrow(3, 0, shape_.sample[2]);
  }
  auto sizes = shape_.sample;
  sizes.insert(sizes.begin(), out.size(0));
  return out.reshape(sizes);
}

CriticImpl::CriticImpl(Networks networks, const NetworkShape& shape) {
  require_fits(networks, shape);
  features_ = register_module("features", critic_features(networks, shape));
  auto sizes = shape.sample;
  sizes.insert(sizes.begin(), 1);
  const auto width = features_->forward(at::zeros(sizes)).size(1);
  head_ = register_module("head", critic_head(networks, width + shape.classes));
}

Tensor CriticImpl::forward(const Tensor& samples, const Tensor& labels) {
  return head_->forward(at::cat({features_->forward(samples), labels}, 1)).squeeze(1);
}

}  // namespace sotto::gan
