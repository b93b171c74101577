#include <ATen/Parallel.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/certificate_text.h"
#include "cli/command.h"
#include "cli/evaluate_output.h"
#include "cli/flags.h"
#include "cli/importance_text.h"
#include "cli/model_argument.h"
#include "core/atomic_file.h"
#include "runs/held_out_release.h"
#include "runs/recorded_identity.h"
#include "sotto/core/error.h"
#include "sotto/train/evaluation.h"
#include "train/evaluation_file.h"
#include "train/scored_tensors.h"
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
  sotto evaluate runs/patients --test-data public.csv --importance --repeats 10

For a run on one private file it prints what was released about held-out records, once and with noise,
when the run ended. --show-private writes exact numbers to evaluation.private.json beside the model.
)";

constexpr const char* kPrivateFile = "evaluation.private.json";

struct EvaluateFlags {
  std::string model;
  FlagText dataset, schema, test_data, class_names, radius, repeats, seed;
  bool certify = false;
  bool importance = false;
  bool show_private = false;
  bool json = false;

  // Whether the data are those of the run, as it was trained on them.
  bool of_the_run() const { return !dataset && !schema && !test_data && !class_names; }
};

void declare_flags(FlagSet& app, EvaluateFlags& f) {
  app.add_option("MODEL", f.model, "model.pt, or the folder of a run").required();
  app.add_option("--dataset DATA", f.dataset, "as for sotto train (default: that of the run)");
  app.add_option("--schema FILE", f.schema, "csv: the schema file");
  app.add_option("--test-data FILE", f.test_data, "csv: file of PUBLIC test rows");
  app.add_option("--class-names A,B,...|@FILE", f.class_names,
                 "images: the classes' folders, a,b,c or @FILE with one per line (default: the "
                 "model's classes)");
  app.add_flag("--certify", f.certify,
               "accuracy that is certified against small changes of the inputs (clipless models)");
  app.add_option("--radius X", f.radius, "with --certify: one more radius");
  app.add_flag("--importance", f.importance,
               "tables: what the model loses when a column is permuted, on public test rows");
  app.add_option("--repeats N", f.repeats, "with --importance: permutations of each (default 5)");
  app.add_option("--seed N", f.seed, "with --importance: seed of the permutations (default 0)");
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
  if (f.dataset) config.dataset = flag_value("--dataset", *f.dataset, settings::dataset);
  if (!run.disable_dp && config.dataset != run.dataset &&
      runs::is_same_data(config.dataset, run.dataset)) {
    throw UsageError("--dataset '" + config.dataset +
                     "': holds files of the private data that the model was trained on (" +
                     run.dataset + "); expected public data");
  }
  if (f.schema) use_schema(*f.schema, config);
  if (f.test_data) {
    config.csv_test = file_flag("--test-data", *f.test_data);
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
  Evaluation result = {};
  runs::ClassificationScores scores = {};
  train::Certificate certificate = {};
  train::Importance importance = {};
};

void look(const EvaluateFlags& f, train::LoadedModel& loaded, Evaluated& e) {
  const auto classes = static_cast<std::int64_t>(e.data.classes.size());
  e.result = train::evaluate(loaded.model, e.data.test.inputs, e.data.test.labels, classes);
  e.scores = train::classification_scores(e.result, e.data.test.labels);
  if (f.certify) e.certificate = train::certify(loaded, e.data.test, radii_of(loaded, f.radius));
}

train::ImportanceOptions importance_options(const EvaluateFlags& f) {
  train::ImportanceOptions options;
  if (f.repeats) options.repeats = count_flag("--repeats", *f.repeats);
  if (f.seed) options.seed = seed_flag("--seed", *f.seed);
  return options;
}

// Of the columns of the run's table.
void weigh_columns(const EvaluateFlags& f, const train::TrainingConfig& config,
                   train::LoadedModel& loaded, Evaluated& e) {
  if (!f.importance) return;
  e.importance = {importance_options(f), e.data.test.size()};
  e.importance.columns = train::permutation_importance(
      loaded.model, e.data.test, static_cast<std::int64_t>(e.data.classes.size()),
      data::feature_columns(schema_of(config, config.dataset)), e.importance.options);
}

void add_certificate(const EvaluateFlags& f, const Evaluated& e, Json& object) {
  if (!f.certify) return;
  object["lipschitz_constant"] = e.certificate.lipschitz;
  object["certified"] = train::certificate_json(e.certificate);
}

void print_exact(const EvaluateFlags& f, const ModelPromise& promise, const Evaluated& e) {
  if (f.json) {
    auto object = scores_json(e.result, e.scores, e.data.classes, promise);
    add_certificate(f, e, object);
    if (f.importance) object["importance"] = train::importance_json(e.importance);
    std::cout << object.dump(2) << '\n';
    return;
  }
  std::cout << scores_text(e.result, e.scores, e.data.classes, promise);
  if (f.certify) std::cout << certificate_text(e.certificate);
  if (f.importance) std::cout << importance_text(e.importance);
}

// Exact numbers, where they say themselves that they are private. Whether there are any records is
// private, too: the file alone says it.
std::filesystem::path write_private(const EvaluateFlags& f, const std::filesystem::path& model,
                                    train::LoadedModel& loaded, Evaluated& e) {
  Json object = {{"samples", 0}};
  if (e.data.test.size() > 0) {
    look(f, loaded, e);
    object = train::exact_evaluation_json(e.result, loaded.model, e.data);
    add_certificate(f, e, object);
  }
  auto path = model.parent_path() / kPrivateFile;
  write_file_atomically(path, object.dump(2) + "\n");
  return path;
}

// What was released when the run ended; `exact`: where exact numbers went, if anywhere.
void print_released(const EvaluateFlags& f, const std::vector<std::string>& classes,
                    const ModelPromise& promise, const std::optional<runs::HeldOutRelease>& release,
                    const std::filesystem::path& exact) {
  if (f.json) {
    std::cout << released_json(classes, promise, release, exact).dump(2) << '\n';
  } else {
    std::cout << released_text(classes, promise, release, exact);
  }
}

// Before anything is computed.
void require_fitting_flags(const EvaluateFlags& f, const train::LoadedModel& loaded) {
  if (f.certify && !train::is_lipschitz(loaded.card.model)) {
    throw UsageError("--certify: model '" + loaded.card.model +
                     "' has no Lipschitz bound; train one with --method clipless");
  }
  if (f.radius && !f.certify) throw UsageError("--radius: only with --certify");
  if (f.certify) static_cast<void>(radii_of(loaded, f.radius));
  if (f.repeats && !f.importance) throw UsageError("--repeats: only with --importance");
  if (f.seed && !f.importance) throw UsageError("--seed: only with --importance");
  static_cast<void>(importance_options(f));
  if (f.importance && loaded.card.shape.size() != 1) {
    throw UsageError(
        "--importance: the model takes pictures, whose pixels mean little alone; expected a model "
        "of a table's rows");
  }
}

void refuse_importance_of_private_rows(const EvaluateFlags& f) {
  if (!f.importance) return;
  throw UsageError(
      "--importance: the test rows are private, and nothing of this kind is released about them; "
      "give public ones (--test-data FILE)");
}

}  // namespace

int evaluate_command(const Arguments& arguments) {
  FlagSet app("How good a trained model is on test data: accuracy, baseline, AUC, calibration.",
              "sotto evaluate");
  EvaluateFlags f;
  declare_flags(app, f);
  if (!app.parse(arguments)) return 0;
  at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
  const auto path = model_path(f.model);
  auto loaded = train::load_model(path);
  require_fitting_flags(f, loaded);
  const auto run = config_beside(path);
  if (!f.dataset && !run) {
    throw UsageError("--dataset is missing: there is no config.json beside " + path.string());
  }
  const auto promise = promise_of(path, loaded.card.privacy);
  const auto release =
      run && f.of_the_run() ? runs::recorded_held_out(path.parent_path()) : std::nullopt;
  if (release) refuse_importance_of_private_rows(f);
  if (release && !f.show_private && !f.certify) {
    print_released(f, loaded.card.classes, promise, release, {});
    return 0;
  }
  const auto config = data_settings(f, run.value_or(train::TrainingConfig{}), loaded.card);
  Evaluated e{train::load_data_for(loaded.card, config)};
  const bool nothing_promised = run && f.of_the_run() && run->disable_dp;
  if (!e.data.test_is_private() || nothing_promised) {
    check_argument(e.data.test.size() > 0, config.dataset, ": there are no test records");
    look(f, loaded, e);
    weigh_columns(f, config, loaded, e);
    print_exact(f, promise, e);
    return 0;
  }
  refuse_importance_of_private_rows(f);
  check_argument(f.show_private, config.dataset,
                 ": its test records would be held out of private ones, and nothing is released of "
                 "them here; give public ones (--test-data FILE), or --show-private");
  print_released(f, loaded.card.classes, promise, release, write_private(f, path, loaded, e));
  return 0;
}

}  // namespace sotto::cli
