#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command_group.h"
#include "cli/config_flags.h"
#include "cli/gan_table_text.h"
#include "cli/held_out_text.h"
#include "cli/model_promise.h"
#include "cli/progress_bar.h"
#include "cli/text_layout.h"
#include "cli/training_flags.h"
#include "core/atomic_file.h"
#include "gan/export.h"
#include "gan/gan_json.h"
#include "runs/file_hashes.h"
#include "settings/gan_table.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/random.h"
#include "sotto/gan/gan.h"

namespace sotto::cli {
namespace {

constexpr const char* kGanTrainExamples = R"(
Examples:
  sotto gan train --dataset mnist --target-epsilon 1 --output runs/digits
  sotto gan train --dataset csv:patients.csv --schema schema.json --target-epsilon 2 \
        --output runs/patients
  sotto gan train --method basic --dataset mnist --critic-steps 20 --output runs/dp-gan
  sotto gan train --method advanced --public-dataset idx:old-digits --output runs/advanced
  sotto gan train --resume --output runs/dp-gan
  sotto gan train --finish --output runs/dp-gan

generator.pt, and any number of samples from it, may be published: the (ε, δ) of privacy.md covers
them. Nothing that is computed from private records without noise is shown or written, unless
--show-private asks for it: that goes to files with "private" in their names.
)";

constexpr const char* kGanSampleExamples = R"(
Examples:
  sotto gan sample runs/digits -n 60000 --format idx --output synthetic
  sotto train --dataset idx:synthetic --classes 10 --disable-dp
  sotto gan sample runs/patients -n 1000 --format csv --output synthetic.csv
  sotto gan sample generator.pt -n 100 --format png --output pictures
)";

constexpr const char* kGanEvaluateExamples = R"(
Examples:
  sotto gan evaluate runs/digits
  sotto gan evaluate runs/digits --json

Of a table it compares means and spreads of numbers, frequencies of categories, and how strongly any
two columns go together, with public test rows (sotto gan train --test-data FILE).

What it prints looks at the generator and at public test records. On held-out private records the
accuracy is released once, with noise, and is within the run's ε. --show-private also looks at private
records without noise, and writes that to evaluation.private.json in the run's folder: it is for the
data holder, and no ε covers it.
)";

void use_all_cores() {
  at::set_num_threads(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

struct GanTrainFlags {
  FlagText output;
  bool resume = false;
  bool finish = false;
  bool json = false;
  bool verbose = false;
};

void declare_flags(FlagSet& app, GanTrainFlags& f) {
  app.add_option("-o,--output DIR", f.output,
                 "folder of the run (default: runs/... with the date)");
  app.add_flag("--resume", f.resume, "continue the run in --output");
  app.add_flag("--finish", f.finish,
               "end the interrupted run in --output: publish its generator at the ε spent so far");
  app.add_flag("-v,--verbose", f.verbose, "say more");
  app.add_flag("--json", f.json, "print one JSON object");
  app.footer(kGanTrainExamples);
}

gan::GanConfig config_of(const FlagSet& app, const ConfigFlags<gan::GanConfig>& flags) {
  gan::GanConfig config;
  flags.apply(config);
  flags.refuse_useless(app, config);
  return config;
}

// Tables have none.
bool has_pictures(const std::filesystem::path& output) {
  const std::filesystem::directory_iterator files(output);
  return std::any_of(begin(files), end(files), [](const auto& file) {
    return file.path().filename().string().starts_with("samples-");
  });
}

std::string result_text(const gan::GanResult& result, const std::filesystem::path& output) {
  std::string text = "\n" + labelled_paragraph("Privacy", result.statement);
  if (result.spent && result.is_private) {
    text +=
        labelled_paragraph("Spent", "ε ≤ " + accounting::rounded_up(result.spent->epsilon) +
                                        " at δ = " + accounting::rounded_up(result.spent->delta) +
                                        ", noise multiplier " +
                                        accounting::rounded_down(result.noise_multiplier) + ".");
  }
  text += labelled_paragraph(
      "Files", output.string() +
                   "/: generator.pt (may be published), privacy.md, privacy.json, ledger.jsonl, "
                   "losses.svg" +
                   (has_pictures(output) ? ", samples-*.png" : ""));
  return text + labelled_paragraph("Next", "sotto gan sample " + output.string() + " -n 10000");
}

int gan_train(const Arguments& arguments) {
  FlagSet app("Trains a generator of synthetic data with a proven bound on what it reveals.",
              "sotto gan train");
  const ConfigFlags<gan::GanConfig> settings(settings::gan_settings(), app);
  GanTrainFlags f;
  declare_flags(app, f);
  if (!app.parse(arguments)) return 0;
  use_all_cores();
  TrainingDisplay display(f.verbose);
  std::filesystem::path output;
  gan::GanResult result;
  if (f.resume || f.finish) {
    require_begun_run(app, f.output, {"--resume", "--finish", "--output", "--json", "--verbose"});
    output = *f.output;
    result =
        f.resume ? gan::resume_generator(output, display) : gan::finish_generator(output, display);
  } else {
    const auto config = config_of(app, settings);
    output = f.output ? std::filesystem::path(*f.output)
                      : dated_folder(config.data.dataset, to_string(config.method));
    result = gan::train_generator(config, output, display);
  }
  if (f.json) {
    auto json = gan::result_json(result);
    json["output"] = output.string();
    std::cout << json.dump(2) << '\n';
  } else {
    std::cout << result_text(result, output);
  }
  return 0;
}

// A run's folder, or the file itself.
std::filesystem::path generator_path(const std::string& text) {
  std::filesystem::path path(text);
  if (std::filesystem::is_directory(path)) return path / "generator.pt";
  return path;
}

int gan_sample(const Arguments& arguments) {
  FlagSet app("Draws synthetic data from a generator.", "sotto gan sample");
  std::string run;
  FlagText count, format, output, sheet, seed;
  bool json = false;
  app.add_option("RUN", run, "a run's folder, or its generator.pt").required().names_run();
  app.add_option("-n,--samples N", count, "number of samples (default 10000)");
  app.add_option("--format idx|png|csv", format,
                 "format of the samples (default idx for images, csv for tables)");
  app.add_option("-o,--output PATH", output, "folder, or file for csv (default: synthetic)")
      .names_outputs();
  app.add_option("--sheet FILE", sheet,
                 "a picture with some of every class (images; default: "
                 "OUTPUT-sheet.png)")
      .names_outputs();
  app.add_option("--seed N", seed, "seed of the samples: the same ones again");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kGanSampleExamples);
  if (!app.parse(arguments)) return 0;
  const auto n = count ? count_flag("--samples", *count) : 10'000;
  if (n > 10'000'000) throw UsageError("--samples '" + *count + "': expected at most 10000000");
  SecureRandom random;
  torch::manual_seed(seed ? seed_flag("--seed", *seed) : random());
  const auto path = generator_path(run);
  if (!std::filesystem::exists(path)) {
    throw UsageError("RUN '" + run + "': expected a folder with a generator.pt, or such a file");
  }
  runs::require_unaltered(path.parent_path(), {path.filename().string()});
  use_all_cores();
  const auto loaded = gan::load_generator(path);
  const auto promise = promise_of(path, loaded.card.privacy);
  const bool images = loaded.card.shape.sample.size() == 3;
  const std::string kind = format.value_or(images ? "idx" : "csv");
  if (kind != "idx" && kind != "png" && kind != "csv") {
    throw UsageError("--format '" + kind + "': expected idx, png or csv");
  }
  if (sheet && !images) throw UsageError("--sheet: rows of a table have no picture");
  std::int64_t elements = 1;
  for (const auto extent : loaded.card.shape.sample) elements *= extent;
  if (n > 2'000'000'000 / elements) {
    throw UsageError("--samples '" + *count + "': more than memory can hold; draw several times");
  }
  const std::filesystem::path target =
      output.value_or(kind == "csv" ? "synthetic.csv" : "synthetic");
  const std::filesystem::path picture = sheet.value_or(target.string() + "-sheet.png");
  if (kind == "csv") {
    app.check_output("--output", target);
  } else {
    app.check_output_folder("--output", target);
  }
  if (images) app.check_output("--sheet", picture);
  const auto samples = gan::draw_samples(loaded.generator, loaded.card, n);
  if (kind == "idx") gan::write_idx(target, samples, loaded.card);
  if (kind == "png") gan::write_png(target, samples, loaded.card);
  if (kind == "csv") gan::write_csv(target, samples, loaded.card);
  if (images) gan::write_sheet(picture, loaded.generator, loaded.card);
  if (json) {
    nlohmann::ordered_json result{{"samples", n}, {"format", kind}, {"output", target.string()}};
    if (images) result["sheet"] = picture.string();
    result["privacy"] = promise.text;
    add_contradictions(promise, result);
    std::cout << result.dump(2) << '\n';
    return 0;
  }
  std::cout << labelled_paragraph("Samples", std::to_string(n) + " in " + target.string())
            << (images ? labelled_paragraph("Picture", picture.string()) : "")
            << labelled_paragraph("Privacy", promise.text);
  return 0;
}

constexpr const char* kTableRefused =
    "frequencies, means and correlations are not compared: the only real rows are private, and "
    "there "
    "is no noised release of these; train with --test-data FILE, rows that are public, to see them";

std::string score_line(const std::string& what, const char* pattern, double value) {
  char number[32];
  std::snprintf(number, sizeof number, pattern, value);
  return padded("  " + what, 54) + number + "\n";
}

std::string evaluation_text(const gan::GanEvaluation& e) {
  std::string text = "Accuracy on real test data is that of a classifier (" + e.classifier +
                     ") trained here; its scores are not comparable with those of others.\n";
  for (const auto& score : gan::gan_scores()) {
    const auto& value = e.*score.value;
    if (value) text += score_line(score.text, score.pattern, score.factor * *value);
  }
  text += score_line("critic's over-estimation s+: uniform noise", "%+7.3f", e.s_plus_noise);
  text += score_line("critic's over-estimation s+: generated data", "%+7.3f", e.s_plus_generated);
  if (e.held_out) {
    text += "\n" + labelled_paragraph("Accuracy",
                                      "learnt from synthetic data alone: " +
                                          held_out_text(*e.held_out, e.contradictions.empty()));
  }
  if (e.table) text += "\n" + comparison_text(*e.table);
  if (e.table_refused) text += "\n" + labelled_paragraph("Table", kTableRefused);
  text += "\n";
  if (!e.contradictions.empty()) {
    return text +
           labelled_paragraph("Warning", e.contradictions.front() + " Do not rely on its promise.");
  }
  return std::isfinite(e.epsilon)
             ? text + "The run promises ε ≤ " + accounting::rounded_up(e.epsilon) +
                   " at δ = " + accounting::rounded_up(e.delta) + ".\n"
             : text + "The generator is NOT PRIVATE, and neither is any of this.\n";
}

// Where exact numbers went; empty if nobody asked for them.
std::string write_exact(const std::string& run, const gan::GanEvaluations& result) {
  if (!result.exact) return "";
  const auto path = std::filesystem::path(run) / "evaluation.private.json";
  write_file_atomically(path, gan::evaluation_json(*result.exact, kTableRefused).dump(2) + "\n");
  return path.string();
}

void print_evaluations(const gan::GanEvaluations& result, const std::string& exact, bool json) {
  if (json) {
    auto object = gan::evaluation_json(result.covered, kTableRefused);
    if (!exact.empty()) object["private_file"] = exact;
    std::cout << object.dump(2) << '\n';
    return;
  }
  std::cout << evaluation_text(result.covered);
  if (!exact.empty()) {
    std::cout << labelled_paragraph("Private",
                                    "What looks at private records without noise is in " + exact +
                                        ": no ε covers it; do not share it.");
  }
}

int gan_evaluate(const Arguments& arguments) {
  FlagSet app("Says how good a run's synthetic data are.", "sotto gan evaluate");
  std::string run;
  FlagText count, epochs;
  bool json = false;
  gan::EvaluationOptions options;
  app.add_option("RUN", run, "a run's folder").required();
  app.add_option("-n,--samples N", count,
                 "synthetic samples (default: as many as training records)");
  app.add_option("--epochs N", epochs, "epochs of the classifiers (default 10)");
  app.add_flag("--show-private", options.show_private,
               "also look at private records without noise; into evaluation.private.json");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kGanEvaluateExamples);
  if (!app.parse(arguments)) return 0;
  if (!std::filesystem::exists(std::filesystem::path(run) / "config.json")) {
    throw UsageError("RUN '" + run + "': expected the folder of a run of sotto gan train");
  }
  use_all_cores();
  if (count) options.samples = count_flag("--samples", *count);
  if (epochs) options.epochs = count_flag("--epochs", *epochs);
  const auto result = gan::evaluate_generator(run, options);
  print_evaluations(result, write_exact(run, result), json);
  return 0;
}

constexpr std::array kGanCommands = {
    Command{"train", gan_train, "train a generator privately"},
    Command{"sample", gan_sample, "draw synthetic data from it"},
    Command{"evaluate", gan_evaluate, "how good the synthetic data are"},
};

}  // namespace

int gan_command(const Arguments& arguments) {
  return run_group({"sotto gan", "Synthetic data instead of private data.", kGanCommands,
                    "\nsotto gan COMMAND --help says more.\n"},
                   arguments);
}

}  // namespace sotto::cli
