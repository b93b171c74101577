#include <ATen/Parallel.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/command.h"
#include "cli/held_out_text.h"
#include "cli/norm_text.h"
#include "cli/progress_bar.h"
#include "cli/text_layout.h"
#include "cli/train_request.h"
#include "core/counted.h"
#include "core/json_number.h"
#include "plan/norm_json.h"
#include "runs/held_out_json.h"
#include "sotto/accounting/statement.h"
#include "sotto/train/trainer.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;
using train::TrainingResult;

double epsilon_of(const TrainingResult& result) {
  return result.spent ? result.spent->epsilon : std::numeric_limits<double>::infinity();
}

template <typename Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// What ε does not cover, where it was asked for; and its names.
void add_uncovered(const TrainingResult& result, Json& json) {
  json["not_covered_by_epsilon"] = Json::array();
  Json names = Json::array();  // of its own: members move when others are added
  if (result.train_loss) {
    json["train_loss"] = *result.train_loss;
    json["discarded_samples"] = value_or_null(result.discarded);
    names = {"train_loss", "discarded_samples"};
  }
  if (result.norms) {
    json.update(Json(json_of(*result.norms)));
    for (const auto* key : kNormKeys) names.push_back(key);
  }
  json["not_covered_by_epsilon"] = std::move(names);
}

std::string json_text(const TrainingResult& result, const TrainRequest& request) {
  Json json;
  json["test_accuracy"] = value_or_null(result.accuracy());
  json["test_loss"] = result.test ? Json(result.test->loss) : Json(nullptr);
  if (result.held_out) json["held_out"] = json_of(*result.held_out);
  json["epsilon"] = json_number(epsilon_of(result));
  json["epsilon_lower"] = result.spent ? json_number(result.spent->epsilon_lower) : Json(nullptr);
  json["delta"] = result.spent ? Json(result.spent->delta) : Json(nullptr);
  json["private"] = result.is_private;
  json["steps"] = result.steps;
  if (result.planned_steps) json["planned_steps"] = *result.planned_steps;
  json["noise_multiplier"] = result.noise_multiplier;
  json["recipe"] = result.recipe.empty() ? Json(nullptr) : Json(result.recipe);
  json["features_seconds"] = value_or_null(result.features_seconds);
  json["seconds"] = result.seconds;
  json["samples_per_second"] = result.samples_per_second;
  json["statement"] = result.statement;
  json["diverged"] = !result.divergence.empty();
  if (!result.divergence.empty()) json["divergence"] = result.divergence;
  add_uncovered(result, json);
  if (request.profile) {
    for (const auto& entry : result.profile) json["profile"][entry.what] = entry.seconds;
  }
  json["output"] = request.output.string();
  return json.dump(2) + '\n';
}

std::string profile_text(const TrainingResult& result) {
  double total = 0;
  for (const auto& entry : result.profile) total += entry.seconds;
  std::string text = "Time\n";
  for (const auto& entry : result.profile) {
    char line[128];
    std::snprintf(line, sizeof line, "  %-24s %8.2f s  %5.1f %%\n", entry.what.c_str(),
                  entry.seconds, total > 0 ? 100 * entry.seconds / total : 0.0);
    text += line;
  }
  return text;
}

std::string accuracy_text(const TrainingResult& result) {
  char text[160];
  if (result.test) {
    std::snprintf(text, sizeof text, "%.2f %% on test data, loss %.4f", 100 * result.test->accuracy,
                  result.test->loss);
    return text;
  }
  if (result.held_out) return held_out_text(*result.held_out);
  return result.held_out_terms ? "not known: it was paid for and lost when the run was interrupted"
                               : "not measured: nothing was held out";
}

std::string human_text(const TrainingResult& result, const TrainRequest& request) {
  std::string text = "\n" + labelled_paragraph("Accuracy", accuracy_text(result));
  if (!result.divergence.empty()) text += labelled_paragraph("WARNING", result.divergence);
  text += labelled_paragraph("Privacy", result.statement);
  if (result.spent && result.is_private) {
    std::string spent = "ε ≤ " + accounting::rounded_up(result.spent->epsilon) +
                        " at δ = " + accounting::rounded_up(result.spent->delta);
    if (result.spent->epsilon_lower) {
      spent += " (for whoever sees every noised sum it is at least " +
               accounting::rounded_down(*result.spent->epsilon_lower) + ")";
    }
    text += labelled_paragraph(
        "Spent", spent + " after " + counted(result.steps, "step") + ", noise multiplier " +
                     accounting::rounded_down(result.noise_multiplier) + ".");
  }
  if (result.norms) {
    text += labelled_paragraph(
        "Norms", "Not covered by ε, in the last epoch: " + norm_text(*result.norms) + ".");
  }
  if (result.train_loss && result.is_private) {
    text += labelled_paragraph(
        "Training",
        "Not covered by ε: loss " + std::to_string(*result.train_loss) + " in the last epoch.");
  }
  if (result.discarded.value_or(0) > 0) {
    text += labelled_paragraph("Discarded",
                               std::to_string(*result.discarded) +
                                   " sample gradients were not finite and counted as zero (this "
                                   "number is not covered by ε).");
  }
  text += labelled_paragraph(
      "Files", request.output.string() +
                   "/: report.html, model.pt, privacy.md, privacy.json, metrics.jsonl, "
                   "ledger.jsonl");
  if (request.profile) text += profile_text(result);
  return text;
}

}  // namespace

int train_command(const Arguments& arguments) {
  const auto request = parse_train_request(arguments);
  if (!request) return 0;
  at::set_num_threads(request->threads);
  TrainingDisplay display(request->verbose);
  const TrainingResult result = request->resume ? train::resume(request->output, display)
                                : request->finish
                                    ? train::finish(request->output, display)
                                    : train::train(request->config, request->output, display);
  std::cout << (request->json ? json_text(result, *request) : human_text(result, *request));
  return 0;
}

}  // namespace sotto::cli
