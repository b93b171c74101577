// What a confusion matrix says of a classifier: how often it is right, in which classes, and
// whether that is more than knowing the most frequent class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runs/share_interval.h"

namespace sotto::runs {

// counts[true class][predicted class]
using ConfusionMatrix = std::vector<std::vector<std::int64_t>>;

struct ClassScores {
  std::int64_t records = 0;    // of this class
  std::int64_t predicted = 0;  // taken for it
  std::int64_t right = 0;      // both

  // Shares with their Clopper-Pearson intervals; nothing of no records.
  std::optional<double> recall() const;
  std::optional<Interval> recall_interval() const;
  std::optional<double> precision() const;
  std::optional<Interval> precision_interval() const;
};

enum class Verdict {
  kBetter,
  kUndecided,  // records as few as these could differ so by chance
  kWorse,
};
// "better", "undecided" or "worse".
const char* to_string(Verdict verdict);

// Whoever answers the most frequent class every time, the first one of equals.
struct Baseline {
  std::size_t answer = 0;
  double accuracy = 0;
  // Exact McNemar test, two-sided: how likely records where only one of the two is right are so
  // unevenly divided if both are equally good.
  double p_value = 1;
  Verdict verdict = Verdict::kUndecided;  // on the model; decided where p < 0.05
};

struct ConfusionScores {
  std::int64_t records = 0;
  std::int64_t right = 0;
  double accuracy = 0;
  Interval accuracy_interval = {};  // Clopper-Pearson
  Baseline baseline = {};
  double balanced_accuracy = 0;  // mean recall of the classes that there are records of
  std::vector<ClassScores> classes = {};
};

// Nothing of no records. REQUIRES: a square matrix of counts of at least 0, 2^53 at most together.
std::optional<ConfusionScores> confusion_scores(const ConfusionMatrix& confusion);

// "Better than always answering 'no', which is right for 72.10 % (exact McNemar test, p = 2e-05)."
std::string baseline_sentence(const Baseline& baseline, const std::string& answer);

}  // namespace sotto::runs
