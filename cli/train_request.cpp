#include "cli/train_request.h"

#include <algorithm>
#include <iostream>
#include <thread>

#include "cli/config_flags.h"
#include "cli/recipe_output.h"
#include "cli/training_flags.h"
#include "settings/training_checks.h"
#include "settings/training_table.h"

namespace sotto::cli {
namespace {

using settings::TrainingConfig;

constexpr const char* kTrainExamples = R"(
Examples:
  sotto train
  sotto train --target-epsilon 1 --explain-recipe
  sotto train --dataset mnist --target-epsilon 1.17 --epochs 15 --output runs/mnist
  sotto train --dataset csv:patients.csv --schema schema.json --test-data public.csv
  sotto train --method clipless --dataset mnist --output runs/clipless
  sotto train --model vgg16 --weights vgg16.pth --freeze features --dataset images:flowers \
    --class-names rose,tulip,daisy --image-factor 2
  sotto train --resume --output runs/mnist
  sotto train --finish --output runs/mnist

The run's folder holds model.pt (torch.jit.load reads it), report.html, privacy.md, metrics.jsonl
and the ledger. Nothing that is computed from private records without noise is shown or written,
unless --show-private or --show-norms asks for it: that goes to files with "private" in their names.
)";

struct Flags {
  FlagText output, device, threads;
  bool resume = false;
  bool finish = false;
  bool explain_recipe = false;
  bool json = false;
  bool verbose = false;
  bool profile = false;
};

void declare_flags(FlagSet& app, Flags& f) {
  app.add_option("-o,--output DIR", f.output,
                 "folder of the run (default: runs/... with the date)");
  app.add_flag("--resume", f.resume, "continue the run in --output");
  app.add_flag("--finish", f.finish,
               "end the interrupted run in --output: publish its model at the ε spent so far");
  app.add_flag("--explain-recipe", f.explain_recipe,
               "say which settings would be used and why, without training");
  app.add_option("--device NAME", f.device, "compute device (only cpu)");
  app.add_option("--threads N", f.threads, "number of threads (default: all cores)");
  app.add_flag("-v,--verbose", f.verbose, "say how gradients are computed, and why");
  app.add_flag("--profile", f.profile, "print where the time went");
  app.add_flag("--json", f.json, "print one JSON object");
  app.footer(kTrainExamples);
}

TrainingConfig config_from(const FlagSet& app, const ConfigFlags<TrainingConfig>& flags) {
  TrainingConfig said;
  flags.apply(said);
  auto config = TrainingConfig::suited_to({.method = said.method,
                                           .model = app.count("--model") > 0 ? said.model : "",
                                           .disable_dp = said.disable_dp,
                                           .dataset = said.dataset,
                                           .optimizer = said.optimizer,
                                           .clipping = said.clipping,
                                           .recipe = said.recipe,
                                           .target_epsilon = said.target_epsilon,
                                           .batch_size = said.batch_size});
  flags.apply(config);
  flags.refuse_useless(app, config);
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
  const ConfigFlags<TrainingConfig> settings(settings::training_settings(), app);
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
  request.finish = f.finish;
  if (f.resume || f.finish) {
    require_begun_run(app, f.output,
                      {"--resume", "--finish", "--output", "--json", "--threads", "--device",
                       "--verbose", "--profile"});
    request.output = *f.output;
    return request;
  }
  request.config = config_from(app, settings);
  if (f.explain_recipe) {
    settings::require_consistent(request.config);
    std::cout << (f.json ? recipe_json : recipe_text)(request.config);
    return std::nullopt;
  }
  request.output = f.output ? std::filesystem::path(*f.output)
                            : dated_folder(request.config.dataset, request.config.model);
  return request;
}

}  // namespace sotto::cli
