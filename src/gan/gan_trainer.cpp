#include "sotto/gan/gan.h"

#include <torch/utils.h>

#include "gan/gan_report.h"
#include "gan/gan_run.h"
#include "gan/generator_method.h"
#include "runs/recorded_identity.h"
#include "runs/run_charge.h"
#include "runs/stopped_early.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"
#include "sotto/core/random.h"

namespace sotto::gan {
namespace {

void seed_everything(const GanConfig& config) {
  SecureRandom random;
  const auto seed = config.insecure_seed ? config.insecure_seed : config.seed;
  torch::manual_seed(seed ? *seed : random());
}

// Before anything is charged, of what is public: a δ that promises too little for so many records,
// and rows that are protected one by one although the schema says whose they are.
void warn(const GanConfig& config, std::int64_t records, runs::RunObserver& observer) {
  if (config.disable_dp) return;
  const auto of_delta = accounting::delta_warning(config.delta, records);
  if (of_delta) observer.on_warning(*of_delta);
  const bool promises = !config.insecure_seed && !starts_from_private_data(config);
  const auto of_person = runs::person_warning(declared_person(config));
  if (promises && !of_person.empty()) observer.on_warning(of_person);
}

GanResult execute(const GanRun& run, runs::RunObserver& observer) {
  const auto& config = run.config();
  const GanData data = load_gan_data(config.data, config.disable_dp);
  warn(config, data.tensors.train.size(), observer);
  if (!config.disable_dp && data.tensors.test_is_private()) {
    runs::require_identity(config.data.dataset, config.data_identity);
  }
  return generator_method(config.method).fit(run, data, observer);
}

}  // namespace

GanResult train_generator(const GanConfig& config, const std::filesystem::path& output,
                          runs::RunObserver& observer) {
  // What is wrong with a configuration alone is found before its folder is made.
  generator_method(config.method).require_usable(config);
  const auto run = GanRun::create(output, config);
  seed_everything(config);
  try {
    return execute(run, observer);
  } catch (const InvalidArgument&) {
    if (!std::filesystem::exists(run.folder().checkpoint())) run.folder().remove_unused();
    throw;
  }
}

GanResult resume_generator(const std::filesystem::path& output, runs::RunObserver& observer) {
  const auto run = GanRun::open(output);
  runs::require_not_stopped(output);
  generator_method(run.config().method).require_usable(run.config());
  if (!run.config().disable_dp) runs::require_ledger(output);
  runs::require_same_content(run.config().data.dataset, run.config().data_identity);
  seed_everything(run.config());
  return execute(run, observer);
}

GanResult finish_generator(const std::filesystem::path& output, runs::RunObserver& observer) {
  const auto run = GanRun::open(output, GanRun::Goal::kPublish);
  check_argument(run.config().method != Method::kMerf, output.string(),
                 ": a generator by merf is fitted to one release, which is paid for; resume it, at "
                 "no further ε");
  const auto checkpoint = run.folder().checkpoint();
  check_argument(std::filesystem::exists(checkpoint), checkpoint.string(),
                 ": not there, so the run has no generator that could be published");
  if (!run.config().disable_dp) runs::require_ledger(output);
  runs::require_same_content(run.config().data.dataset, run.config().data_identity);
  seed_everything(run.config());
  return execute(run, observer);
}

}  // namespace sotto::gan
