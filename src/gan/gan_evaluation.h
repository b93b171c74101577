// How good synthetic data are. Part of it looks at private records without noise: that is for the
// data holder, no ε covers it, and it is computed only if asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gan/table_comparison.h"
#include "runs/held_out_release.h"
#include "sotto/gan/generator_file.h"

namespace sotto::gan {

// A member without a value was not computed.
struct GanEvaluation {
  // Accuracy on real test data of a classifier trained on synthetic data alone, and on real data.
  std::optional<double> synthetic_accuracy;
  std::optional<double> real_accuracy;
  // The first of them on private held-out records, released once, with noise.
  std::optional<runs::HeldOutRelease> held_out;
  // exp E KL(p(y|x) || p(y)) over generated samples in ten parts, p by the classifier trained on
  // real data. From 1 to the number of classes, more is better. Not comparable with scores by other
  // classifiers.
  std::optional<double> inception_score;
  // Mean Jensen-Shannon divergence, base 2, between (p, 1 - p) and (1/2, 1/2), p from a classifier
  // trained to tell real from generated samples. From 0 to 1, less is better.
  std::optional<double> js_score;
  // Mean of D(x) - y, D the critic's score as a share, y = 1 for real data and 0 for noise and
  // generated data; the nearer to 0 the better the critic. The critic of a merf generator is the
  // witness function of its mean embedding.
  std::optional<double> s_plus_test;
  double s_plus_noise = 0;
  double s_plus_generated = 0;
  // Median distance from generated samples to their nearest training and test record, and from test
  // records to their nearest training record: a generator that copies is nearer to what it saw.
  std::optional<double> nearest_train;
  std::optional<double> nearest_test;
  std::optional<double> nearest_test_to_train;
  // Of a table: its columns, and pairs of them, against synthetic ones. Refused where the rows to
  // compare with are private: frequencies and correlations of theirs are not released with noise.
  std::optional<TableComparison> table;
  bool table_refused = false;
  std::string classifier;  // the name of its network
  double epsilon = 0;      // infinite if the run is not private, or its ε is not proved
  double delta = 0;
  std::vector<std::string> contradictions;  // why it is not, as runs::RunRecord has them
};

struct EvaluationOptions {
  std::int64_t samples = 0;  // synthetic ones; 0: as many as there are training records
  std::int64_t epochs = 10;  // of the classifiers
  bool show_private = false;
};

struct GanEvaluations {
  // From the generator, public test records and noised releases; all of it for a run without
  // privacy.
  GanEvaluation covered;
  // All of it, with show_private.
  std::optional<GanEvaluation> exact;
};

// Of the finished run in `folder`. The accuracy on held-out records is charged and released by the
// first call, and given again by others. Throws InvalidArgument if there is no such run.
GanEvaluations evaluate_generator(const std::filesystem::path& folder,
                                  const EvaluationOptions& options);

}  // namespace sotto::gan
