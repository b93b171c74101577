#include <ATen/Parallel.h>
#include <torch/nn.h>
#include <torch/utils.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/model_argument.h"
#include "cli/noise_level_text.h"
#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "cli/training_flags.h"
#include "core/counted.h"
#include "core/json_number.h"
#include "core/printed_number.h"
#include "lipschitz/sensitivity.h"
#include "sotto/core/error.h"
#include "sotto/engine/inspector.h"
#include "sotto/grad/grad.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/train/evaluation.h"
#include "train/noise_level.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kInspectExamples = R"(
Examples:
  sotto inspect runs/mnist
  sotto inspect lip-cnn --input-shape 1x28x28 --classes 10
  sotto inspect resnet20 --input-shape 3x32x32 --json
  sotto inspect runs/clipless --signal-to-noise

For networks of --method clipless: how large values, gradients and each parameter's gradient can be
for any record at all. For others: whether they can be trained privately, and how.
)";

struct InspectFlags {
  std::string model;
  FlagText shape, classes, loss_gradient, input_bound;
  bool signal_to_noise = false;
  bool json = false;
};

// A trained model, or a new one of a known name.
train::LoadedModel model_of(const InspectFlags& f) {
  const std::filesystem::path path(f.model);
  if (std::filesystem::exists(path)) {
    if (f.shape || f.classes || f.input_bound) {
      throw UsageError(
          "--input-shape, --classes and --input-bound are only for a network's name; '" + f.model +
          "' has its own");
    }
    return train::load_model(model_path(f.model));
  }
  train::ModelCard card;
  card.model = f.model;
  card.shape =
      f.shape ? shape_flag("--input-shape", *f.shape) : std::vector<std::int64_t>{1, 28, 28};
  const auto classes = f.classes ? count_flag("--classes", *f.classes) : 10;
  for (std::int64_t i = 0; i < classes; ++i) card.classes.push_back(std::to_string(i));
  if (f.input_bound) card.input_bound = positive_flag("--input-bound", *f.input_bound);
  torch::manual_seed(1);
  try {
    return {train::network_of(card), card};
  } catch (const std::invalid_argument& error) {
    throw UsageError("MODEL '" + f.model + "': no such file, and as a network: " + error.what());
  }
}

// The largest gradient of the loss: the flag, else what the run clips it to or its loss allows,
// else √2, the cross-entropy's.
double loss_gradient_of(const InspectFlags& f, const train::ModelCard& card) {
  if (f.loss_gradient) return positive_flag("--max-grad-norm", *f.loss_gradient);
  const auto classes = static_cast<std::int64_t>(card.classes.size());
  const auto config = std::filesystem::exists(f.model) ? config_beside(model_path(f.model))
                                                       : std::optional<settings::TrainingConfig>();
  if (!config) return lipschitz::Loss({}, classes).lipschitz();
  const lipschitz::Loss loss({.kind = config->clipless.loss}, classes);
  return std::min(config->max_grad_norm, loss.lipschitz());
}

double global_bound(const std::vector<lipschitz::LayerBounds>& layers) {
  double square = 0;
  for (const auto& layer : layers) {
    for (const auto& parameter : layer.parameters) square += parameter.bound * parameter.bound;
  }
  return std::sqrt(square);
}

Json json_of(const lipschitz::LayerBounds& layer) {
  Json row;
  row["name"] = layer.name;
  row["kind"] = layer.kind;
  row["output_norm"] = json_number(layer.output);
  row["cotangent_norm"] = layer.cotangent;
  row["parameters"] = Json::object();
  for (const auto& parameter : layer.parameters)
    row["parameters"][parameter.name] = parameter.bound;
  return row;
}

std::string number_text(double value) {
  return std::isfinite(value) ? significant(value, 4) : "any";
}

// One line a layer, and one for each further parameter.
std::string bounds_table(const std::vector<lipschitz::LayerBounds>& layers) {
  TextTable table({TextColumn{.least = 5}, TextColumn{.least = 10}, TextColumn::fixed(11),
                   TextColumn::fixed(13)});
  table.add({"layer", "what it is", "‖values‖ ≤", "‖gradient‖ ≤", "‖parameter's gradient‖ ≤"});
  for (const auto& layer : layers) {
    std::vector<std::string> line = {layer.name, layer.kind, number_text(layer.output),
                                     number_text(layer.cotangent)};
    if (layer.parameters.empty()) line.emplace_back();
    for (const auto& parameter : layer.parameters) {
      line.push_back(number_text(parameter.bound) + "  " + parameter.name);
      table.add(std::exchange(line, std::vector<std::string>(4)));
    }
    if (layer.parameters.empty()) table.add(std::move(line));
  }
  return table.text();
}

[[noreturn]] void refuse_signal_to_noise(const std::string& run) {
  throw UsageError("--signal-to-noise: '" + run +
                   "' is not a run of sotto train --method clipless with noise");
}

std::vector<lipschitz::SignalToNoise> noise_levels_of(const std::string& run,
                                                      train::LoadedModel& loaded) {
  const auto model = model_path(run);
  const auto config = config_beside(model);
  if (!config || config->method != train::Method::kClipless || config->disable_dp) {
    refuse_signal_to_noise(run);
  }
  return train::noise_levels_of(model.parent_path(), *config, loaded);
}

void print_bounds(train::LoadedModel& loaded, const InspectFlags& f) {
  const auto noise_levels = f.signal_to_noise ? noise_levels_of(f.model, loaded)
                                              : std::vector<lipschitz::SignalToNoise>();
  const double loss_gradient = loss_gradient_of(f, loaded.card);
  const auto layers = lipschitz::layer_bounds(loaded.model, loss_gradient);
  const double constant = lipschitz::lipschitz_constant(loaded.model);
  if (f.json) {
    Json object;
    object["model"] = loaded.card.model;
    object["clipless"] = true;
    object["loss_gradient"] = loss_gradient;
    object["gradient_bound"] = global_bound(layers);
    object["lipschitz_constant"] = constant;
    object["layers"] = Json::array();
    for (const auto& layer : layers) object["layers"].push_back(json_of(layer));
    if (f.signal_to_noise) object["signal_to_noise"] = train::noise_levels_json(noise_levels);
    std::cout << object.dump(2) << '\n';
    return;
  }
  std::cout << bounds_table(layers) << '\n'
            << labelled_paragraph(
                   "Gradient",
                   "Any record's whole gradient has norm at most " +
                       number_text(global_bound(layers)) +
                       ", if that of the loss with respect to the scores has norm at most " +
                       number_text(loss_gradient) + ".")
            << labelled_paragraph("Lipschitz", "Scores move by at most " + number_text(constant) +
                                                   " times as much as an input, with these "
                                                   "weights.");
  if (f.signal_to_noise) std::cout << noise_levels_text(noise_levels);
}

struct Verdict {
  std::vector<Finding> findings;
  std::string selfcheck;
  bool passed = false;
  std::string path;  // how gradients would be computed
};

// Per-sample gradients against a loop over single samples, on random numbers of the model's shape.
void check_on_random_numbers(train::LoadedModel& loaded, Verdict& verdict) {
  constexpr std::int64_t kSamples = 3;
  auto sizes = loaded.card.shape;
  sizes.insert(sizes.begin(), kSamples);
  const at::Tensor inputs = torch::rand(sizes);
  const at::Tensor labels = torch::zeros({kSamples}, torch::kLong);
  std::vector<grad::NamedParameter> parameters;
  for (const auto& item : loaded.model->named_parameters()) {
    parameters.push_back({item.key(), item.value()});
  }
  const auto report = selfcheck(
      [&](std::int64_t begin, std::int64_t n) {
        return train::per_sample_losses(loaded.model->forward(inputs.narrow(0, begin, n)),
                                        labels.narrow(0, begin, n));
      },
      kSamples, parameters);
  verdict.selfcheck = report.text();
  verdict.passed = report.passed();
}

Verdict verdict_on(train::LoadedModel& loaded) {
  Verdict verdict;
  verdict.findings = check(*loaded.model);
  if (!verdict.findings.empty()) return verdict;
  check_on_random_numbers(loaded, verdict);
  const auto fused = grad::FusedModel::compile(loaded.model, {.sample_shape = loaded.card.shape});
  verdict.path = fused.model ? "fused kernels" : "LibTorch's autograd: " + fused.reason;
  return verdict;
}

void print_verdict(train::LoadedModel& loaded, bool json) {
  const auto verdict = verdict_on(loaded);
  const bool fit = verdict.findings.empty() && verdict.passed;
  std::int64_t parameters = 0;
  for (const auto& parameter : loaded.model->parameters()) parameters += parameter.numel();
  if (json) {
    Json object;
    object["model"] = loaded.card.model;
    object["clipless"] = false;
    object["fit_for_private_training"] = fit;
    object["parameters"] = parameters;
    object["gradients"] = verdict.path;
    object["selfcheck"] = verdict.selfcheck;
    object["findings"] = Json::array();
    for (const auto& finding : verdict.findings) object["findings"].push_back(finding.text());
    std::cout << object.dump(2) << '\n';
    return;
  }
  std::cout << labelled_paragraph("Model",
                                  loaded.card.model + ", " + counted(parameters, "parameter"))
            << labelled_paragraph("Verdict", fit ? "Fit for private training by clipping (dp-sgd)."
                                                 : "Not fit for private training.");
  for (const auto& finding : verdict.findings) std::cout << labelled_paragraph("", finding.text());
  if (!verdict.selfcheck.empty()) std::cout << labelled_paragraph("Selfcheck", verdict.selfcheck);
  if (!verdict.path.empty())
    std::cout << labelled_paragraph("Gradients", "By " + verdict.path + ".");
}

}  // namespace

int inspect_command(const Arguments& arguments) {
  FlagSet app("What bounds a record's influence on a network, layer by layer.", "sotto inspect");
  InspectFlags f;
  app.add_option("MODEL", f.model, "model.pt, the folder of a run, or a network's name").required();
  app.add_option("--input-shape CxHxW", f.shape, "for a name: shape of a sample (default 1x28x28)");
  app.add_option("--classes N", f.classes, "for a name: number of classes (default 10)");
  app.add_option("--input-bound X", f.input_bound, "clipless, for a name: norm of inputs");
  app.add_option("-c,--max-grad-norm X", f.loss_gradient,
                 "clipless: norm of the gradient of the loss (default: that of the run)");
  app.add_flag("--signal-to-noise", f.signal_to_noise,
               "a clipless run: gradients compared with the noise (NOT covered by ε)");
  app.add_flag("--json", f.json, "print one JSON object");
  app.footer(kInspectExamples);
  if (!app.parse(arguments)) return 0;
  auto loaded = model_of(f);
  if (train::is_lipschitz(loaded.card.model)) {
    print_bounds(loaded, f);
  } else if (f.signal_to_noise) {
    refuse_signal_to_noise(f.model);
  } else {
    print_verdict(loaded, f.json);
  }
  return 0;
}

}  // namespace sotto::cli
