// All settings for training a generator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::settings {

enum class GeneratorMethod : std::uint8_t {
  kMerf,      // the generator is fitted to one private mean embedding (arXiv:2002.11603)
  kBasic,     // dp-GAN: an improved WGAN whose critic is trained privately (arXiv:1801.01594)
  kAdvanced,  // the same with groups of parameters, and bounds and first weights from public data
};
// "merf", "basic" or "advanced".
std::string_view to_string(GeneratorMethod method);
GeneratorMethod generator_method_from_name(std::string_view text);

enum class Networks : std::uint8_t {
  kDeconv,       // a small DCGAN pair, for the CPU
  kDcgan,        // the pair of dp-GAN's authors, 28x28 and 32x32
  kAutoencoder,  // generator of dense layers 89-10-89 with SELU, critic of three convolutions
  kMlp,          // dense layers, for rows of a table
};
// "deconv", "dcgan", "autoencoder" or "mlp".
std::string_view to_string(Networks networks);
Networks networks_from_name(std::string_view text);

enum class Latent : std::uint8_t { kNormal, kUniform };
std::string_view to_string(Latent latent);
Latent latent_from_name(std::string_view text);

enum class CriticLoss : std::uint8_t {
  kWasserstein,  // D(G(z)) - D(x)
  kLogistic,     // log(1 + exp D(G(z))) + log(1 + exp -D(x))
};
std::string_view to_string(CriticLoss loss);
CriticLoss critic_loss_from_name(std::string_view text);

// A data set as `sotto train` names it.
struct DataChoice {
  std::string dataset;
  std::filesystem::path csv_schema;
  std::filesystem::path csv_test;  // public rows
  std::string schema_text = {};    // set by train_generator(): what csv_schema held then
  std::int64_t classes = 0;        // idx: only
  std::int64_t image_size = 28;
  std::int64_t image_channels = 1;
  std::vector<std::string> class_names = {};  // images: only; public
  // ε of the accuracy on records held out of private ones, see TrainingConfig.
  std::optional<double> held_out_epsilon = {};
};

struct GanConfig {
  DataChoice data{.dataset = "mnist", .csv_schema = {}, .csv_test = {}};
  std::string data_identity;  // set by train_generator(): data::DataIdentity, or empty
  GeneratorMethod method = GeneratorMethod::kMerf;
  std::optional<Networks> networks;  // by default what fits the data
  std::int64_t width = 32;           // channels of the first convolution, or of the last
  std::int64_t latent_size = 16;     // autoencoder: as large as a sample
  Latent latent = Latent::kNormal;

  double target_epsilon = 10;
  std::optional<double> noise_multiplier;
  double delta = 1e-5;
  bool disable_dp = false;
  std::int64_t group_size = 1;  // records that one person has, at most; merf only

  // Of dp-GAN.
  std::int64_t batch_size = 256;
  std::int64_t steps = 6000;  // of the critic: how long the run would be at most
  double max_grad_norm = 1;
  double penalty = 10;  // λ
  std::int64_t critic_steps = 10;
  bool adaptive_critic_steps = false;
  CriticLoss critic_loss = CriticLoss::kWasserstein;
  double generator_rate = 1e-3;
  double critic_rate = 5e-4;
  double tolerance = 0;  // stop when the generator's gradient changes less than this; 0: never

  // Advanced dp-GAN.
  DataChoice public_data;
  std::int64_t groups = 5;
  std::int64_t warm_start_steps = 500;

  // Pre-training, as an auto-encoder and as a classifier.
  std::int64_t pretrain_epochs = 0;
  bool pretraining_is_not_private = false;

  // Of merf.
  std::int64_t fit_steps = 2000;
  std::int64_t fit_batch = 200;
  double fit_rate = 2e-3;

  // Show and write what is computed from private records without noise: the critic's losses.
  bool show_private = false;

  std::optional<std::uint64_t> seed;           // of the initial weights and latent vectors
  std::optional<std::uint64_t> insecure_seed;  // of everything: NOT PRIVATE

  // Parameters are clipped in groups, by public data.
  bool is_advanced() const { return method == GeneratorMethod::kAdvanced; }
};

}  // namespace sotto::settings
