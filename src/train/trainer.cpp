#include "sotto/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string>

#include "core/atomic_file.h"
#include "core/counted.h"
#include "core/stopwatch.h"
#include "data/csv_schema.h"
#include "runs/file_hashes.h"
#include "runs/held_out_release.h"
#include "runs/progress_meter.h"
#include "runs/recorded_identity.h"
#include "runs/run_charge.h"
#include "runs/run_folder.h"
#include "runs/shown_epsilon.h"
#include "runs/stopped_early.h"
#include "settings/config_json.h"
#include "settings/training_checks.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"
#include "sotto/report/report.h"
#include "sotto/train/model_file.h"
#include "train/divergence.h"
#include "train/epoch_metrics.h"
#include "train/evaluation_file.h"
#include "train/frozen_features.h"
#include "train/process_memory.h"
#include "train/tensor_data.h"
#include "train/training_state.h"
#include "train/training_statement.h"
#include "train/training_steps.h"

namespace sotto::train {
namespace {

constexpr auto kBetweenCheckpoints = std::chrono::seconds(20);
constexpr const char* kModelFile = "model.pt";
constexpr const char* kSafetensorsFile = "model.safetensors";

// The schema's text; what is wrong with it is told under the name of its file. A run goes by the
// text from then on.
std::string schema_text_of(const std::filesystem::path& file) {
  auto text = read_file(file);
  static_cast<void>(data::parse_csv_schema(text, file.string()));
  return text;
}

// `features_seconds`: what features took, if there are any.
TensorTrainTest load_training_data(const TrainingConfig& config, TrainingObserver& observer,
                                   std::optional<double>& features_seconds) {
  auto data = load_data(config);
  if (!config.disable_dp && data.test_is_private()) {
    runs::require_identity(config.dataset, config.data_identity);
  }
  if (!uses_frozen_features(config)) return data;
  const Stopwatch watch(features_seconds.emplace(0));
  return with_features(data, config, [&](const std::string& text) { observer.on_message(text); });
}

// Decides a batch size that was left open, and records it: a resumed run has the same.
const TrainingConfig& with_batch_size(TrainingConfig& config, const TensorData& records,
                                      const runs::RunFolder& folder) {
  if (config.batch_size > 0) return config;
  config.batch_size = settings::suitable_batch_size(config, records.size());
  folder.write("config.json", json_of(config).dump(2) + "\n");
  return config;
}

class Run {
 public:
  Run(runs::RunFolder folder, TrainingConfig config, TrainingObserver& observer)
      : folder_(std::move(folder)),
        config_(std::move(config)),
        observer_(observer),
        bytes_before_data_(resident_bytes()),
        data_(load_training_data(config_, observer, features_seconds_)),
        state_(folder_, with_batch_size(config_, data_.train, folder_), data_, bytes_before_data_),
        steps_(state_, data_.train),
        shown_epsilon_(config_.delta),
        meter_(new_meter()) {}

  void restore();
  TrainingResult execute();
  // The model of the checkpoint, as that of a finished run.
  TrainingResult publish_as_it_is();

 private:
  runs::ProgressMeter new_meter() const;
  void warn() const;
  bool step();
  void after_step();
  std::int64_t steps_lost_by_stopping() const;
  bool must_stop();
  [[noreturn]] void stop();
  std::optional<double> shown_epsilon();
  void tell_progress();
  void finish_epoch();
  EpochReport next_report();
  void tell(const EpochReport& report);
  void tell_missed_epochs();
  std::int64_t epochs_of(std::int64_t steps) const;
  void save_checkpoint();
  bool may_look_at_test_records() const;
  Evaluation evaluate_on_test_data(std::int64_t at_once = kEvaluatedAtOnce);
  std::optional<Evaluation> epoch_evaluation();
  std::vector<ProfileEntry> profile() const;
  void account_for(TrainingResult& result);
  void release_held_out_answers(TrainingResult& result);
  runs::PrivacyReport report_on(const TrainingResult& result) const;
  void write_evaluations(const TrainingResult& result);
  void stop_here();
  TrainingResult finish();

  runs::RunFolder folder_;
  TrainingConfig config_;
  TrainingObserver& observer_;
  std::int64_t bytes_before_data_;
  std::optional<double> features_seconds_;
  TensorTrainTest data_;
  TrainingState state_;
  TrainingSteps steps_;
  runs::ShownEpsilon shown_epsilon_;
  runs::ProgressMeter meter_;
  std::int64_t epoch_ = 0;       // finished, and told
  bool finishing_pass_ = false;  // and stopping then
  bool told_of_pass_ = false;
  std::int64_t lost_steps_ = 0;  // charged after the checkpoint that it goes on from
  std::optional<runs::StoppedEarly> stopped_;
  double evaluation_seconds_ = 0;
  double checkpoint_seconds_ = 0;
  std::chrono::steady_clock::time_point last_checkpoint_ = std::chrono::steady_clock::now();
};

runs::ProgressMeter Run::new_meter() const {
  runs::MeteredRun run{state_.total_steps(), state_.step, config_.batch_size,
                       state_.seconds_before};
  if (const auto& engine = state_.engine; engine && engine->is_private()) {
    run.epsilon_limit =
        config_.noise_multiplier
            ? runs::epsilon_after(engine->step_limit(), engine->spend(), config_.delta)
            : config_.target_epsilon;
  }
  return {observer_, run};
}

void Run::restore() {
  const bool restored = state_.restore_checkpoint();
  meter_ = new_meter();
  const auto charged = counted(state_.step, "step is", "steps are");
  lost_steps_ = state_.engine ? state_.engine->lost_steps() : 0;
  if (state_.engine) state_.engine->accept_lost_steps();
  if (!restored && state_.step > 0) {
    check_argument(!std::filesystem::exists(folder_.path() / kModelFile),
                   folder_.checkpoint().string(), ": not there, though ", charged,
                   " charged; the finished model is left as it is");
    check_argument(state_.step < state_.total_steps(), folder_.checkpoint().string(),
                   ": not there, and its budget is spent (", charged,
                   " charged): nothing is left to train with; expected a new run");
    observer_.on_message(counted(state_.step, "charged step") +
                         " left no checkpoint: training starts from new weights, with "
                         "what is left of the budget");
  }
  tell_missed_epochs();
}

// Epochs that ended just before an interruption, or whose steps were lost to it.
void Run::tell_missed_epochs() {
  const bool all = state_.step == state_.total_steps();
  const auto ended = all ? epochs_of(state_.step) : state_.step / state_.steps_per_epoch();
  for (epoch_ = std::min(ended, folder_.last_epoch_told()); epoch_ < ended;) {
    auto report = next_report();
    report.train_loss.reset();  // these are of another epoch
    report.norms.reset();
    tell(report);
  }
}

// How many the steps are; the last need not be whole.
std::int64_t Run::epochs_of(std::int64_t steps) const {
  return (steps + state_.steps_per_epoch() - 1) / state_.steps_per_epoch();
}

TrainingResult Run::publish_as_it_is() {
  restore();
  if (state_.step < state_.total_steps()) stop_here();
  return finish();
}

// Noted down before anything is published: a run that goes on would promise something else.
void Run::stop_here() {
  stopped_ = {state_.step, state_.total_steps(), state_.step - lost_steps_};
  folder_.write(runs::kStoppedEarlyFile, json_of(*stopped_).dump(2) + "\n");
}

// Before anything is charged, of what is public: a δ that promises too little for so many records,
// and rows that are protected one by one although the schema says whose they are.
void Run::warn() const {
  if (!state_.engine) return;
  const auto of_delta = accounting::delta_warning(config_.delta, state_.dataset_size);
  if (of_delta) observer_.on_warning(*of_delta);
  const auto of_person = runs::person_warning(declared_person(config_));
  if (state_.engine->is_private() && !of_person.empty()) observer_.on_warning(of_person);
}

TrainingResult Run::execute() {
  warn();
  if (state_.engine && state_.config.show_private) {
    observer_.on_message(
        "(training losses, discarded samples and exact results on held-out records "
        "are for you only, as is every file with \"private\" in its name: ε does not cover them)");
  }
  if (state_.norms) {
    observer_.on_message(
        "(gradient norms and batch sizes are for you only: ε does not cover them)");
  }
  if (state_.config.memory_limit > 0) {
    observer_.on_message("(at most " + counted(state_.max_physical_batch_size, "sample") +
                         " at once, to stay within the memory limit)");
  }
  observer_.on_detail(state_.fused.model
                          ? "gradients by fused kernels"
                          : "gradients by LibTorch's autograd: " + state_.fused.reason);
  meter_.start();
  meter_.tell(state_.step, {}, shown_epsilon());
  while (step()) after_step();
  return finish();
}

// A step that fails leaves what was paid for before it in the checkpoint.
bool Run::step() {
  try {
    return steps_.next();
  } catch (const std::exception&) {
    try {
      if (!state_.engine || !state_.engine->inside_batch()) save_checkpoint();
    } catch (const std::exception&) {  // for the same reason, mostly: the first is the one to tell
    }
    throw;
  }
}

void Run::after_step() {
  // The first steps count less: (1 + t) / (10 + t) until that reaches the set value.
  const auto t = static_cast<double>(state_.step);
  state_.update_average(std::min(state_.config.average, (1 + t) / (10 + t)));
  if (meter_.due()) tell_progress();
  const bool last = state_.step == state_.total_steps();
  if (state_.step / state_.steps_per_epoch() > epoch_ || last) finish_epoch();
  if (!last && must_stop()) {
    stop();
  } else if (std::chrono::steady_clock::now() - last_checkpoint_ > kBetweenCheckpoints) {
    save_checkpoint();
  }
}

// A pass of shuffled batches is charged as a whole: what is left of it would be lost.
std::int64_t Run::steps_lost_by_stopping() const {
  const bool passes =
      state_.engine && state_.engine->plan().options().sampling == accounting::Sampling::kShuffled;
  const auto done = state_.step % state_.steps_per_epoch();
  return passes && done > 0 ? state_.steps_per_epoch() - done : 0;
}

// Now, or at the end of a pass.
bool Run::must_stop() {
  finishing_pass_ = finishing_pass_ || observer_.stop_requested();
  if (!finishing_pass_) return false;
  const auto lost = steps_lost_by_stopping();
  if (lost > 0 && !told_of_pass_) {
    observer_.on_message("(stopping after this pass, in " + counted(lost, "step") +
                         ": it is charged already; interrupt again to end at once and lose it)");
    told_of_pass_ = true;
  }
  return lost == 0;
}

void Run::stop() {
  save_checkpoint();
  throw runs::Interrupted("stopped after step " + std::to_string(state_.step) + " of " +
                              std::to_string(state_.total_steps()) + "; nothing is lost",
                          runs::Interrupted::Then::kGoOnOrPublish);
}

// Nothing without privacy.
std::optional<double> Run::shown_epsilon() {
  const auto& engine = state_.engine;
  if (!engine) return std::nullopt;
  if (!engine->is_private()) return std::numeric_limits<double>::infinity();
  return shown_epsilon_.of(engine->spend(), engine->step_limit(),
                           meter_.steps_per_second(state_.step));
}

void Run::tell_progress() {
  std::optional<double> loss;
  if (config_.tells_private()) loss = steps_.mean_loss();
  meter_.tell(state_.step, loss, shown_epsilon());
}

void Run::save_checkpoint() {
  const Stopwatch watch(checkpoint_seconds_);
  state_.save_checkpoint(meter_.total_seconds());
  last_checkpoint_ = std::chrono::steady_clock::now();
}

void Run::finish_epoch() {
  state_.last_epoch_loss = steps_.mean_loss();
  if (state_.norms) state_.last_epoch_norms = state_.norms->take();
  steps_.start_epoch();
  save_checkpoint();
  epoch_ = epochs_of(state_.step) - 1;
  tell(next_report());
}

EpochReport Run::next_report() {
  auto report =
      epoch_report(state_, epoch_evaluation(), !may_look_at_test_records(), meter_.total_seconds());
  report.epoch = ++epoch_;
  return report;
}

// After its checkpoint: an interruption between them is made good later.
void Run::tell(const EpochReport& report) {
  folder_.append_metrics(metrics_line(report));
  const auto uncovered = private_metrics_line(report);
  if (!uncovered.is_null()) folder_.append_private_metrics(uncovered);
  observer_.on_epoch(report);
}

bool Run::may_look_at_test_records() const {
  return !data_.test_is_private() || state_.config.disable_dp;
}

// Nothing where there are no test records, or they are private and nobody asked to see them.
std::optional<Evaluation> Run::epoch_evaluation() {
  const bool seen = may_look_at_test_records() || state_.config.show_private;
  if (!seen || data_.test.size() == 0) return std::nullopt;
  return evaluate_on_test_data();
}

Evaluation Run::evaluate_on_test_data(std::int64_t at_once) {
  const Stopwatch watch(evaluation_seconds_);
  if (state_.fused.averaged) {
    return evaluate_scores(state_.fused.averaged->scores(data_.test.inputs), data_.test.labels,
                           static_cast<std::int64_t>(data_.classes.size()));
  }
  return evaluate(state_.averaged, data_.test.inputs, data_.test.labels,
                  static_cast<std::int64_t>(data_.classes.size()), at_once);
}

std::vector<ProfileEntry> Run::profile() const {
  const double total = meter_.seconds_here();
  StepSeconds parts;
  if (state_.engine) parts = state_.engine->seconds();
  const double noise_and_update = parts.noise + parts.update + parts.ledger;
  const double known =
      steps_.seconds() + parts.sampling + evaluation_seconds_ + checkpoint_seconds_;
  // Batches that nobody is drawn for are noised while the next is drawn, outside of steps.
  return {{state_.engine ? "steps: gradients" : "steps",
           std::max(0.0, steps_.seconds() - noise_and_update)},
          {"steps: noise", parts.noise},
          {"steps: optimizer", parts.update},
          {"steps: ledger", parts.ledger},
          {"drawing batches", parts.sampling},
          {"evaluation on test data", evaluation_seconds_},
          {"checkpoints", checkpoint_seconds_},
          {"everything else", std::max(0.0, total - known)}};
}

void Run::account_for(TrainingResult& result) {
  if (!state_.engine) return;
  auto& engine = *state_.engine;
  engine.flush();
  result.spent = engine.privacy_spent(state_.config.delta);
  result.is_private = engine.is_private();
  result.noise_multiplier = engine.plan().options().noise_multiplier;
}

// Once, when training is over: of the larger of the two costs a record pays one.
void Run::release_held_out_answers(TrainingResult& result) {
  const auto& config = state_.config;
  if (!state_.engine || !data_.test_is_private()) return;
  const double spent = result.is_private ? result.spent->epsilon : config.target_epsilon;
  const auto epsilon = runs::held_out_epsilon(config.held_out_epsilon, spent);
  if (!epsilon) return;
  const auto adjacency = state_.engine->plan().neighbours().adjacency();
  result.held_out_terms = {*epsilon, adjacency, config.insecure_seed};
  result.held_out =
      runs::release_held_out(folder_.path(), *result.held_out_terms, data_.classes.size(), [&] {
        if (data_.test.size() == 0) return std::vector<runs::AnswerCounts>(data_.classes.size());
        return runs::answer_counts(evaluate_on_test_data(held_out_at_once(adjacency)).confusion);
      });
  result.spent->epsilon = std::max(result.spent->epsilon, *epsilon);
}

runs::PrivacyReport Run::report_on(const TrainingResult& result) const {
  if (!state_.engine) return statement_without_privacy();
  return training_statement(*state_.engine, *result.spent, state_.config,
                            {result.held_out_terms, folder_.path()}, stopped_);
}

void Run::write_evaluations(const TrainingResult& result) {
  folder_.write("evaluation.json", evaluation_json(result, state_.averaged, data_).dump(2) + "\n");
  if (may_look_at_test_records()) return;
  const auto exact = epoch_evaluation();
  if (!exact) return;
  folder_.write("evaluation.private.json",
                exact_evaluation_json(*exact, state_.averaged, data_).dump(2) + "\n");
}

TrainingResult Run::finish() {
  TrainingResult result;
  result.seconds = meter_.total_seconds();
  result.features_seconds = features_seconds_;
  if (config_.recipe) result.recipe = to_string(*config_.recipe);
  result.samples_per_second = meter_.samples_per_second(state_.step);
  if (may_look_at_test_records()) result.test = epoch_evaluation();
  if (state_.config.tells_private()) {
    result.train_loss = state_.last_epoch_loss;
    result.discarded = state_.engine ? state_.engine->discarded() : 0;
  }
  result.norms = state_.last_epoch_norms;
  result.steps = state_.step;
  if (stopped_) result.planned_steps = stopped_->planned_steps;
  result.profile = profile();
  account_for(result);
  release_held_out_answers(result);
  result.divergence =
      divergence_of({state_.averaged, data_.shape, static_cast<std::int64_t>(data_.classes.size()),
                     result.test, result.held_out},
                    config_)
          .value_or("");
  const auto report = report_on(result);
  result.statement = report.statement;
  folder_.write(report);
  write_evaluations(result);
  ModelCard card = state_.card;
  card.privacy = report.statement;
  if (config_.model_export == settings::ModelExport::kSafetensors) {
    save_safetensors(folder_.path() / kSafetensorsFile, state_.whole_model(), card);
  }
  save_model(folder_.path() / kModelFile, state_.whole_model(), card);
  runs::record_files(folder_.path());
  report::write_training_report(folder_.path());
  return result;
}

// Everything that can be wrong with a configuration is found before its folder is made.
void require_usable(const TrainingConfig& config) {
  settings::require_consistent(config);
  runs::require_public_test_rows(config.csv_test, config.dataset);
  static_cast<void>(uses_frozen_features(config));
}

}  // namespace

TrainingResult train(const TrainingConfig& config, const std::filesystem::path& output,
                     TrainingObserver& observer) {
  require_usable(config);
  TrainingConfig identified = config;
  identified.data_identity = runs::recorded_identity(config.dataset);
  if (!config.csv_schema.empty()) identified.schema_text = schema_text_of(config.csv_schema);
  auto folder = runs::RunFolder::create(output, json_of(identified));
  std::unique_ptr<Run> run;
  try {
    run = std::make_unique<Run>(folder, identified, observer);
  } catch (...) {
    folder.remove_unused();  // nothing was charged: leave no half-made run behind
    throw;
  }
  return run->execute();
}

TrainingResult resume(const std::filesystem::path& output, TrainingObserver& observer) {
  auto folder = runs::RunFolder::open(output);
  runs::require_not_stopped(output);
  auto config = settings::training_config_from_json(folder.settings());
  if (!config.disable_dp) runs::require_ledger(output);
  runs::require_same_content(config.dataset, config.data_identity);
  Run run(std::move(folder), std::move(config), observer);
  run.restore();
  return run.execute();
}

TrainingResult finish(const std::filesystem::path& output, TrainingObserver& observer) {
  auto folder = runs::RunFolder::open(output);
  check_argument(std::filesystem::exists(folder.checkpoint()), folder.checkpoint().string(),
                 ": not there, so the run has no model that could be published");
  auto config = settings::training_config_from_json(folder.settings());
  if (!config.disable_dp) runs::require_ledger(output);
  runs::require_same_content(config.dataset, config.data_identity);
  return Run(std::move(folder), std::move(config), observer).publish_as_it_is();
}

}  // namespace sotto::train
