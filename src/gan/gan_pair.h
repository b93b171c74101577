// dp-GAN: a generator against a critic that is trained privately (arXiv:1801.01594).
//
// Only the critic sees records, through an engine that clips, noises and charges. What the
// generator learns it learns from the critic: post-processing, which costs nothing.
#pragma once

#include <torch/optim/adam.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "gan/critic_losses.h"
#include "gan/gan_data.h"
#include "gan/secret_draws.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/gan/generator_file.h"

namespace sotto::gan {

inline constexpr const char* kLabelCounts = "label counts";

class GanPair {
 public:
  // Data must outlive it; public ones may be null. The networks are new, or trained before on
  // public data, with parts of the critic frozen. Goes on with the ledger if there is one.
  GanPair(const GanConfig& config, const GanData& data, const GanData* public_data,
          GeneratorCard card, Generator generator, Critic critic,
          const std::filesystem::path& ledger);

  // As many steps of the critic as the generator's next step asks for, then that step. False if the
  // budget allowed no step of the critic.
  bool round();
  // Ordinary training on public data.
  void warm_start_round();

  // Steps of the critic, charged or not, and how many there may be.
  std::int64_t steps() const;
  std::int64_t step_limit() const;
  std::int64_t rounds() const { return rounds_; }
  std::int64_t critic_steps() const { return critic_steps_; }
  bool converged() const { return converged_; }
  // Means over the round's last step. The critic's tells about records, without noise.
  double critic_loss() const { return critic_loss_; }
  double generator_loss() const { return generator_loss_; }

  const GeneratorCard& card() const { return card_; }
  Generator generator() const { return generator_; }
  Critic critic() const { return critic_; }
  PrivacyEngine* engine() { return engine_ ? &*engine_ : nullptr; }

  void save(const std::filesystem::path& path);
  // Throws InvalidArgument if it is damaged, or of another run.
  void restore(const std::filesystem::path& path);
  // Charged after the checkpoint that was restored.
  std::int64_t lost_steps() const { return lost_steps_; }

 private:
  void start_engine(const std::filesystem::path& ledger);
  void release_label_counts();
  bool critic_step();
  // inputs (n, ...), labels (n)
  Pairs pairs_of(const at::Tensor& inputs, const at::Tensor& labels);
  void plain_critic_step(const train::TensorData& data);
  void generator_step();
  void set_clip_groups();
  void adapt_critic_steps();
  void watch_convergence();

  GanConfig config_;
  const GanData& data_;
  const GanData* public_;
  GeneratorCard card_;
  Generator generator_;
  Critic critic_;
  std::unique_ptr<torch::optim::Adam> generator_optimizer_;
  std::unique_ptr<torch::optim::Adam> critic_optimizer_;
  std::optional<PrivacyEngine> engine_;
  SecretDraws draws_;

  std::int64_t plain_steps_ = 0;
  std::int64_t lost_steps_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t critic_steps_;
  std::int64_t rounds_since_rise_ = 0;
  double fake_accuracy_ = 1;  // running mean of how many fresh fakes the critic sees through
  double generator_slope_ = 0;
  double slope_before_ = 0;
  bool converged_ = false;
  double critic_loss_ = 0;
  double generator_loss_ = 0;
};

// The plan of a dp-GAN run. Throws InvalidArgument if it cannot be.
PlanOptions plan_options(const GanConfig& config, std::int64_t dataset_size);

}  // namespace sotto::gan
