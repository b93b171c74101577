// A generator fitted to a mean embedding (DP-MERF, arXiv:2002.11603). After the embedding is
// released no data are looked at.
#pragma once

#include <functional>

#include "gan/embedding.h"
#include "sotto/gan/generator_file.h"

namespace sotto::gan {

// What is known of the data: for each class the sum of its records' features, with noise, over the
// number of records. (classes, features), float.
struct MeanEmbedding {
  at::Tensor sums;

  // Of the classes, from the embedding's constant feature: non-negative, adding up to 1.
  std::vector<double> class_shares() const;
};

struct FitOptions {
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  double learning_rate = 0;
};

// Called after each step with its number, from 1, and the distance; false stops.
using FitObserver = std::function<bool(std::int64_t step, double distance)>;

// Adam on the squared distance between the released embedding and that of generated samples.
void fit_generator(Generator generator, const GeneratorCard& card, const Embedding& embedding,
                   const MeanEmbedding& target, const FitOptions& options,
                   const FitObserver& observer);

}  // namespace sotto::gan
