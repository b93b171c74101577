#include "cli/evaluate_output.h"

#include <cstdio>

#include "cli/held_out_text.h"
#include "cli/score_tables.h"
#include "cli/text_layout.h"
#include "core/counted.h"
#include "runs/classification_json.h"
#include "runs/held_out_json.h"
#include "runs/held_out_scores.h"

namespace sotto::cli {
namespace {

using ScoresJson = nlohmann::ordered_json;

constexpr const char* kNotReleased =
    "The held-out records are private: only noised counts of right and wrong answers were "
    "released, once. AUC, calibration and the confusion matrix would need releases of their own; "
    "with public test rows, all of them are shown.";
constexpr const char* kNothingReleased =
    "These records are private, and nothing is released about them here: anything said about them "
    "needs noise and a charge; with public test rows, all scores are shown.";

const char* why_withheld(const std::optional<runs::HeldOutRelease>& release) {
  return release ? kNotReleased : kNothingReleased;
}

std::string auc_text(const runs::RankingAuc& auc) {
  char text[128];
  std::snprintf(text, sizeof text, "AUC %.4f", auc.value);
  std::string words = text;
  if (auc.interval) {
    std::snprintf(text, sizeof text, " (%.4f to %.4f)", auc.interval->low, auc.interval->high);
    words += text;
  }
  return words + (auc.by_class.empty() ? "" : ", mean of each class against the rest");
}

std::string calibration_words(const runs::Reliability& reliability) {
  char text[160];
  std::snprintf(text, sizeof text,
                "expected calibration error %.2f %%, Brier score %.4f, log loss %.4f",
                100 * reliability.expected_error, reliability.brier, reliability.log_loss);
  return text;
}

std::string percent_text(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %%", 100 * share);
  return text;
}

std::string counts_text(const runs::ConfusionScores& counts,
                        const std::vector<std::string>& classes) {
  const auto accuracy = share_text(counts.accuracy, counts.accuracy_interval);
  return labelled_paragraph("Accuracy",
                            accuracy + " of " + counted(counts.records, "test sample")) +
         labelled_paragraph("Baseline", runs::baseline_sentence(counts.baseline,
                                                                classes[counts.baseline.answer])) +
         labelled_paragraph("Balanced", percent_text(counts.balanced_accuracy) +
                                            ", the mean recall of the classes");
}

ScoresJson or_null(const std::optional<double>& value) {
  return value ? ScoresJson(*value) : ScoresJson();
}

ScoresJson derived_json(const runs::HeldOutScores& scores,
                        const std::vector<std::string>& classes) {
  const auto& interval = scores.accuracy_interval;
  ScoresJson json;
  json["accuracy_interval"] = interval ? ScoresJson{interval->low, interval->high} : ScoresJson();
  json["baseline"] = scores.baseline ? ScoresJson{{"class", classes.at(*scores.most_frequent)},
                                                  {"accuracy", *scores.baseline}}
                                     : ScoresJson();
  json["balanced_accuracy"] = or_null(scores.balanced_accuracy);
  json["recalls"] = ScoresJson::array();
  for (const auto& recall : scores.recalls) json["recalls"].push_back(or_null(recall));
  return json;
}

// What follows from the noised counts.
std::string derived_text(const runs::HeldOutScores& scores,
                         const std::vector<std::string>& classes) {
  std::string text;
  if (const auto& interval = scores.accuracy_interval) {
    text += labelled_paragraph("Interval", percent_text(interval->low) + " to " +
                                               percent_text(interval->high) +
                                               ", about 95 %, for the number of records and "
                                               "the noise");
  }
  if (scores.baseline) {
    text += labelled_paragraph("Baseline",
                               "always answering '" + classes.at(*scores.most_frequent) +
                                   "' is right for about " + percent_text(*scores.baseline) +
                                   ", by the same noised counts");
  }
  if (scores.balanced_accuracy) {
    text += labelled_paragraph("Balanced", "about " + percent_text(*scores.balanced_accuracy) +
                                               ", the mean recall by the same noised counts");
  }
  return text;
}

}  // namespace

std::string scores_text(const train::Evaluation& evaluation,
                        const runs::ClassificationScores& scores,
                        const std::vector<std::string>& classes, const ModelPromise& promise) {
  std::string text;
  if (scores.counts) text += counts_text(*scores.counts, classes);
  text += labelled_paragraph(
      "Ranking", scores.auc ? auc_text(*scores.auc)
                            : "no AUC: it takes records of two classes and finite scores");
  text += labelled_paragraph("Calibration", scores.reliability
                                                ? calibration_words(*scores.reliability)
                                                : "none: the scores are not finite numbers");
  text += labelled_paragraph("Intervals",
                             "in brackets, 95 %: Clopper-Pearson for shares of samples, DeLong on "
                             "the logit scale for the AUC");
  text += labelled_paragraph("Privacy", promise.text);
  text += "\n" + class_table(scores, classes);
  if (scores.reliability) text += "\n" + reliability_table(*scores.reliability, classes);
  return text + "\n" + confusion_table(evaluation.confusion, classes);
}

ScoresJson scores_json(const train::Evaluation& evaluation,
                       const runs::ClassificationScores& scores,
                       const std::vector<std::string>& classes, const ModelPromise& promise) {
  ScoresJson object;
  object["test_accuracy"] = evaluation.accuracy;
  object["test_loss"] = evaluation.loss;
  object["samples"] = scores.counts ? scores.counts->records : 0;
  object["classes"] = classes;
  object["confusion"] = evaluation.confusion;
  object.update(runs::json_of(scores, classes));
  add_contradictions(promise, object);
  return object;
}

std::string released_text(const std::vector<std::string>& classes, const ModelPromise& promise,
                          const std::optional<runs::HeldOutRelease>& release,
                          const std::filesystem::path& exact) {
  std::string text;
  if (release) {
    text += labelled_paragraph("Accuracy", held_out_text(*release, promise.is_proved()));
    text += derived_text(runs::held_out_scores(*release), classes);
  }
  text += labelled_paragraph("Privacy", promise.text);
  if (exact.empty()) {
    text += labelled_paragraph("Withheld", why_withheld(release));
  } else {
    text += labelled_paragraph("Private", "Exact numbers are in " + exact.string() +
                                              ": no ε covers them; do not share them.");
  }
  if (release) text += "\n" + held_out_table(*release, classes);
  return text;
}

ScoresJson released_json(const std::vector<std::string>& classes, const ModelPromise& promise,
                         const std::optional<runs::HeldOutRelease>& release,
                         const std::filesystem::path& exact) {
  ScoresJson object;
  object["test_accuracy"] = release ? or_null(release->accuracy()) : ScoresJson();
  object["classes"] = classes;
  if (release) {
    object["held_out"] =
        promise.is_proved() ? runs::json_of(*release) : runs::json_without_epsilon(*release);
    object["from_noised_counts"] = derived_json(runs::held_out_scores(*release), classes);
  }
  object["not_released"] = why_withheld(release);
  add_contradictions(promise, object);
  if (!exact.empty()) object["private_file"] = exact.string();
  return object;
}

}  // namespace sotto::cli
