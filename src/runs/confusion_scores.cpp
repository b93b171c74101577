#include "runs/confusion_scores.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cstdio>
#include <numeric>

namespace sotto::runs {
namespace {

constexpr double kDecided = 1 - kConfidence;

std::optional<double> part_of(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<Interval> interval_of(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return clopper_pearson(part, whole);
}

std::vector<ClassScores> scores_by_class(const ConfusionMatrix& confusion) {
  std::vector<ClassScores> classes(confusion.size());
  for (std::size_t truth = 0; truth < confusion.size(); ++truth) {
    for (std::size_t guess = 0; guess < confusion.size(); ++guess) {
      classes[truth].records += confusion[truth][guess];
      classes[guess].predicted += confusion[truth][guess];
    }
    classes[truth].right = confusion[truth][truth];
  }
  return classes;
}

// Two-sided, of a fair coin.
double sign_test(std::int64_t heads, std::int64_t tails) {
  if (heads == tails) return 1;
  const boost::math::binomial_distribution<double> fair(static_cast<double>(heads + tails), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(fair, static_cast<double>(std::min(heads, tails))));
}

Baseline baseline_of(const ConfusionScores& scores) {
  const auto& classes = scores.classes;
  const auto most = std::max_element(
      classes.begin(), classes.end(),
      [](const ClassScores& a, const ClassScores& b) { return a.records < b.records; });
  Baseline baseline;
  baseline.answer = static_cast<std::size_t>(most - classes.begin());
  baseline.accuracy = *part_of(most->records, scores.records);
  const auto only_model = scores.right - most->right;
  const auto only_baseline = most->records - most->right;
  baseline.p_value = sign_test(only_model, only_baseline);
  if (baseline.p_value < kDecided) {
    baseline.verdict = only_model > only_baseline ? Verdict::kBetter : Verdict::kWorse;
  }
  return baseline;
}

double mean_recall(const std::vector<ClassScores>& classes) {
  double sum = 0;
  int found = 0;
  for (const auto& scores : classes) {
    if (scores.records == 0) continue;
    sum += *scores.recall();
    ++found;
  }
  return sum / found;
}

std::string p_text(double p) {
  constexpr double kLeast = 1e-99;
  if (p < kLeast) return "p < 1e-99";
  char text[32];
  std::snprintf(text, sizeof text, "p = %.2g", p);
  return text;
}

}  // namespace

std::optional<double> ClassScores::recall() const { return part_of(right, records); }
std::optional<Interval> ClassScores::recall_interval() const { return interval_of(right, records); }
std::optional<double> ClassScores::precision() const { return part_of(right, predicted); }
std::optional<Interval> ClassScores::precision_interval() const {
  return interval_of(right, predicted);
}

const char* to_string(Verdict verdict) {
  if (verdict == Verdict::kBetter) return "better";
  return verdict == Verdict::kWorse ? "worse" : "undecided";
}

std::optional<ConfusionScores> confusion_scores(const ConfusionMatrix& confusion) {
  ConfusionScores scores;
  scores.classes = scores_by_class(confusion);
  for (const auto& of_class : scores.classes) {
    scores.records += of_class.records;
    scores.right += of_class.right;
  }
  if (scores.records == 0) return std::nullopt;
  scores.accuracy = *part_of(scores.right, scores.records);
  scores.accuracy_interval = clopper_pearson(scores.right, scores.records);
  scores.baseline = baseline_of(scores);
  scores.balanced_accuracy = mean_recall(scores.classes);
  return scores;
}

std::string baseline_sentence(const Baseline& baseline, const std::string& answer) {
  char share[32];
  std::snprintf(share, sizeof share, "%.2f %%", 100 * baseline.accuracy);
  const std::string always = "always answering '" + answer + "', which is right for " + share;
  const std::string test = "exact McNemar test, " + p_text(baseline.p_value);
  switch (baseline.verdict) {
    case Verdict::kBetter:
      return "Better than " + always + " (" + test + ").";
    case Verdict::kWorse:
      return "WORSE than " + always + " (" + test + ").";
    case Verdict::kUndecided:
      break;
  }
  return "Not shown to be better than " + always + ": chance may explain the difference (" + test +
         ").";
}

}  // namespace sotto::runs
