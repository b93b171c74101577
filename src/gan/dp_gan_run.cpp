#include "gan/dp_gan_run.h"

#include <torch/serialize.h>
#include <torch/utils.h>

#include <chrono>
#include <limits>
#include <sstream>

#include "core/atomic_file.h"
#include "core/counted.h"
#include "core/json_number.h"
#include "gan/gan_pair.h"
#include "gan/gan_report.h"
#include "gan/pretraining.h"
#include "runs/file_hashes.h"
#include "runs/progress_meter.h"
#include "runs/shown_epsilon.h"
#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

constexpr auto kBetweenCheckpoints = std::chrono::seconds(20);

std::optional<GanData> load_public_data(const GanConfig& config, const GanData& data) {
  if (config.public_data.dataset.empty()) return std::nullopt;
  DataChoice choice = config.public_data;
  choice.image_size = config.data.image_size;
  choice.image_channels = config.data.image_channels;
  choice.class_names = config.data.class_names;
  GanData loaded = load_gan_data(choice, /*counted_classes=*/true);
  const auto text = [](const std::vector<std::int64_t>& shape) {
    return detail::join_message(at::IntArrayRef(shape));
  };
  check_setting(loaded.tensors.shape == data.tensors.shape, the_setting("public_data"), " '",
                config.public_data.dataset, "': its samples have shape ",
                text(loaded.tensors.shape), ", the private ones ", text(data.tensors.shape));
  check_setting(loaded.tensors.classes.size() <= data.tensors.classes.size(),
                the_setting("public_data"), " '", config.public_data.dataset, "': has ",
                counted(loaded.tensors.classes.size(), "class", "classes"), ", the private data ",
                data.tensors.classes.size());
  for (std::size_t i = 0; i < loaded.tensors.classes.size(); ++i) {
    check_setting(loaded.tensors.classes[i] == data.tensors.classes[i], the_setting("public_data"),
                  " '", config.public_data.dataset, "': its class ", i, " is '",
                  loaded.tensors.classes[i], "', that of the private data '",
                  data.tensors.classes[i], "'");
  }
  return loaded;
}

class DpGanRun {
 public:
  DpGanRun(const GanRun& run, const GanData& data, runs::RunObserver& observer)
      : run_(run),
        config_(run.config()),
        observer_(observer),
        data_(data),
        public_(load_public_data(config_, data)),
        resuming_(std::filesystem::exists(run.folder().checkpoint())),
        pair_(make_pair(data)),
        meter_(observer, {.steps = pair_.step_limit(),
                          .first_step = pair_.steps(),
                          .samples_per_step = config_.batch_size,
                          .epsilon_limit = epsilon_limit()}),
        shown_epsilon_(config_.delta) {}

  GanResult execute();

 private:
  GanPair make_pair(const GanData& data);
  void warm_start();
  void after_round();
  void save();
  void look();
  std::optional<double> epsilon();
  std::optional<double> shown_epsilon();
  std::optional<double> epsilon_limit();
  std::optional<double> shown_loss() const;
  void stop_here();
  GanResult finish();

  const GanRun& run_;
  const GanConfig& config_;
  runs::RunObserver& observer_;
  const GanData& data_;
  std::optional<GanData> public_;
  bool resuming_;
  GanPair pair_;
  runs::ProgressMeter meter_;
  std::int64_t looks_ = 0;
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
  runs::ShownEpsilon shown_epsilon_;
  std::optional<runs::StoppedEarly> stopped_;
};

GanPair DpGanRun::make_pair(const GanData& data) {
  auto card = new_card(config_, data);
  Generator generator(card.networks, card.shape);
  Critic critic(card.networks, card.shape);
  if (config_.pretrain_epochs > 0) {
    const auto& known = (public_ ? *public_ : data).tensors.train;
    const auto epochs = resuming_ ? 0 : config_.pretrain_epochs;  // what is frozen stays frozen
    if (card.networks == Networks::kAutoencoder) {
      pretrain_generator(generator, known, card.shape.classes, epochs);
    }
    pretrain_critic(critic, known, card.shape.classes, epochs);
  }
  return {config_,   data,   public_ ? &*public_ : nullptr, std::move(card),
          generator, critic, run_.folder().ledger()};
}

void DpGanRun::warm_start() {
  if (!config_.is_advanced() || resuming_) return;
  runs::ProgressMeter meter(observer_,
                            {.steps = config_.warm_start_steps,
                             .samples_per_step = config_.batch_size * config_.critic_steps});
  for (std::int64_t i = 0; i < config_.warm_start_steps; ++i) {
    pair_.warm_start_round();
    if (meter.due()) meter.tell(i + 1, pair_.critic_loss(), {});
    meter.stop_if_asked("the run starts again");
  }
}

// Of exactly the steps that were made: for what is written beside them.
std::optional<double> DpGanRun::epsilon() {
  const auto* engine = pair_.engine();
  if (engine == nullptr) return std::nullopt;
  if (starts_from_private_data(config_)) return std::numeric_limits<double>::infinity();
  return engine->privacy_spent(config_.delta).epsilon;
}

// Of these steps, or of some more: for the one who watches.
std::optional<double> DpGanRun::shown_epsilon() {
  const auto* engine = pair_.engine();
  if (engine == nullptr) return std::nullopt;
  if (!engine->is_private() || starts_from_private_data(config_)) {
    return std::numeric_limits<double>::infinity();
  }
  return shown_epsilon_.of(engine->spend(), engine->step_limit(),
                           meter_.steps_per_second(engine->steps()));
}

// Of the whole run; nothing where it promises nothing.
std::optional<double> DpGanRun::epsilon_limit() {
  const auto* engine = pair_.engine();
  if (engine == nullptr || !engine->is_private() || starts_from_private_data(config_)) {
    return std::nullopt;
  }
  if (!config_.noise_multiplier) return config_.target_epsilon;
  return runs::epsilon_after(engine->step_limit(), engine->spend(), config_.delta);
}

// The critic's, where that may be told.
std::optional<double> DpGanRun::shown_loss() const {
  if (!config_.show_private && !config_.disable_dp) return std::nullopt;
  return pair_.critic_loss();
}

void DpGanRun::save() {
  pair_.save(run_.folder().checkpoint());
  last_save_ = std::chrono::steady_clock::now();
}

// A hundred times in a run a line, and every tenth time a picture.
void DpGanRun::look() {
  if (auto* engine = pair_.engine()) engine->flush();  // what follows tells about its steps
  if (looks_ % 10 == 0) {
    run_.show_samples(pair_.generator(), pair_.card(), pair_.steps());
  }
  nlohmann::json line = {{"step", pair_.steps()},
                         {"round", pair_.rounds()},
                         {"critic_steps", pair_.critic_steps()},
                         {"generator_loss", pair_.generator_loss()}};
  if (const auto loss = shown_loss()) {
    if (pair_.engine() == nullptr) {
      line["critic_loss"] = *loss;
    } else {
      run_.append_private_metrics({{"step", pair_.steps()}, {"critic_loss", *loss}});
    }
  }
  if (const auto spent = epsilon()) line["epsilon"] = json_number<nlohmann::json>(*spent);
  run_.append_metrics(line);
}

void DpGanRun::after_round() {
  if (meter_.due()) meter_.tell(pair_.steps(), shown_loss(), shown_epsilon());
  if (observer_.stop_requested()) {
    save();
    throw runs::Interrupted("stopped after step " + std::to_string(pair_.steps()) + " of " +
                                std::to_string(pair_.step_limit()) + "; nothing is lost",
                            runs::Interrupted::Then::kGoOnOrPublish);
  }
  const auto looks = 100 * pair_.steps() / std::max<std::int64_t>(1, pair_.step_limit());
  if (looks > looks_) {
    looks_ = looks / 10 > looks_ / 10 ? looks / 10 * 10 : looks;
    look();
  }
  if (std::chrono::steady_clock::now() - last_save_ > kBetweenCheckpoints) {
    save();
  }
}

// Noted down before anything is published: a run that goes on would promise something else.
void DpGanRun::stop_here() {
  stopped_ = {pair_.steps(), pair_.step_limit(), pair_.steps() - pair_.lost_steps()};
  run_.folder().write(runs::kStoppedEarlyFile, json_of(*stopped_).dump(2) + "\n");
}

GanResult DpGanRun::execute() {
  if (resuming_) pair_.restore(run_.folder().checkpoint());
  if (run_.goal() == GanRun::Goal::kPublish) {
    if (!pair_.converged() && pair_.steps() < pair_.step_limit()) stop_here();
    return finish();
  }
  if (pair_.engine() != nullptr && config_.show_private) {
    observer_.on_message(
        "(the critic's losses are for you only, as is every file with \"private\" in its name: ε "
        "does not cover them)");
  }
  warm_start();
  save();
  meter_.tell(pair_.steps(), {}, shown_epsilon());
  while (!pair_.converged() && pair_.round()) after_round();
  return finish();
}

GanResult DpGanRun::finish() {
  save();
  std::optional<GanSpending> spending;
  GanResult result;
  if (auto* engine = pair_.engine()) {
    engine->flush();
    spending = {engine->spend(), !engine->is_private(), engine->privacy_spent(config_.delta),
                engine->ledger_hash()};
    spending->stopped = stopped_;
    reserve_held_out(config_, data_, *spending);
    result.spent = spending->cost;
    result.noise_multiplier = engine->plan().options().noise_multiplier;
  }
  const auto report = report_on(config_, spending, run_.folder().path());
  result.is_private = report.json.at("private").get<bool>();
  if (!result.is_private && result.spent) {
    result.spent->epsilon = std::numeric_limits<double>::infinity();
  }
  result.statement = report.statement;
  result.steps = pair_.steps();
  result.rounds = pair_.rounds();
  result.converged = pair_.converged();
  result.seconds = meter_.seconds_here();
  run_.folder().write(report);
  torch::serialize::OutputArchive archive;
  pair_.critic()->save(archive);
  std::ostringstream stream;
  archive.save_to(stream);
  write_file_atomically(run_.critic(), stream.str());
  auto card = pair_.card();
  card.privacy = report.statement;
  save_generator(run_.generator(), pair_.generator(), card);
  runs::record_files(run_.folder().path());
  return result;
}

}  // namespace

GanResult train_dp_gan(const GanRun& run, const GanData& data, runs::RunObserver& observer) {
  return DpGanRun(run, data, observer).execute();
}

}  // namespace sotto::gan
