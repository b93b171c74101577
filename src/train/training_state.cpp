#include "train/training_state.h"

#include <torch/nn.h>
#include <torch/utils.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "core/atomic_file.h"
#include "core/counted.h"
#include "engine/batch_queue.h"
#include "models/scatter_networks.h"
#include "plan/norm_json.h"
#include "runs/run_charge.h"
#include "sotto/core/error.h"
#include "sotto/core/random.h"
#include "sotto/engine/inspector.h"
#include "sotto/train/evaluation.h"
#include "sotto/train/model_file.h"
#include "train/checkpoint_file.h"
#include "train/feature_cache.h"
#include "train/frozen_features.h"
#include "train/memory_limit.h"
#include "train/optimizers.h"
#include "train/run_plan.h"

namespace sotto::train {
namespace {

std::uint64_t initial_seed(const TrainingConfig& config) {
  if (config.insecure_seed) return *config.insecure_seed;
  if (config.seed) return *config.seed;
  SecureRandom random;
  return random();
}

// A loss of exactly one sample may not depend on another: tried on random numbers of the data's
// shape, never on the data.
void require_separable(torch::nn::Sequential& model, const TensorTrainTest& data) {
  constexpr std::int64_t kSamples = 3;
  auto sizes = data.shape;
  sizes.insert(sizes.begin(), kSamples);
  const at::Tensor inputs = torch::rand(sizes);
  const at::Tensor labels =
      torch::randint(static_cast<std::int64_t>(data.classes.size()), {kSamples});
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

// Features are computed by LibTorch, many records at once: with one less the others have other
// places.
void require_fixed_records(const Plan& plan) {
  check_setting(plan.neighbours().adjacency() != accounting::Adjacency::kAddRemove,
                the_setting("relation"),
                " add-remove: frozen features are computed by LibTorch's kernels, which may round "
                "them differently without a record; expected zero-out, which costs the same ε");
}

// Without line breaks, for the model's card.
std::string compact_schema(const std::string& text) {
  return text.empty() ? text : nlohmann::ordered_json::parse(text).dump();
}

}  // namespace

TrainingState::TrainingState(const runs::RunFolder& the_folder, const TrainingConfig& the_config,
                             const TensorTrainTest& data, std::int64_t bytes_before_data)
    : folder(the_folder),
      config(the_config),
      dataset_size(data.train.size()),
      some_held_out(data.test_is_private()) {
  check_setting(config.batch_size <= dataset_size || config.sampling == accounting::Sampling::kNone,
                the_setting("batch_size"), " ", config.batch_size, ": exceeds the data set's ",
                counted(dataset_size, "training sample"), "; expected less, such as ",
                std::max<std::int64_t>(1, dataset_size / 8));
  torch::manual_seed(initial_seed(config));
  make_models(data);
  optimizer = make_optimizer(*model, config);
  if (!config.disable_dp && !clipless) require_separable(model, data);
  fused = FusedModels::compile(*this, data.shape);
  if (config.disable_dp) return;
  max_physical_batch_size =
      max_physical_batch_size_of(*this, data.shape, bytes_before_data + data.bytes());
  start_engine();
}

lipschitz::Loss clipless_loss(const TrainingConfig& config, std::size_t classes) {
  return {{.kind = config.clipless.loss,
           .temperature = config.clipless.temperature,
           .margin = config.clipless.margin},
          static_cast<std::int64_t>(classes)};
}

void TrainingState::make_models(const TensorTrainTest& data) {
  card = {config.model,
          data.picture_shape.empty() ? data.shape : data.picture_shape,
          data.classes,
          "",
          config.clipless.input_bound,
          config.hidden_units,
          compact_schema(config.schema_text)};
  if (uses_frozen_features(config)) {
    make_classifiers();
  } else {
    model = network_of(card);
    averaged = network_of(card);
    if (config.model == "vgg16" && !config.weights.empty()) {
      load_weights_except("classifier", config.weights, *model);
    } else if (!config.weights.empty()) {
      load_weights(config.weights, *model);
    }
    freeze(*model, config.freeze);
  }
  if (config.method == Method::kClipless) {
    clipless.emplace(model, clipless_loss(config, data.classes.size()));
  }
  update_average(0);
}

// Trained and averaged are the classifiers alone; the file's is taken if it fits.
void TrainingState::make_classifiers() {
  model = new_classifier(config, card);
  averaged = new_classifier(config, card);
  bool given = false;
  const auto network = network_with_features(config, card, &given);
  features_and_classifier_ = network;
  features_key_ = content_key(models::features_of(network)->parameters());
  if (!given) return;
  const c10::NoGradGuard no_gradients;
  for (auto& item : model->named_parameters()) {
    item.value().copy_(network->named_parameters()["classifier." + item.key()]);
  }
}

torch::nn::Sequential TrainingState::whole_model() const {
  if (features_and_classifier_.is_empty()) return averaged;
  const auto& network = features_and_classifier_;
  const c10::NoGradGuard no_gradients;
  auto parameters = network->named_parameters();
  for (const auto& item : averaged->named_parameters()) {
    parameters["classifier." + item.key()].copy_(item.value());
  }
  return network;
}

std::optional<BoundedNoise> TrainingState::bounded_noise() const {
  if (!clipless) return std::nullopt;
  return clipless->bounded_noise(config.clipless.noise_strategy, config.max_grad_norm);
}

void TrainingState::start_engine() {
  remove_torn_ledger();
  EngineOptions options;
  options.max_physical_batch_size = max_physical_batch_size;
  options.ledger = folder.ledger();
  options.insecure_seed = config.insecure_seed;
  if (!config.noise_multiplier) options.target = {config.target_epsilon, config.delta};
  if (config.show_norms) options.norm_observer = &norms.emplace();
  const auto plan = plan_of(config, {dataset_size, some_held_out}, folder.ledger(),
                            {bounded_noise(), fused.model != nullptr});
  check_setting(
      config.memory_limit == 0 ||
          plan.neighbours().adjacency() != accounting::Adjacency::kAddRemove,
      the_setting("memory_limit"),
      ": how many samples fit follows the number of records, which differs under add-remove; "
      "give ",
      the_setting("physical_batch"), ", or take ", the_setting("relation"), " zero-out");
  if (!fused.model) require_kept_places(plan, max_physical_batch_size);
  if (libtorch_computes_features(config)) require_fixed_records(plan);
  if (clipless) {
    engine.emplace(*clipless, *model, *optimizer, plan, options);
  } else {
    engine.emplace(*model, *optimizer, plan, options);
  }
  step = engine->steps();
}

// Killed while the ledger was being made: it has no plan yet, so nothing can have been charged.
void TrainingState::remove_torn_ledger() const {
  if (!std::filesystem::exists(folder.ledger()) || runs::has_trained(folder.path())) return;
  if (read_file(folder.ledger()).find('\n') != std::string::npos) return;
  std::filesystem::remove(folder.ledger());
}

std::int64_t TrainingState::steps_per_epoch() const {
  if (engine) return engine->plan().steps_per_epoch();
  return accounting::steps_per_epoch(dataset_size, std::min(config.batch_size, dataset_size));
}

std::int64_t TrainingState::total_steps() const {
  return engine ? engine->step_limit() : config.epochs * steps_per_epoch();
}

void TrainingState::update_average(double kept) {
  torch::NoGradGuard no_gradients;
  const auto weights = model->parameters();
  auto averages = averaged->parameters();
  for (std::size_t i = 0; i < weights.size(); ++i) averages[i].lerp_(weights[i], 1 - kept);
}

void TrainingState::save_checkpoint(double seconds) {
  if (engine) engine->flush();
  nlohmann::json state = {{"engine", nlohmann::json::parse(engine ? engine->checkpoint() : "null")},
                          {"step", step},
                          {"features", features_key_},
                          {"seconds", seconds}};
  if (!engine) state["train_loss"] = last_epoch_loss;  // else it would describe private records
  CheckpointWriter checkpoint;
  checkpoint.add("model", *model);
  checkpoint.add("averaged", *averaged);
  checkpoint.add("optimizer", *optimizer);
  checkpoint.save(folder.checkpoint(), state);
}

bool TrainingState::restore_checkpoint() {
  if (!std::filesystem::exists(folder.checkpoint())) return false;
  CheckpointReader checkpoint(folder.checkpoint());
  checkpoint.read("model", *model);
  checkpoint.read("averaged", *averaged);
  checkpoint.read("optimizer", *optimizer);
  const auto saved = checkpoint.state();
  try {
    check_argument(saved.at("engine").is_null() == !engine, folder.checkpoint().string(),
                   ": belongs to a run ", engine ? "without" : "with", " privacy");
    check_argument(saved.value("features", std::string()) == features_key_, config.weights.string(),
                   ": holds other features than those that the run was trained on");
    if (engine) engine->restore(saved.at("engine").dump());
    step = engine ? engine->steps() : saved.at("step").get<std::int64_t>();
    seconds_before = saved.at("seconds").get<double>();
    restore_shown(saved);
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument(folder.checkpoint().string() + ": is damaged");
  }
  return true;
}

// What was told of the last epoch: from metrics.private.jsonl, or from the checkpoint itself where
// it has them (without privacy, and of older runs).
void TrainingState::restore_shown(const nlohmann::json& saved) {
  const auto told = folder.last_private_metrics();
  const auto& from = told.is_object() ? told : saved;
  const auto loss = from.value("train_loss", nlohmann::json());
  last_epoch_loss = loss.is_number() ? loss.get<double>() : NAN;
  if (!config.show_norms) return;
  const auto norms_told = told.is_object() ? told : saved.value("norms", nlohmann::json());
  if (norms_told.is_object()) last_epoch_norms = norm_summary_from_json(norms_told);
}

}  // namespace sotto::train
