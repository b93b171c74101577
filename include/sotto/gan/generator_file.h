// A generator and everything needed to draw from it: what a data holder publishes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sotto/gan/networks.h"

namespace sotto::gan {

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
