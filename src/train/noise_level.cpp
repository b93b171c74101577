#include "train/noise_level.h"

#include <algorithm>

#include "plan/noise_scales.h"
#include "plan/training_ledger.h"
#include "train/tensor_data.h"
#include "train/training_state.h"

namespace sotto::train {
namespace {

// Of the noise on each parameter's mean gradient, as the run's ledger has it.
std::vector<double> deviations_of(const std::filesystem::path& run, const TrainingConfig& config,
                                  const lipschitz::LipschitzModel& model) {
  const auto ledger = Ledger::read(run / "ledger.jsonl");
  const Plan plan = training_header(ledger).plan;
  const auto noise =
      model.bounded_noise(config.clipless.noise_strategy, plan.options().max_grad_norm);
  auto deviations = noise_scales(noise.bounds, noise);
  const double relative = plan.options().noise_multiplier / static_cast<double>(plan.batch_size());
  for (auto& deviation : deviations) deviation *= relative;
  return deviations;
}

}  // namespace

std::vector<lipschitz::SignalToNoise> noise_levels_of(const std::filesystem::path& run,
                                                      const TrainingConfig& config,
                                                      LoadedModel& loaded) {
  const auto data = load_data(config);
  lipschitz::LipschitzModel model(loaded.model, clipless_loss(config, loaded.card.classes.size()));
  const auto count = std::min(config.batch_size, data.train.size());
  return lipschitz::signal_to_noise(model, data.train.inputs.narrow(0, 0, count),
                                    data.train.labels.narrow(0, 0, count), config.max_grad_norm,
                                    deviations_of(run, config, model));
}

nlohmann::ordered_json noise_levels_json(const std::vector<lipschitz::SignalToNoise>& parameters) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& one : parameters) {
    rows.push_back(
        {{"parameter", one.parameter}, {"elementwise", one.elementwise}, {"average", one.average}});
  }
  return rows;
}

}  // namespace sotto::train
