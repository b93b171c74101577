#include "gan/gan_pair.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/utils.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/counted.h"
#include "gan/parameter_groups.h"
#include "sotto/core/error.h"
#include "train/checkpoint_file.h"
#include "train/run_plan.h"

namespace sotto::gan {
namespace {

using at::Tensor;

constexpr std::int64_t kPublicBatch = 64;

std::vector<Tensor> trainable(const torch::nn::Module& module) {
  std::vector<Tensor> parameters;
  for (const auto& parameter : module.parameters()) {
    if (parameter.requires_grad()) parameters.push_back(parameter);
  }
  return parameters;
}

std::unique_ptr<torch::optim::Adam> adam(const torch::nn::Module& module, double rate) {
  return std::make_unique<torch::optim::Adam>(trainable(module),
                                              torch::optim::AdamOptions(rate).betas({0.5, 0.9}));
}

// Standard deviation of the noise on a class' count: a tenth of a percent of the records, or four
// times what would spend the whole budget on it, if that is more.
double label_noise(const GanConfig& config, std::int64_t dataset_size) {
  double noise = std::max(10.0, 1e-3 * static_cast<double>(dataset_size));
  if (config.noise_multiplier) return noise;
  PlanOptions alone;
  alone.dataset_size = alone.batch_size = dataset_size;
  alone.sampling = accounting::Sampling::kNone;
  alone.steps = 1;
  return std::max(noise, 4 * noise_multiplier_for({config.target_epsilon, config.delta}, alone));
}

double mean_of(const Tensor& values) {
  return values.detach().to(at::kDouble).mean().item<double>();
}

}  // namespace

PlanOptions plan_options(const GanConfig& config, std::int64_t dataset_size) {
  check_argument(config.batch_size <= dataset_size, "batch size ", config.batch_size,
                 " exceeds the data set's ", counted(dataset_size, "training sample"));
  PlanOptions plan;
  plan.dataset_size = dataset_size;
  plan.batch_size = config.batch_size;
  plan.steps = config.steps;
  plan.max_grad_norm = config.max_grad_norm;
  plan.releases = {{kLabelCounts, label_noise(config, dataset_size)}};
  if (config.is_advanced()) {
    plan.clipping = GroupedClipping{config.groups};
  }
  return plan;
}

GanPair::GanPair(const GanConfig& config, const GanData& data, const GanData* public_data,
                 GeneratorCard card, Generator generator, Critic critic,
                 const std::filesystem::path& ledger)
    : config_(config),
      data_(data),
      public_(public_data),
      card_(std::move(card)),
      generator_(std::move(generator)),
      critic_(std::move(critic)),
      generator_optimizer_(adam(*generator_, config.generator_rate)),
      critic_optimizer_(adam(*critic_, config.critic_rate)),
      draws_(config.insecure_seed),
      critic_steps_(config.adaptive_critic_steps ? 1 : config.critic_steps) {
  const auto tensors = static_cast<std::int64_t>(trainable(*critic_).size());
  check_argument(!config.is_advanced() || config.groups <= tensors, "groups ", config.groups,
                 ": the critic has ", tensors, " parameter tensors; expected 1 to ", tensors);
  if (!config.disable_dp) start_engine(ledger);
}

void GanPair::start_engine(const std::filesystem::path& ledger) {
  auto plan = plan_options(config_, data_.tensors.train.size());
  plan.adjacency = train::adjacency_of(plan.adjacency, ledger);
  plan.noise_multiplier = train::noise_multiplier_of(
      config_.noise_multiplier, {config_.target_epsilon, config_.delta}, plan, ledger);
  EngineOptions options;
  options.ledger = ledger;
  options.insecure_seed = config_.insecure_seed;
  if (!config_.noise_multiplier) options.target = {config_.target_epsilon, config_.delta};
  engine_.emplace(*critic_, *critic_optimizer_, Plan(plan), options);
  if (!engine_->was_released(kLabelCounts)) release_label_counts();
}

// If a run dies between this and its first checkpoint, the shares are lost: classes are then taken
// to be equally frequent, which the card starts with.
void GanPair::release_label_counts() {
  const Tensor counts =
      engine_->release(kLabelCounts, label_columns(data_.tensors.train.labels, card_.shape.classes))
          .clamp_min(0);
  const auto total = counts.sum().item<double>();
  for (std::size_t i = 0; i < card_.shares.size() && total > 0; ++i) {
    card_.shares[i] = counts[static_cast<std::int64_t>(i)].item<double>() / total;
  }
}

Pairs GanPair::pairs_of(const Tensor& inputs, const Tensor& labels) {
  const auto n = labels.size(0);
  return make_pairs(generator_, draws_.latent(card_, n), draws_.uniform(n), inputs,
                    label_columns(labels, card_.shape.classes));
}

bool GanPair::critic_step() {
  if (!engine_) {
    if (plain_steps_ >= config_.steps) return false;
    plain_critic_step(data_.tensors.train);
    ++plain_steps_;
    return true;
  }
  const auto batch = engine_->next_batch();
  if (!batch) return false;
  if (batch->size() == 0) return true;  // noised and charged like any other
  const Tensor losses = critic_losses(critic_,
                                      pairs_of(batch->rows_of(data_.tensors.train.inputs),
                                               batch->rows_of(data_.tensors.train.labels)),
                                      {config_.critic_loss, config_.penalty});
  engine_->step(losses);
  critic_loss_ = mean_of(losses.masked_select(batch->is_drawn));
  return true;
}

void GanPair::plain_critic_step(const train::TensorData& data) {
  const auto size = std::min(config_.batch_size, data.size());
  const Tensor records = torch::randint(data.size(), {size}, torch::kLong);
  const Tensor losses = critic_losses(
      critic_, pairs_of(data.inputs.index_select(0, records), data.labels.index_select(0, records)),
      {config_.critic_loss, config_.penalty});
  losses.mean().backward();
  critic_optimizer_->step();
  for (auto& parameter : critic_->parameters()) parameter.mutable_grad() = Tensor();
  critic_loss_ = mean_of(losses);
}

// Algorithm 1, lines 11 and 12: no record is looked at.
void GanPair::generator_step() {
  generator_->train();
  const auto n = std::max<std::int64_t>(2, config_.batch_size);  // a batch norm needs two
  const Tensor labels = label_columns(draw_labels(card_, n), card_.shape.classes);
  const Tensor scores =
      critic_->forward(generator_->forward(draw_latent(card_, n), labels), labels);
  const Tensor loss = config_.critic_loss == CriticLoss::kWasserstein
                          ? -scores.mean()
                          : at::softplus(-scores).mean();
  auto parameters = generator_->parameters();
  const auto gradients = torch::autograd::grad({loss}, parameters);
  double square = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].mutable_grad() = gradients[i];
    square += gradients[i].square().sum().item<double>();
  }
  generator_optimizer_->step();
  for (auto& parameter : parameters) parameter.mutable_grad() = Tensor();
  generator_loss_ = loss.item<double>();
  // Of these fakes, whose labels are drawn: those that were paired with records have the records'
  // labels, which nothing may depend on without noise.
  constexpr double kKept = 0.99;
  fake_accuracy_ = kKept * fake_accuracy_ + (1 - kKept) * mean_of(scores < 0);
  generator_slope_ = 0.95 * generator_slope_ + 0.05 * std::sqrt(square);
}

bool GanPair::round() {
  if (config_.is_advanced() && engine_) set_clip_groups();
  std::int64_t made = 0;
  while (made < critic_steps_ && critic_step()) ++made;
  if (made == 0) return false;
  generator_step();
  ++rounds_;
  if (config_.adaptive_critic_steps) adapt_critic_steps();
  watch_convergence();
  return true;
}

void GanPair::warm_start_round() {
  for (std::int64_t i = 0; i < config_.critic_steps; ++i) plain_critic_step(public_->tensors.train);
  generator_step();
}

// Bounds are the mean norms on a batch of public data.
void GanPair::set_clip_groups() {
  const auto& data = public_->tensors.train;
  const Tensor records =
      torch::randint(data.size(), {std::min(kPublicBatch, data.size())}, torch::kLong);
  const Tensor losses = critic_losses(
      critic_, pairs_of(data.inputs.index_select(0, records), data.labels.index_select(0, records)),
      {config_.critic_loss, config_.penalty});
  const grad::PerSampleGradients gradients(losses, engine_->parameters());
  const Tensor means = gradients.squared_norms().sqrt().nan_to_num(0, 0, 0).mean(1);
  std::vector<double> bounds;
  std::vector<std::string> names;
  for (std::int64_t p = 0; p < means.size(0); ++p) {
    bounds.push_back(means[p].item<double>());
    names.push_back(engine_->parameters()[static_cast<std::size_t>(p)].name);
  }
  engine_->set_clip_groups(cluster_parameters(bounds, names, config_.groups));
}

// Bie, Kamath, Zhang 2023 (arXiv:2302.02936): more steps of the critic once it falls behind. Looks
// at generated samples alone.
void GanPair::adapt_critic_steps() {
  constexpr std::array<std::int64_t, 8> kLadder = {1, 2, 5, 10, 20, 50, 100, 200};
  constexpr double kFallenBehind = 0.6;
  constexpr std::int64_t kRest = 200;
  ++rounds_since_rise_;
  if (fake_accuracy_ > kFallenBehind || rounds_since_rise_ < kRest) return;
  const auto* next = std::upper_bound(kLadder.begin(), kLadder.end(), critic_steps_);
  if (next == kLadder.end()) return;
  critic_steps_ = *next;
  rounds_since_rise_ = 0;
}

void GanPair::watch_convergence() {
  constexpr std::int64_t kBetweenLooks = 100;
  if (config_.tolerance <= 0 || rounds_ % kBetweenLooks != 0) return;
  converged_ = std::abs(generator_slope_ - slope_before_) < config_.tolerance * generator_slope_;
  slope_before_ = generator_slope_;
}

std::int64_t GanPair::steps() const { return engine_ ? engine_->steps() : plain_steps_; }
std::int64_t GanPair::step_limit() const { return engine_ ? engine_->step_limit() : config_.steps; }

void GanPair::save(const std::filesystem::path& path) {
  nlohmann::json state = {{"rounds", rounds_},
                          {"plain_steps", plain_steps_},
                          {"critic_steps", critic_steps_},
                          {"rounds_since_rise", rounds_since_rise_},
                          {"fake_accuracy", fake_accuracy_},
                          {"converged", converged_},
                          {"generator_slope", generator_slope_},
                          {"slope_before", slope_before_},
                          {"shares", card_.shares}};
  if (engine_) {
    engine_->flush();
    state["engine"] = nlohmann::json::parse(engine_->checkpoint());
  }
  train::CheckpointWriter checkpoint;
  checkpoint.add("generator", *generator_);
  checkpoint.add("critic", *critic_);
  checkpoint.add("generator_optimizer", *generator_optimizer_);
  checkpoint.add("critic_optimizer", *critic_optimizer_);
  checkpoint.save(path, state);
}

void GanPair::restore(const std::filesystem::path& path) {
  train::CheckpointReader checkpoint(path);
  checkpoint.read("generator", *generator_);
  checkpoint.read("critic", *critic_);
  checkpoint.read("generator_optimizer", *generator_optimizer_);
  checkpoint.read("critic_optimizer", *critic_optimizer_);
  const auto state = checkpoint.state();
  try {
    state.at("rounds").get_to(rounds_);
    state.at("plain_steps").get_to(plain_steps_);
    state.at("critic_steps").get_to(critic_steps_);
    state.at("rounds_since_rise").get_to(rounds_since_rise_);
    state.at("fake_accuracy").get_to(fake_accuracy_);
    state.at("converged").get_to(converged_);
    state.at("generator_slope").get_to(generator_slope_);
    state.at("slope_before").get_to(slope_before_);
    state.at("shares").get_to(card_.shares);
    check_argument(
        card_.shares.size() == card_.classes.size() && (!engine_ || state.contains("engine")),
        "other classes");
  } catch (const std::exception&) {
    throw InvalidArgument(path.string() + ": is damaged, or of other networks");
  }
  if (!engine_) return;
  engine_->restore(state.at("engine").dump());
  lost_steps_ = engine_->lost_steps();
  engine_->accept_lost_steps();  // what is left of the budget is trained with
}

}  // namespace sotto::gan
