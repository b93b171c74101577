// Private generators: a whole run, private data in; a generator that may be published, and proof of
// privacy out. generator_file.h, which comes with it, draws from what a run published.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sotto/accounting/privacy_cost.h"
#include "sotto/gan/generator_file.h"
#include "sotto/runs/runs.h"
#include "sotto/settings/gan_config.h"

namespace sotto::gan {

using Method = settings::GeneratorMethod;
using settings::CriticLoss;
using settings::DataChoice;
using settings::GanConfig;

struct GanResult {
  std::optional<accounting::PrivacyCost> spent;  // nothing without privacy
  bool is_private = false;
  double noise_multiplier = 0;
  std::int64_t steps = 0;   // of the critic, or of fitting
  std::int64_t rounds = 0;  // of the generator
  bool converged = false;
  double seconds = 0;
  std::string statement;  // in plain words, with capitals where it is not private
};

// Runs the configuration and leaves in `output`: config.json, ledger.jsonl, generator.pt (to be
// published), critic.pt, checkpoint.pt, metrics.jsonl, privacy.json, privacy.md, and of images
// samples-*.png; none of them holds anything computed from private records without noise. `output`
// must not exist, or be an empty folder. Throws InvalidArgument for what the configuration gets
// wrong, before anything is charged; std::runtime_error if training fails.
GanResult train_generator(const GanConfig& config, const std::filesystem::path& output,
                          runs::RunObserver& observer);

// Continues an interrupted run from its folder, with the ledger's spend. One that
// finish_generator() ended early is refused.
GanResult resume_generator(const std::filesystem::path& output, runs::RunObserver& observer);

// Ends an interrupted dp-GAN run where it is: publishes the generator of its last checkpoint, at
// the price of everything that its ledger charged. Throws InvalidArgument if there is no
// checkpoint, or for merf, whose one release is paid for.
GanResult finish_generator(const std::filesystem::path& output, runs::RunObserver& observer);

}  // namespace sotto::gan
