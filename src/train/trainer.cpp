#include "sotto/train/trainer.h"

#include <torch/nn.h>
#include <torch/utils.h>

#include <chrono>
#include <memory>

#include "sotto/core/atomic_file.h"
#include "sotto/core/error.h"
#include "sotto/core/random.h"
#include "sotto/models/models.h"
#include "sotto/private/inspector.h"
#include "sotto/private/ledger.h"
#include "sotto/private/privacy_engine.h"
#include "sotto/train/model_file.h"
#include "train/optimizers.h"
#include "train/privacy_report.h"
#include "train/run_folder.h"
#include "train/tensor_data.h"

namespace sotto::train {
namespace {

using at::Tensor;
using Clock = std::chrono::steady_clock;

constexpr double kCheckpointSeconds = 20;
constexpr double kProgressSeconds = 0.25;
constexpr double kEpsilonSeconds = 2;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t initial_seed(const TrainingConfig& config) {
  if (config.insecure_seed) return *config.insecure_seed;
  if (config.seed) return *config.seed;
  SecureRandom random;
  return random();
}

// A resumed run keeps the noise that it was calibrated to.
double noise_multiplier_of(const TrainingConfig& config, const PlanOptions& plan,
                           const std::filesystem::path& ledger) {
  if (config.noise_multiplier) return *config.noise_multiplier;
  if (!std::filesystem::exists(ledger)) {
    return noise_multiplier_for({config.target_epsilon, config.delta}, plan);
  }
  const auto recorded = Ledger::read(ledger).plan.value("noise_multiplier", nlohmann::json());
  check_argument(recorded.is_number(), ledger.string(), ": its plan has no noise multiplier");
  return recorded.get<double>();
}

PlanOptions plan_options(const TrainingConfig& config, std::int64_t dataset_size,
                         const std::filesystem::path& ledger) {
  PlanOptions plan;
  plan.dataset_size = dataset_size;
  plan.batch_size =
      config.sampling == accounting::Sampling::kNone ? dataset_size : config.batch_size;
  plan.epochs = config.epochs;
  plan.sampling = config.sampling;
  plan.relation = config.relation;
  plan.max_grad_norm = config.max_grad_norm;
  plan.clipping = config.clipping;
  plan.noise_multiplier = noise_multiplier_of(config, plan, ledger);
  return plan;
}

// A loss of exactly one sample may not depend on another: tried on random numbers of the data's
// shape, never on the data.
void require_separable(torch::nn::Sequential& model, const TensorTrainTest& data) {
  constexpr std::int64_t kSamples = 3;
  auto sizes = data.shape;
  sizes.insert(sizes.begin(), kSamples);
  const Tensor inputs = torch::rand(sizes);
  const Tensor labels = torch::randint(static_cast<std::int64_t>(data.classes.size()), {kSamples});
  std::vector<grad::NamedParameter> parameters;
  for (const auto& item : model->named_parameters()) {
    if (item.value().requires_grad()) parameters.push_back({item.key(), item.value()});
  }
  const auto report = selfcheck(
      [&](std::int64_t begin, std::int64_t n) {
        return per_sample_losses(model->forward(inputs.narrow(0, begin, n)),
                                 labels.narrow(0, begin, n));
      },
      kSamples, parameters);
  check_argument(report.passed(), "selfcheck ", report.text());
}

class Run {
 public:
  Run(RunFolder folder, TrainingObserver& observer)
      : folder_(std::move(folder)),
        config_(folder_.config()),
        observer_(observer),
        data_(load_data(config_)) {
    check_argument(
        config_.batch_size <= data_.train.size() || config_.sampling == accounting::Sampling::kNone,
        "batch size ", config_.batch_size, " exceeds the data set's ", data_.train.size(),
        " training samples");
    torch::manual_seed(initial_seed(config_));
    const models::ModelInput input{data_.shape, static_cast<std::int64_t>(data_.classes.size())};
    model_ = models::make_model(config_.model, input);
    averaged_ = models::make_model(config_.model, input);
    if (!config_.weights.empty()) load_weights(config_.weights, *model_);
    update_average(0);
    freeze(*model_, config_.freeze);
    optimizer_ = make_optimizer(*model_, config_);
    if (!config_.disable_dp) start_engine();
  }

  void restore();
  TrainingResult execute();

 private:
  void start_engine();
  void start_again();
  void update_average(double kept);
  void remove_torn_ledger() const;
  std::int64_t steps_per_epoch() const;
  std::int64_t total_steps() const;
  bool step();
  bool private_step();
  bool plain_step();
  Tensor losses_of(const Tensor& records);
  void after_step();
  void finish_epoch();
  void report_progress();
  void save_checkpoint();
  TrainingResult finish();
  std::optional<double> epsilon();
  std::optional<double> epsilon_ahead();

  RunFolder folder_;
  const TrainingConfig& config_;
  TrainingObserver& observer_;
  TensorTrainTest data_;
  torch::nn::Sequential model_{nullptr};
  torch::nn::Sequential averaged_{nullptr};  // what is evaluated and saved
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  std::optional<PrivacyEngine> engine_;

  std::int64_t step_ = 0;   // logical batches done, charged or not
  std::int64_t epoch_ = 0;  // finished
  Tensor order_;            // of the present pass without privacy
  double loss_sum_ = 0;     // of the present epoch
  double loss_count_ = 0;
  double last_epoch_loss_ = 0;
  double trained_seconds_ = 0;  // before this process
  std::int64_t steps_here_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_checkpoint_ = Clock::now();
  Clock::time_point last_progress_ = Clock::now() - std::chrono::hours(1);
  Clock::time_point last_epsilon_ = Clock::now() - std::chrono::hours(1);
  std::optional<double> shown_epsilon_;
};

void Run::start_engine() {
  require_separable(model_, data_);
  remove_torn_ledger();
  const Plan plan(plan_options(config_, data_.train.size(), folder_.ledger()));
  EngineOptions options;
  options.physical_batch = config_.physical_batch;
  options.ledger = folder_.ledger();
  options.insecure_seed = config_.insecure_seed;
  if (!config_.noise_multiplier) options.target = {config_.target_epsilon, config_.delta};
  engine_.emplace(*model_, *optimizer_, plan, options);
  step_ = engine_->steps();
}

// Killed while the ledger was being made: it has no plan yet, so nothing can have been charged.
void Run::remove_torn_ledger() const {
  if (!std::filesystem::exists(folder_.ledger()) || std::filesystem::exists(folder_.checkpoint())) {
    return;
  }
  if (read_file(folder_.ledger()).find('\n') != std::string::npos) return;
  std::filesystem::remove(folder_.ledger());
}

void Run::restore() {
  const auto state = folder_.load_checkpoint(model_, averaged_, *optimizer_);
  if (!state) return start_again();
  try {
    check_argument(state->at("engine").is_null() == !engine_, folder_.checkpoint().string(),
                   ": belongs to a run ", engine_ ? "without" : "with", " privacy");
    if (engine_) engine_->restore(state->at("engine"));
    step_ = engine_ ? engine_->steps() : state->at("step").get<std::int64_t>();
    trained_seconds_ = state->at("seconds").get<double>();
    const auto& loss = state->at("train_loss");
    last_epoch_loss_ = loss.is_number() ? loss.get<double>() : NAN;
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument(folder_.checkpoint().string() + ": is damaged");
  }
  epoch_ = step_ / steps_per_epoch();
}

void Run::start_again() {
  check_argument(step_ == 0 || !std::filesystem::exists(folder_.model()),
                 folder_.checkpoint().string(), ": not there, though ", step_,
                 " steps are charged; the finished model is left as it is");
  if (step_ == 0) return;
  observer_.on_message(std::to_string(step_) +
                       " charged steps left no checkpoint: training starts from new weights, with "
                       "what is left of the budget");
}

std::int64_t Run::steps_per_epoch() const {
  if (engine_) return engine_->plan().steps_per_epoch();
  return accounting::steps_per_epoch(data_.train.size(),
                                     std::min(config_.batch_size, data_.train.size()));
}

std::int64_t Run::total_steps() const {
  return engine_ ? engine_->step_limit() : config_.epochs * steps_per_epoch();
}

Tensor Run::losses_of(const Tensor& records) {
  return per_sample_losses(model_->forward(data_.train.inputs.index_select(0, records)),
                           data_.train.labels.index_select(0, records));
}

// A step that fails leaves what was paid for before it in the checkpoint.
bool Run::step() {
  try {
    return engine_ ? private_step() : plain_step();
  } catch (const std::exception&) {
    if (!engine_ || !engine_->inside_batch()) save_checkpoint();
    throw;
  }
}

bool Run::private_step() {
  const auto before = engine_->steps();
  for (bool stepped = false; !stepped;) {
    const auto batch = engine_->next_batch();
    if (!batch) break;
    const Tensor losses = losses_of(batch->indices);
    loss_sum_ += losses.detach().nansum().item<double>();
    loss_count_ += static_cast<double>(batch->size());
    stepped = engine_->step(losses).stepped;
  }
  steps_here_ += engine_->steps() - before;
  step_ = engine_->steps();
  return step_ > before;
}

bool Run::plain_step() {
  if (step_ >= total_steps()) return false;
  const auto place = step_ % steps_per_epoch();  // of a pass
  if (place == 0 || !order_.defined()) order_ = torch::randperm(data_.train.size());
  const auto begin = place * config_.batch_size;
  const Tensor records =
      order_.narrow(0, begin, std::min(config_.batch_size, data_.train.size() - begin));
  optimizer_->zero_grad();
  const Tensor losses = losses_of(records);
  const Tensor loss = losses.mean();
  if (!std::isfinite(loss.item<double>())) {
    throw std::runtime_error("the training loss is not finite; lower the learning rate (--lr)");
  }
  loss.backward();
  optimizer_->step();
  loss_sum_ += losses.detach().sum().item<double>();
  loss_count_ += static_cast<double>(records.size(0));
  ++step_;
  ++steps_here_;
  return true;
}

// What will have been spent when it is computed next, so that what is shown is never too low.
std::optional<double> Run::epsilon_ahead() {
  if (!engine_ || !engine_->is_private()) return epsilon();
  const double per_second =
      static_cast<double>(steps_here_) / std::max(1e-3, seconds_since(start_));
  const auto ahead = static_cast<std::int64_t>(2 * kEpsilonSeconds * per_second) + 1;
  const auto steps = std::min(engine_->step_limit(), step_ + ahead);
  return accounting::cost_at_delta(engine_->plan().composition(steps), engine_->plan().neighbours(),
                                   config_.delta)
      .epsilon;
}

std::optional<double> Run::epsilon() {
  if (!engine_) return std::nullopt;
  return engine_->privacy_spent(config_.delta).epsilon;
}

void Run::report_progress() {
  if (seconds_since(last_progress_) < kProgressSeconds) return;
  last_progress_ = Clock::now();
  if (seconds_since(last_epsilon_) > kEpsilonSeconds) {
    shown_epsilon_ = epsilon_ahead();
    last_epsilon_ = Clock::now();
  }
  const double seconds = seconds_since(start_);
  const double rate = static_cast<double>(steps_here_) / std::max(seconds, 1e-9);
  Progress progress;
  progress.step = step_;
  progress.steps = total_steps();
  progress.train_loss = loss_count_ > 0 ? loss_sum_ / loss_count_ : last_epoch_loss_;
  progress.epsilon = shown_epsilon_;
  progress.samples_per_second = rate * static_cast<double>(config_.batch_size);
  progress.seconds_left = static_cast<double>(progress.steps - step_) / std::max(rate, 1e-9);
  observer_.on_progress(progress);
}

void Run::save_checkpoint() {
  if (engine_) engine_->flush();
  folder_.save_checkpoint(model_, averaged_, *optimizer_,
                          {{"engine", engine_ ? engine_->checkpoint() : nlohmann::json()},
                           {"step", step_},
                           {"train_loss", last_epoch_loss_},
                           {"seconds", trained_seconds_ + seconds_since(start_)}});
  last_checkpoint_ = Clock::now();
}

void Run::finish_epoch() {
  epoch_ = (step_ + steps_per_epoch() - 1) / steps_per_epoch();
  if (loss_count_ > 0) last_epoch_loss_ = loss_sum_ / loss_count_;
  loss_sum_ = loss_count_ = 0;
  save_checkpoint();
  const auto test = evaluate(averaged_, data_.test.inputs, data_.test.labels,
                             static_cast<std::int64_t>(data_.classes.size()));
  EpochReport report;
  report.epoch = epoch_;
  report.epochs = (total_steps() + steps_per_epoch() - 1) / steps_per_epoch();
  report.step = step_;
  report.train_loss = last_epoch_loss_;
  report.test_loss = test.loss;
  report.test_accuracy = test.accuracy;
  report.seconds = trained_seconds_ + seconds_since(start_);
  nlohmann::json line = {{"epoch", report.epoch},           {"step", report.step},
                         {"train_loss", report.train_loss}, {"test_loss", test.loss},
                         {"test_accuracy", test.accuracy},  {"seconds", report.seconds}};
  if (engine_) {
    accounting::AccountingOptions rdp;
    rdp.accountant = accounting::Accountant::kRdp;
    report.epsilon = epsilon();
    report.best_order = engine_->privacy_spent(config_.delta, rdp).order;
    line["epsilon"] = std::isfinite(*report.epsilon) ? nlohmann::json(*report.epsilon)
                                                     : nlohmann::json("Infinity");
    line["best_order"] = report.best_order ? nlohmann::json(*report.best_order) : nlohmann::json();
    line["not_covered_by_epsilon"] = {"train_loss"};
  }
  folder_.append_metrics(line);
  observer_.on_epoch(report);
}

void Run::update_average(double kept) {
  torch::NoGradGuard no_gradients;
  const auto weights = model_->parameters();
  auto averages = averaged_->parameters();
  for (std::size_t i = 0; i < weights.size(); ++i) averages[i].lerp_(weights[i], 1 - kept);
}

void Run::after_step() {
  // The first steps count less: (1 + t) / (10 + t) until that reaches the set value.
  const auto t = static_cast<double>(step_);
  update_average(std::min(config_.average, (1 + t) / (10 + t)));
  report_progress();
  if (observer_.stop_requested()) {
    save_checkpoint();
    throw Interrupted("stopped after step " + std::to_string(step_) + " of " +
                      std::to_string(total_steps()) +
                      "; nothing is lost: continue with --resume and the same --output");
  }
  if (step_ / steps_per_epoch() > epoch_ || step_ == total_steps()) {
    finish_epoch();
  } else if (seconds_since(last_checkpoint_) > kCheckpointSeconds) {
    save_checkpoint();
  }
}

TrainingResult Run::execute() {
  if (engine_)
    observer_.on_message("(training losses are shown to you only: ε does not cover them)");
  start_ = Clock::now();
  while (step()) after_step();
  return finish();
}

TrainingResult Run::finish() {
  TrainingResult result;
  result.seconds = trained_seconds_ + seconds_since(start_);
  result.samples_per_second = static_cast<double>(steps_here_) *
                              static_cast<double>(config_.batch_size) /
                              std::max(1e-9, seconds_since(start_));
  result.test = evaluate(averaged_, data_.test.inputs, data_.test.labels,
                         static_cast<std::int64_t>(data_.classes.size()));
  result.train_loss = last_epoch_loss_;
  result.steps = step_;
  PrivacyReport report;
  if (engine_) {
    engine_->flush();
    result.spent = engine_->privacy_spent(config_.delta);
    result.is_private = engine_->is_private();
    result.noise_multiplier = engine_->plan().options().noise_multiplier;
    result.discarded = engine_->discarded();
    report = private_report(*engine_, *result.spent, config_);
  } else {
    report = report_without_privacy();
  }
  result.statement = report.statement;
  folder_.write("privacy.json", report.json.dump(2) + "\n");
  folder_.write("privacy.md", report.markdown);
  save_model(folder_.model(), averaged_,
             {config_.model, data_.shape, data_.classes, report.statement});
  return result;
}

// Everything that can be wrong with a configuration is found before its folder is made.
void require_usable(const TrainingConfig& config) {
  check_argument(config.epochs >= 1 && config.epochs <= 1'000'000,
                 "epochs must be from 1 to 1000000, got ", config.epochs);
  check_argument(config.batch_size >= 1, "batch size must be at least 1, got ", config.batch_size);
  check_argument(config.average >= 0 && config.average < 1,
                 "average must be 0 or above and below 1, got ", config.average);
  check_argument(config.learning_rate > 0, "learning rate must be positive, got ",
                 config.learning_rate);
}

}  // namespace

TrainingResult train(const TrainingConfig& config, const std::filesystem::path& output,
                     TrainingObserver& observer) {
  require_usable(config);
  auto folder = RunFolder::create(output, config);
  std::unique_ptr<Run> run;
  try {
    run = std::make_unique<Run>(folder, observer);
  } catch (...) {
    folder.remove_unused();  // nothing was charged: leave no half-made run behind
    throw;
  }
  return run->execute();
}

TrainingResult resume(const std::filesystem::path& output, TrainingObserver& observer) {
  Run run(RunFolder::open(output), observer);
  run.restore();
  return run.execute();
}

}  // namespace sotto::train
