#include <ATen/Parallel.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/certificate_text.h"
#include "cli/command.h"
#include "cli/flags.h"
#include "cli/held_out_text.h"
#include "cli/model_argument.h"
#include "cli/text_layout.h"
#include "core/atomic_file.h"
#include "runs/held_out_json.h"
#include "runs/recorded_identity.h"
#include "sotto/core/error.h"
#include "sotto/runs/held_out_release.h"
#include "sotto/train/evaluation.h"
#include "train/evaluation_file.h"
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
  sotto evaluate runs/patients --test-data public.csv

For a run on one private file it prints what was released about held-out records, once and with noise,
when the run ended. --show-private writes exact numbers to evaluation.private.json beside the model.
)";

constexpr const char* kPrivateFile = "evaluation.private.json";

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

struct EvaluateFlags {
  std::string model;
  FlagText dataset, schema, test_data, class_names, radius;
  bool certify = false;
  bool show_private = false;
  bool json = false;

  // Whether the data are those of the run, as it was trained on them.
  bool of_the_run() const { return !dataset && !schema && !test_data && !class_names; }
};

void declare_flags(FlagSet& app, EvaluateFlags& f) {
  app.add_option("MODEL", f.model, "model.pt, or the folder of a run").required();
  app.add_option("--dataset", f.dataset, "as for sotto train (default: that of the run)");
  app.add_option("--schema", f.schema, "csv: the schema file");
  app.add_option("--test-data", f.test_data, "csv: file of PUBLIC test rows");
  app.add_option("--class-names", f.class_names,
                 "images: the classes' folders, a,b,c or @FILE with one per line (default: the "
                 "model's classes)");
  app.add_flag("--certify", f.certify,
               "accuracy that no small change of the inputs can take away (clipless models)");
  app.add_option("--radius", f.radius, "with --certify: one more radius");
  app.add_flag("--show-private", f.show_private,
               "private held-out records: write exact numbers, which ε does not cover, to "
               "evaluation.private.json");
  app.add_flag("--json", f.json, "print one JSON object");
  app.footer(kEvaluateExamples);
}

// The data to look at. Nothing is trained, and classes are the model's.
train::TrainingConfig data_settings(const EvaluateFlags& f, const train::TrainingConfig& run,
                                    const train::ModelCard& card) {
  auto config = run;
  config.disable_dp = true;
  config.held_out_epsilon.reset();
  if (f.dataset) config.dataset = *f.dataset;
  if (!run.disable_dp && config.dataset != run.dataset &&
      runs::is_same_data(config.dataset, run.dataset)) {
    throw UsageError("--dataset '" + config.dataset +
                     "': holds files of the private data that the model was trained on (" +
                     run.dataset + "); expected public data");
  }
  if (f.schema) use_schema(*f.schema, config);
  if (f.test_data) {
    config.csv_test = *f.test_data;
    if (!run.disable_dp) runs::require_public_test_rows(config.csv_test, run.dataset);
  }
  if (f.class_names)
    config.class_names = flag_value("--class-names", *f.class_names, settings::class_names);
  if (config.class_names.empty()) config.class_names = card.classes;
  if (config.classes == 0) config.classes = static_cast<std::int64_t>(card.classes.size());
  return config;
}

struct Evaluated {
  train::TensorTrainTest data;
  Evaluation result;
  Certificate certificate;
};

train::TensorTrainTest fitting_data(const train::TrainingConfig& config,
                                    const train::ModelCard& card) {
  auto data = train::load_data(config);
  check_argument(data.shape == card.shape, config.dataset,
                 ": its samples have another shape than the model was trained on");
  require_same_classes(data.classes, card.classes, config.dataset);
  return data;
}

void look(const EvaluateFlags& f, train::LoadedModel& loaded, Evaluated& e) {
  const auto classes = static_cast<std::int64_t>(e.data.classes.size());
  e.result = train::evaluate(loaded.model, e.data.test.inputs, e.data.test.labels, classes);
  if (f.certify) e.certificate = certify(loaded, e.data.test, radii_of(loaded, f.radius));
}

void add_certificate(const EvaluateFlags& f, const Evaluated& e, Json& object) {
  if (!f.certify) return;
  object["lipschitz_constant"] = e.certificate.lipschitz;
  object["certified"] = certificate_json(e.certificate);
}

void print_exact(const EvaluateFlags& f, const train::LoadedModel& loaded, const Evaluated& e) {
  if (f.json) {
    Json object;
    object["test_accuracy"] = e.result.accuracy;
    object["test_loss"] = e.result.loss;
    object["samples"] = e.data.test.size();
    object["classes"] = e.data.classes;
    object["confusion"] = e.result.confusion;
    add_certificate(f, e, object);
    std::cout << object.dump(2) << '\n';
    return;
  }
  char accuracy[96];
  std::snprintf(accuracy, sizeof accuracy, "%.2f %% of %ld test samples, loss %.4f",
                100 * e.result.accuracy, static_cast<long>(e.data.test.size()), e.result.loss);
  std::cout << labelled_paragraph("Accuracy", accuracy)
            << labelled_paragraph("Privacy", loaded.card.privacy)
            << confusion_text(e.result, e.data.classes);
  if (f.certify) std::cout << certificate_text(e.certificate);
}

// Exact numbers, where they say themselves that they are private.
std::filesystem::path write_private(const EvaluateFlags& f, const std::filesystem::path& model,
                                    train::LoadedModel& loaded, const Evaluated& e) {
  Json object = train::exact_evaluation_json(e.result, loaded.model, e.data);
  add_certificate(f, e, object);
  auto path = model.parent_path() / kPrivateFile;
  write_file_atomically(path, object.dump(2) + "\n");
  return path;
}

// What was released when the run ended; `exact`: where exact numbers went, if anywhere.
void print_released(const EvaluateFlags& f, const train::ModelCard& card,
                    const std::optional<runs::HeldOutRelease>& release,
                    const std::filesystem::path& exact) {
  if (f.json) {
    Json object;
    object["test_accuracy"] = release && release->accuracy() ? Json(*release->accuracy()) : Json();
    object["classes"] = card.classes;
    if (release) object["held_out"] = json_of(*release);
    if (!exact.empty()) object["private_file"] = exact.string();
    std::cout << object.dump(2) << '\n';
    return;
  }
  if (release) std::cout << labelled_paragraph("Accuracy", held_out_text(*release));
  std::cout << labelled_paragraph("Privacy", card.privacy);
  if (!exact.empty()) {
    std::cout << labelled_paragraph("Private", "Exact numbers are in " + exact.string() +
                                                   ": no ε covers them; do not share them.");
  }
  if (release) std::cout << '\n' << held_out_table(*release, card.classes);
}

}  // namespace

int evaluate_command(const Arguments& arguments) {
  FlagSet app("Accuracy and confusion matrix of a trained model on test data.", "sotto evaluate");
  EvaluateFlags f;
  declare_flags(app, f);
  if (!app.parse(arguments)) return 0;
  at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  const auto path = model_path(f.model);
  auto loaded = train::load_model(path);
  if (f.certify && !train::is_lipschitz(loaded.card.model)) {
    throw UsageError("--certify: model '" + loaded.card.model +
                     "' has no Lipschitz bound; train one with --method clipless");
  }
  if (f.radius && !f.certify) throw UsageError("--radius: only with --certify");
  if (f.certify) static_cast<void>(radii_of(loaded, f.radius));  // before anything is computed
  const auto run = config_beside(path);
  if (!f.dataset && !run) {
    throw UsageError("--dataset is missing: there is no config.json beside " + path.string());
  }
  const auto release =
      run && f.of_the_run() ? runs::recorded_held_out(path.parent_path()) : std::nullopt;
  if (release && !f.show_private && !f.certify) {
    print_released(f, loaded.card, release, {});
    return 0;
  }
  const auto config = data_settings(f, run.value_or(train::TrainingConfig{}), loaded.card);
  Evaluated e{fitting_data(config, loaded.card), {}, {}};
  const bool nothing_promised = run && f.of_the_run() && run->disable_dp;
  if (!e.data.test_is_private() || nothing_promised) {
    look(f, loaded, e);
    print_exact(f, loaded, e);
    return 0;
  }
  check_argument(f.show_private, config.dataset,
                 ": its test records would be held out of private ones, and nothing is released of "
                 "them here; give public ones (--test-data FILE), or --show-private");
  check_argument(e.data.test.size() > 0, config.dataset, ": no record of it is held out");
  look(f, loaded, e);
  print_released(f, loaded.card, release, write_private(f, path, loaded, e));
  return 0;
}

}  // namespace sotto::cli
