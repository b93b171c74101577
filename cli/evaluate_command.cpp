#include <ATen/Parallel.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/certificate_text.h"
#include "cli/command.h"
#include "cli/flags.h"
#include "cli/model_argument.h"
#include "cli/text_layout.h"
#include "sotto/core/error.h"
#include "sotto/train/evaluation.h"
#include "train/tensor_data.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;
using train::Evaluation;

constexpr const char* kEvaluateExamples = R"(
Examples:
  sotto evaluate runs/mnist
  sotto evaluate model.pt --dataset idx:my-digits --json
  sotto evaluate runs/clipless --certify --radius 0.5
)";

std::string cell(const std::string& text, std::size_t width) {
  const auto length = display_width(text);
  return std::string(length < width ? width - length : 0, ' ') + text;
}

std::string confusion_text(const Evaluation& evaluation, const std::vector<std::string>& classes) {
  std::size_t label_width = 5;
  std::size_t width = 4;
  for (const auto& name : classes) label_width = std::max(label_width, display_width(name));
  for (const auto& row : evaluation.confusion) {
    for (const auto count : row) width = std::max(width, std::to_string(count).size() + 1);
  }
  std::string text = "\n" + padded("truth", label_width) + "  predicted class, in the same order\n";
  for (std::size_t i = 0; i < classes.size(); ++i) {
    text += padded(classes[i], label_width) + " ";
    for (const auto count : evaluation.confusion[i]) {
      text += cell(count == 0 ? "·" : std::to_string(count), width);
    }
    text += '\n';
  }
  return text;
}

bool has_names(const std::vector<std::string>& classes) {
  return classes != data::numbered_classes(static_cast<std::int64_t>(classes.size()));
}

// Names are compared where both have them: numbers stand for classes without a name.
void require_same_classes(const std::vector<std::string>& of_data,
                          const std::vector<std::string>& of_model, const std::string& dataset) {
  check_argument(of_data.size() == of_model.size(), dataset, ": has ", of_data.size(),
                 " classes, the model ", of_model.size());
  if (!has_names(of_data) || !has_names(of_model)) return;
  for (std::size_t i = 0; i < of_data.size(); ++i) {
    check_argument(of_data[i] == of_model[i], dataset, ": its class ", i, " is '", of_data[i],
                   "', the model's is '", of_model[i], "'");
  }
}

}  // namespace

int evaluate_command(const Arguments& arguments) {
  CLI::App app("Accuracy and confusion matrix of a trained model on test data.", "sotto evaluate");
  std::string model_text;
  FlagText dataset;
  FlagText schema;
  FlagText test_data;
  FlagText radius;
  bool certified = false;
  bool json = false;
  app.add_option("MODEL", model_text, "model.pt, or the folder of a run")->required();
  app.add_option("--dataset", dataset, "as for sotto train (default: that of the run)");
  app.add_option("--schema", schema, "csv: the schema file");
  app.add_option("--test-data", test_data, "csv: file of test rows");
  app.add_flag("--certify", certified,
               "accuracy that no small change of the inputs can take away (clipless models)");
  app.add_option("--radius", radius, "with --certify: one more radius");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kEvaluateExamples);
  if (!parse_arguments(app, arguments)) return 0;
  at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  const auto path = model_path(model_text);
  auto loaded = train::load_model(path);
  if (certified && !train::is_lipschitz(loaded.card.model)) {
    throw UsageError("--certify: model '" + loaded.card.model +
                     "' has no Lipschitz bound; train one with --method clipless");
  }
  if (radius && !certified) throw UsageError("--radius: goes with --certify");
  const auto radii = certified ? radii_of(loaded, radius) : std::vector<double>();
  const auto beside = config_beside(path);
  if (!dataset && !beside) {
    throw UsageError("--dataset is missing: there is no config.json beside " + path.string());
  }
  auto config = beside.value_or(train::TrainingConfig{});
  config.disable_dp = true;  // nothing is trained: classes may be counted
  if (config.class_names.empty()) config.class_names = loaded.card.classes;
  if (dataset) config.dataset = *dataset;
  if (schema) config.csv_schema = *schema;
  if (test_data) config.csv_test = *test_data;
  const auto data = train::load_data(config);
  check_argument(data.shape == loaded.card.shape, config.dataset,
                 ": its samples have another shape than the model was trained on");
  require_same_classes(data.classes, loaded.card.classes, config.dataset);
  const auto classes = static_cast<std::int64_t>(data.classes.size());
  const auto result = train::evaluate(loaded.model, data.test.inputs, data.test.labels, classes);
  const auto certificate = certified ? certify(loaded, data.test, radii) : Certificate();
  if (json) {
    Json object;
    object["test_accuracy"] = result.accuracy;
    object["test_loss"] = result.loss;
    object["samples"] = data.test.size();
    object["classes"] = data.classes;
    object["confusion"] = result.confusion;
    if (certified) {
      object["lipschitz_constant"] = certificate.lipschitz;
      object["certified"] = certificate_json(certificate);
    }
    std::cout << object.dump(2) << '\n';
    return 0;
  }
  char accuracy[96];
  std::snprintf(accuracy, sizeof accuracy, "%.2f %% of %ld test samples, loss %.4f",
                100 * result.accuracy, static_cast<long>(data.test.size()), result.loss);
  std::cout << labelled_paragraph("Accuracy", accuracy)
            << labelled_paragraph("Privacy", loaded.card.privacy)
            << confusion_text(result, data.classes);
  if (certified) std::cout << certificate_text(certificate);
  return 0;
}

}  // namespace sotto::cli
