#include "cli/train_request.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "cli/flags.h"

namespace sotto::cli {
namespace {

using train::TrainingConfig;

constexpr const char* kTrainExamples = R"(
Examples:
  sotto train
  sotto train --dataset mnist --target-epsilon 1.17 --epochs 15 --output runs/mnist
  sotto train --dataset csv:patients.csv --schema schema.json --model mlp --batch-size 256
  sotto train --resume --output runs/mnist

The run's folder holds model.pt (torch.jit.load reads it), privacy.md, privacy.json, metrics.jsonl
and the ledger. Training losses shown on the way are not covered by ε.
)";

struct Flags {
  FlagText dataset, schema, test_data, classes, image_size, image_channels;
  FlagText model, batch_size, epochs, lr, optimizer, weight_decay, weights;
  std::vector<std::string> freeze;
  FlagText average, noise_multiplier, target_epsilon, delta, max_grad_norm, clipping, sampling,
      adjacency;
  FlagText physical_batch, output, seed, insecure_seed, device, threads;
  bool disable_dp = false;
  bool resume = false;
  bool json = false;
};

void add_data_flags(CLI::App& app, Flags& f) {
  app.add_option("--dataset", f.dataset,
                 "fashion-mnist (default), mnist, cifar10, digits, csv:PATH, idx:DIR, images:DIR");
  app.add_option("--schema", f.schema, "csv: JSON file that says what is public about the columns");
  app.add_option("--test-data", f.test_data, "csv: file of test rows (default: one row in six)");
  app.add_option("--classes", f.classes, "idx: how many classes there are (public)");
  app.add_option("--image-size", f.image_size, "images: height and width (default 28)");
  app.add_option("--image-channels", f.image_channels, "images: 1 or 3 (default 1)");
}

void add_model_flags(CLI::App& app, Flags& f) {
  app.add_option("--model", f.model, "cnn (default), cnn-tanh, convnet, mlp, softmax");
  app.add_option("-b,--batch-size", f.batch_size, "expected size of a batch (default 1024)");
  app.add_option("-e,--epochs", f.epochs, "passes' worth of batches (default 10)");
  app.add_option("--lr,--learning-rate", f.lr, "learning rate (default 0.5)");
  app.add_option("--optimizer", f.optimizer, "momentum (default), sgd, adam, adamw, rmsprop");
  app.add_option("--weight-decay", f.weight_decay, "default 0");
  app.add_option(
      "--average", f.average,
      "how much of the averaged weights a step keeps, 0 to 1 (default 0.98 with privacy)");
  app.add_option("--freeze", f.freeze, "parameters not to train, e.g. 'conv*' (repeatable)");
  app.add_option("--weights", f.weights, "start from these: model.pt, or a Python state_dict");
}

void add_privacy_flags(CLI::App& app, Flags& f) {
  app.add_option("--target-epsilon", f.target_epsilon, "largest ε (default 3); noise follows");
  app.add_option("-n,--noise-multiplier", f.noise_multiplier, "noise, instead of a target");
  app.add_option("-d,--delta", f.delta, "δ (default 1e-5)");
  app.add_option("-c,--max-grad-norm", f.max_grad_norm, "clipping norm of a sample (default 1)");
  app.add_option("--clipping", f.clipping, "flat (default), per-layer, automatic, adaptive");
  app.add_option("--sampling", f.sampling, "poisson (default), fixed-size, shuffled, none");
  app.add_option("--adjacency", f.adjacency,
                 "add-remove, replace-one or zero-out (default: by sampling)");
  app.add_flag("--disable-dp", f.disable_dp, "train without privacy");
}

void add_run_flags(CLI::App& app, Flags& f) {
  app.add_option("--physical-batch", f.physical_batch, "samples that go through the model at once");
  app.add_option("-o,--output", f.output, "folder of the run (default: runs/... with the date)");
  app.add_flag("--resume", f.resume, "go on with the run in --output");
  app.add_option("--seed", f.seed, "of the initial weights");
  app.add_option("--insecure-seed", f.insecure_seed, "of everything; the run is NOT PRIVATE");
  app.add_option("--device", f.device, "cpu");
  app.add_option("--threads", f.threads, "default: all cores");
  app.add_flag("--json", f.json, "print one JSON object");
}

// "sampling 'x': accepted are ..." becomes "--sampling 'x': ...".
template <typename Parse>
auto named_flag(const std::string& flag, const std::string& text, Parse parse,
                const char* accepted) {
  try {
    return parse(text);
  } catch (const InvalidArgument&) {
    throw UsageError(flag + " '" + text + "': expected " + accepted);
  }
}

accounting::Sampling parse_sampling(const std::string& text) {
  using accounting::Sampling;
  for (const auto sampling :
       {Sampling::kPoisson, Sampling::kFixedSize, Sampling::kShuffled, Sampling::kNone}) {
    if (accounting::name(sampling) == text) return sampling;
  }
  throw InvalidArgument(text);
}

std::uint64_t seed_flag(const std::string& flag, const std::string& text) {
  constexpr const char* kAccepted = "a whole number, 0 or above";
  const double value = number_flag(flag, text, {0, true, 0x1p53, true, kAccepted});
  if (value != std::floor(value)) throw UsageError(flag + " '" + text + "': expected " + kAccepted);
  return static_cast<std::uint64_t>(value);
}

void apply_data(const Flags& f, TrainingConfig& config) {
  if (f.dataset) {
    config.dataset = named_flag(
        "--dataset", *f.dataset,
        [](const std::string& text) { return data::DataSource::parse(text).spec(); },
        "fashion-mnist, mnist, cifar10, digits, csv:PATH, idx:DIR or images:DIR");
  }
  if (f.schema) config.csv_schema = file_flag("--schema", *f.schema);
  if (f.test_data) config.csv_test = file_flag("--test-data", *f.test_data);
  if (f.classes) config.classes = count_flag("--classes", *f.classes);
  if (f.image_size) config.image_size = count_flag("--image-size", *f.image_size);
  if (f.image_channels) config.image_channels = count_flag("--image-channels", *f.image_channels);
}

void apply_model(const Flags& f, TrainingConfig& config) {
  if (f.model) config.model = *f.model;
  if (f.batch_size) config.batch_size = count_flag("--batch-size", *f.batch_size);
  if (f.epochs) config.epochs = count_flag("--epochs", *f.epochs);
  if (f.lr) config.learning_rate = positive_flag("--lr", *f.lr);
  if (f.optimizer) {
    config.optimizer = named_flag("--optimizer", *f.optimizer, train::optimizer_from_name,
                                  "sgd, momentum, adam, adamw or rmsprop");
  }
  if (f.weight_decay) config.weight_decay = nonnegative_flag("--weight-decay", *f.weight_decay);
  config.average = f.disable_dp ? 0 : config.average;
  if (f.average) {
    config.average = number_flag("--average", *f.average,
                                 {0, true, 1, false, "a number, 0 or above and below 1"});
  }
  config.freeze = f.freeze;
  if (f.weights) config.weights = file_flag("--weights", *f.weights);
}

void apply_privacy(const Flags& f, TrainingConfig& config) {
  config.disable_dp = f.disable_dp;
  if (f.noise_multiplier && f.target_epsilon) {
    throw UsageError("--noise-multiplier and --target-epsilon: give one of them");
  }
  if (f.noise_multiplier) {
    config.noise_multiplier =
        number_flag("--noise-multiplier", *f.noise_multiplier,
                    {0, false, std::numeric_limits<double>::max(), true,
                     "a positive number (to train without noise, say --disable-dp)"});
  }
  if (f.target_epsilon) {
    config.target_epsilon = positive_flag("--target-epsilon", *f.target_epsilon);
  }
  if (f.delta) config.delta = probability_flag("--delta", *f.delta);
  if (f.max_grad_norm) config.max_grad_norm = positive_flag("--max-grad-norm", *f.max_grad_norm);
  if (f.clipping) {
    config.clipping = named_flag("--clipping", *f.clipping, clipping_from_name,
                                 "flat, per-layer, automatic or adaptive");
  }
  if (f.sampling) {
    config.sampling = named_flag("--sampling", *f.sampling, parse_sampling,
                                 "poisson, fixed-size, shuffled or none");
  }
  if (f.adjacency) {
    config.relation = named_flag("--adjacency", *f.adjacency, accounting::relation_from_name,
                                 "add-remove, replace-one or zero-out");
  }
}

std::filesystem::path default_output(const TrainingConfig& config) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char date[32];
  std::strftime(date, sizeof date, "%Y%m%d-%H%M%S", std::localtime(&now));
  const auto kind = config.dataset.substr(0, config.dataset.find(':'));
  return std::filesystem::path("runs") / (kind + "-" + config.model + "-" + date);
}

// A resumed run has its own settings: nothing but these may be said again.
void require_only_resume_flags(const CLI::App& app) {
  for (const auto* option : app.get_options()) {
    const auto name = option->get_name();
    const bool allowed = name == "--resume" || name == "--output" || name == "--json" ||
                         name == "--threads" || name == "--device";
    if (option->count() > 0 && !allowed) {
      throw UsageError(name + ": a resumed run keeps its own settings; leave it out");
    }
  }
}

}  // namespace

std::optional<TrainRequest> parse_train_request(const Arguments& arguments) {
  CLI::App app("Trains a network with a proven bound on what it reveals about any one record.",
               "sotto train");
  Flags f;
  add_data_flags(app, f);
  add_model_flags(app, f);
  add_privacy_flags(app, f);
  add_run_flags(app, f);
  app.footer(kTrainExamples);
  if (!parse_arguments(app, arguments)) return std::nullopt;
  TrainRequest request;
  request.json = f.json;
  request.resume = f.resume;
  request.threads =
      f.threads
          ? static_cast<int>(number_flag("--threads", *f.threads,
                                         {1, true, 1024, true, "a whole number from 1 to 1024"}))
          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (f.device && *f.device != "cpu") {
    throw UsageError("--device '" + *f.device + "': expected cpu");
  }
  if (f.resume) {
    require_only_resume_flags(app);
    if (!f.output) throw UsageError("--resume: --output must name the run's folder");
    request.output = *f.output;
    return request;
  }
  apply_data(f, request.config);
  apply_model(f, request.config);
  apply_privacy(f, request.config);
  if (f.physical_batch) {
    request.config.physical_batch = count_flag("--physical-batch", *f.physical_batch);
  }
  if (f.seed) request.config.seed = seed_flag("--seed", *f.seed);
  if (f.insecure_seed)
    request.config.insecure_seed = seed_flag("--insecure-seed", *f.insecure_seed);
  request.output = f.output ? std::filesystem::path(*f.output) : default_output(request.config);
  return request;
}

}  // namespace sotto::cli
