#include "cli/train_request.h"

#include <algorithm>
#include <thread>

#include "cli/flags.h"
#include "cli/train_settings.h"
#include "cli/training_flags.h"

namespace sotto::cli {
namespace {

using train::TrainingConfig;

constexpr const char* kTrainExamples = R"(
Examples:
  sotto train
  sotto train --dataset mnist --target-epsilon 1.17 --epochs 15 --output runs/mnist
  sotto train --dataset csv:patients.csv --schema schema.json --model mlp --batch-size 256
  sotto train --method clipless --dataset mnist --output runs/clipless
  sotto train --model vgg16 --weights vgg16.pth --freeze features --dataset images:flowers \
    --class-names rose,tulip,daisy --image-factor 2
  sotto train --resume --output runs/mnist

The run's folder holds model.pt (torch.jit.load reads it), report.html, privacy.md, metrics.jsonl
and the ledger. Nothing that is computed from private records without noise is shown or written,
unless --show-private or --show-norms asks for it: that goes to files with "private" in their names.
)";

struct Flags {
  TrainSettings settings;
  std::vector<std::string> freeze;
  bool disable_dp = false;
  bool show_norms = false;
  bool show_private = false;
  FlagText output, device, threads;
  bool resume = false;
  bool json = false;
  bool verbose = false;
  bool profile = false;
};

void declare_flags(FlagSet& app, Flags& f) {
  f.settings.declare(app);
  app.add_option("--freeze", f.freeze, "parameters not to train, e.g. 'conv*' (repeatable)");
  app.add_flag("--disable-dp", f.disable_dp, "train without privacy");
  app.add_flag("--show-norms", f.show_norms,
               "show gradient norms, clipped samples and batch sizes, which ε does not cover");
  app.add_flag(
      "--show-private", f.show_private,
      "show training losses and exact results on held-out records, which ε does not cover");
  app.add_option("-o,--output", f.output, "folder of the run (default: runs/... with the date)");
  app.add_flag("--resume", f.resume, "continue the run in --output");
  app.add_option("--device", f.device, "cpu");
  app.add_option("--threads", f.threads, "default: all cores");
  app.add_flag("-v,--verbose", f.verbose, "say how gradients are computed, and why");
  app.add_flag("--profile", f.profile, "print where the time went");
  app.add_flag("--json", f.json, "print one JSON object");
  app.footer(kTrainExamples);
}

// Lipschitz networks want other settings than clipped ones.
void apply_clipless_defaults(const FlagSet& app, TrainingConfig& config) {
  if (app.count("--model") == 0) config.model = "lip-mlp";
  if (app.count("--batch-size") == 0) config.batch_size = 2500;
  if (app.count("--epochs") == 0) config.epochs = 25;
  if (app.count("--learning-rate") == 0) config.learning_rate = 0.3;
  if (app.count("--max-grad-norm") == 0) config.max_grad_norm = 0.1;
}

// VGG16 takes colour pictures of ImageNet's size, or a fraction of it.
void apply_vgg_settings(const FlagSet& app, TrainingConfig& config) {
  if (app.count("--image-factor") > 0 && app.count("--image-size") > 0) {
    throw UsageError("--image-factor and --image-size: give one of them");
  }
  if (config.model != "vgg16") {
    if (app.count("--hidden-units") > 0)
      throw UsageError("--hidden-units: only with --model vgg16");
    return;
  }
  if (app.count("--image-factor") + app.count("--image-size") == 0) config.image_size = 224;
  if (app.count("--image-channels") == 0) config.image_channels = 3;
}

// Flags of clipless training say nothing elsewhere.
void refuse_clipless_flags(const FlagSet& app) {
  for (const auto* flag :
       {"--loss", "--temperature", "--margin", "--input-bound", "--noise-strategy"}) {
    if (app.count(flag) > 0) throw UsageError(std::string(flag) + ": only with --method clipless");
  }
}

TrainingConfig config_from(const FlagSet& app, const Flags& f) {
  TrainingConfig config;
  config.disable_dp = f.disable_dp;
  config.freeze = f.freeze;
  config.show_norms = f.show_norms;
  config.show_private = f.show_private;
  if (f.disable_dp) config.average = 0;
  f.settings.apply(config);
  if (config.method == train::Method::kClipless) {
    apply_clipless_defaults(app, config);
  } else {
    refuse_clipless_flags(app);
  }
  apply_vgg_settings(app, config);
  if (app.count("--noise-multiplier") > 0 && app.count("--target-epsilon") > 0) {
    throw UsageError("--noise-multiplier and --target-epsilon: give one of them");
  }
  if (f.show_norms && f.disable_dp) {
    throw UsageError("--show-norms: without privacy (--disable-dp) there are no norms to show");
  }
  return config;
}

int thread_count(const FlagText& text) {
  if (!text) return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return static_cast<int>(
      number_flag("--threads", *text, {1, true, 1024, true, "a whole number from 1 to 1024"}));
}

}  // namespace

std::optional<TrainRequest> parse_train_request(const Arguments& arguments) {
  FlagSet app("Trains a network with a proven bound on what it reveals about any one record.",
              "sotto train");
  Flags f;
  declare_flags(app, f);
  if (!app.parse(arguments)) return std::nullopt;
  TrainRequest request;
  request.json = f.json;
  request.verbose = f.verbose;
  request.profile = f.profile;
  request.resume = f.resume;
  request.threads = thread_count(f.threads);
  if (f.device && *f.device != "cpu") {
    throw UsageError("--device '" + *f.device + "': expected cpu");
  }
  if (f.resume) {
    require_only_resume_flags(
        app, {"--resume", "--output", "--json", "--threads", "--device", "--verbose", "--profile"});
    if (!f.output) throw UsageError("--resume: --output must name the run's folder");
    request.output = *f.output;
    return request;
  }
  request.config = config_from(app, f);
  request.output = f.output ? std::filesystem::path(*f.output)
                            : dated_folder(request.config.dataset, request.config.model);
  return request;
}

}  // namespace sotto::cli
