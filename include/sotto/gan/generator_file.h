// A generator and everything needed to draw from it: what a data holder publishes.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sotto/settings/gan_config.h"

namespace sotto::gan {

using settings::Latent;
using settings::Networks;

// Features of a row that belong to one column of a table.
struct ColumnSpan {
  std::int64_t begin = 0;
  std::int64_t size = 1;
  bool categorical = false;  // shares that add up to 1; else one number
  bool other = false;        // or to less: the rest is a category that has no feature
  double limit = 1;          // of a number's absolute value
};

struct NetworkShape {
  std::vector<std::int64_t> sample;  // {channels, height, width} or {columns}
  std::int64_t classes = 0;
  std::int64_t latent = 0;
  std::int64_t width = 32;
  std::vector<ColumnSpan> columns = {};  // rows only
};

// (n, latent), one-hot labels (n, classes) -> samples (n, *shape): pixels in [-1, 1].
class GeneratorImpl : public torch::nn::Module {
 public:
  // Throws InvalidArgument, naming what is accepted, for a shape that the networks cannot take.
  GeneratorImpl(Networks networks, const NetworkShape& shape);
  at::Tensor forward(const at::Tensor& latent, const at::Tensor& labels);

 private:
  NetworkShape shape_;
  torch::nn::Sequential body_{nullptr};
};
TORCH_MODULE(Generator);

struct GeneratorCard {
  Networks networks = Networks::kDeconv;
  NetworkShape shape;
  Latent latent = Latent::kNormal;
  std::vector<std::string> classes;
  std::vector<double> shares;       // of the classes, as released; they add up to 1
  std::string schema;               // of a table, JSON; empty for images
  std::vector<std::string> header;  // a table's columns in their order; empty: as in the schema
  std::string privacy;              // one sentence
};

// Latent vectors (n, latent).
at::Tensor draw_latent(const GeneratorCard& card, std::int64_t n);
// Labels (n) by the classes' shares.
at::Tensor draw_labels(const GeneratorCard& card, std::int64_t n);

struct SyntheticData {
  at::Tensor samples;  // (n, *shape): pixels in [0, 1], or a table's features, categories decided
  at::Tensor labels;   // (n)
};

// n samples. Uses LibTorch's random numbers: they need not be secret.
SyntheticData draw_samples(Generator generator, const GeneratorCard& card, std::int64_t n);

// Writes atomically. Throws FileError.
void save_generator(const std::filesystem::path& path, const Generator& generator,
                    const GeneratorCard& card);

struct LoadedGenerator {
  Generator generator;
  GeneratorCard card;
};
// Throws InvalidArgument, naming the file, if it was not written by save_generator().
LoadedGenerator load_generator(const std::filesystem::path& path);

}  // namespace sotto::gan
