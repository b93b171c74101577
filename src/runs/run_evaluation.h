// What a trained model did on the test data: evaluation.json of a run.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/image.h"
#include "runs/ranking_auc.h"
#include "runs/reliability.h"

namespace sotto::runs {

// A test record, and what the model made of it.
struct Prediction {
  std::int64_t label = 0;
  std::int64_t prediction = 0;
  std::optional<double> probability = {};   // that the model gave to its prediction
  std::optional<data::Image> picture = {};  // grey or in colour
  std::vector<double> values = {};          // of a table's row
};

struct TimedPart {
  std::string part;
  double seconds = 0;
};

// Answers on private held-out records as they were released: each number has noise, and may be
// below 0.
struct HeldOutAnswers {
  double epsilon = 0;
  std::optional<double> accuracy_error = {};  // standard deviation that the noise causes
  std::vector<std::pair<std::int64_t, std::int64_t>> counts = {};  // right and wrong, by class
};

struct RunEvaluation {
  std::optional<double> accuracy = {};
  std::optional<double> loss = {};
  std::optional<std::int64_t> samples = {};
  std::vector<std::string> class_names = {};              // empty: 0, 1, 2 ...
  std::vector<std::vector<std::int64_t>> confusion = {};  // [true class][predicted class], counts
  std::optional<RankingAuc> auc = {};
  std::optional<Reliability> reliability = {};
  std::vector<Prediction> predictions = {};
  std::vector<TimedPart> profile = {};
  std::optional<double> seconds = {};           // of the whole run
  std::optional<HeldOutAnswers> held_out = {};  // then `accuracy` is theirs

  std::string class_name(std::int64_t label) const;
};

// Members that are not there stay empty. Throws InvalidArgument, naming `file` and the member, for
// one that is of the wrong kind, or contradicts another (a matrix that is not square, a picture
// with more or fewer bytes than its size says).
RunEvaluation run_evaluation(const nlohmann::json& json, const std::string& file);

}  // namespace sotto::runs
