#include "cli/loudness_text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/model_argument.h"
#include "cli/text_layout.h"
#include "core/printed_number.h"
#include "plan/noise_scales.h"
#include "plan/training_ledger.h"
#include "sotto/core/error.h"
#include "train/tensor_data.h"
#include "train/training_state.h"

namespace sotto::cli {
namespace {

using lipschitz::SignalToNoise;

train::TrainingConfig clipless_config(const std::string& run) {
  const auto config = config_beside(model_path(run));
  if (!config || config->method != train::Method::kClipless || config->disable_dp) {
    throw UsageError("--signal-to-noise: '" + run +
                     "' is not a run of sotto train --method clipless with noise");
  }
  return *config;
}

// Of the noise on each parameter's mean gradient, as the run's ledger has it.
std::vector<double> deviations_of(const std::string& run, const train::TrainingConfig& config,
                                  const lipschitz::LipschitzModel& model) {
  const auto ledger = Ledger::read(model_path(run).parent_path() / "ledger.jsonl");
  const Plan plan = training_header(ledger).plan;
  const auto noise =
      model.bounded_noise(config.clipless.noise_strategy, plan.options().max_grad_norm);
  auto deviations = noise_scales(noise.bounds, noise);
  const double relative = plan.options().noise_multiplier / static_cast<double>(plan.batch_size());
  for (auto& deviation : deviations) deviation *= relative;
  return deviations;
}

}  // namespace

std::vector<SignalToNoise> loudness_of(const std::string& run, train::LoadedModel& loaded) {
  const auto config = clipless_config(run);
  const auto data = train::load_data(config);
  lipschitz::LipschitzModel model(loaded.model,
                                  train::clipless_loss(config, loaded.card.classes.size()));
  const auto count = std::min(config.batch_size, data.train.size());
  return lipschitz::signal_to_noise(model, data.train.inputs.narrow(0, 0, count),
                                    data.train.labels.narrow(0, 0, count), config.max_grad_norm,
                                    deviations_of(run, config, model));
}

std::string loudness_text(const std::vector<SignalToNoise>& parameters) {
  std::size_t width = 10;
  for (const auto& one : parameters) width = std::max(width, display_width(one.parameter) + 2);
  std::string text =
      "\n" + padded("parameter", width) + padded("entry by entry", 17) + "as a whole\n";
  for (const auto& one : parameters) {
    text += padded(one.parameter, width) + padded(significant(one.elementwise, 3), 17) +
            significant(one.average, 3) + "\n";
  }
  return text + "\n" +
         labelled_paragraph(
             "Signal",
             "The mean gradient of one batch relative to the noise of a step: the "
             "size of an entry to its noise, and norm to norm. From training records without "
             "noise: NOT covered by ε, not for publication.");
}

nlohmann::ordered_json loudness_json(const std::vector<SignalToNoise>& parameters) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& one : parameters) {
    rows.push_back(
        {{"parameter", one.parameter}, {"elementwise", one.elementwise}, {"average", one.average}});
  }
  return rows;
}

}  // namespace sotto::cli
