// How good synthetic data are. Most of it looks at the private data without noise: the results are
// for the data holder, and no ε covers them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sotto/gan/generator_file.h"

namespace sotto::gan {

struct GanEvaluation {
  // Accuracy on real test data of a classifier trained on synthetic data alone, and on real data.
  double synthetic_accuracy = 0;
  double real_accuracy = 0;
  // exp E KL(p(y|x) || p(y)) over generated samples in ten parts, p by the classifier trained on
  // real data. From 1 to the number of classes, more is better. Not comparable with scores by other
  // classifiers.
  double inception_score = 0;
  // Mean Jensen-Shannon divergence, base 2, between (p, 1 - p) and (1/2, 1/2), p from a classifier
  // trained to tell real from generated samples. From 0 to 1, less is better.
  double js_score = 0;
  // Mean of D(x) - y, D the critic's score as a share, y = 1 for real data and 0 for noise and
  // generated data; the nearer to 0 the better the critic. The critic of a merf generator is the
  // witness function of its mean embedding.
  double s_plus_test = 0;
  double s_plus_noise = 0;
  double s_plus_generated = 0;
  // Median distance from generated samples to their nearest training and test record, and from test
  // records to their nearest training record: a generator that copies is nearer to what it saw.
  double nearest_train = 0;
  double nearest_test = 0;
  double nearest_test_to_train = 0;
  std::string classifier;  // the name of its network
  double epsilon = 0;      // infinite if the run is not private
  double delta = 0;
};

struct EvaluationOptions {
  std::int64_t samples = 0;  // synthetic ones; 0: as many as there are training records
  std::int64_t epochs = 10;  // of the classifiers
};

// Of the finished run in `folder`. Throws InvalidArgument if there is none.
GanEvaluation evaluate_generator(const std::filesystem::path& folder,
                                 const EvaluationOptions& options);

}  // namespace sotto::gan
