#include "cli/gan_settings.h"

#include <iterator>

#include "cli/training_flags.h"
#include "cli/value_list.h"

namespace sotto::cli {
namespace {

using gan::GanConfig;

gan::Method gan_method_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, gan::method_from_name, "merf, basic or advanced");
}

gan::Networks networks_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, gan::networks_from_name, "deconv, dcgan, autoencoder or mlp");
}

gan::Latent latent_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, gan::latent_from_name, "normal or uniform");
}

gan::CriticLoss critic_loss_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, gan::critic_loss_from_name, "wasserstein or logistic");
}

using SetGan = void (*)(const std::string& flag, const std::string& text, GanConfig& config);

template <auto member, auto parse>
void put(const std::string& flag, const std::string& text, GanConfig& config) {
  config.*member = parse(flag, text);
}

template <auto member, auto parse>
void put_data(const std::string& flag, const std::string& text, GanConfig& config) {
  config.data.*member = parse(flag, text);
}

template <auto member, auto parse>
void put_public(const std::string& flag, const std::string& text, GanConfig& config) {
  config.public_data.*member = parse(flag, text);
}

using G = GanConfig;
using D = gan::DataChoice;

struct GanSetting {
  const char* names;
  SetGan set;
  const char* help;
};

constexpr GanSetting kGanSettings[] = {
    {"--dataset", put_data<&D::dataset, dataset_flag>,
     "mnist (default), fashion-mnist, cifar10, digits, csv:PATH, idx:DIR, images:DIR"},
    {"--schema", put_data<&D::csv_schema, file_flag>, "csv: JSON with columns and classes"},
    {"--test-data,--test", put_data<&D::csv_test, file_flag>,
     "csv: file of PUBLIC test rows (default: about one private row in six is held out)"},
    {"--held-out-epsilon", put_data<&D::held_out_epsilon, nonnegative_flag>,
     "ε of the accuracy on held-out private records, for sotto gan evaluate (default: that of the "
     "training, which makes it free; 0: hold nothing out)"},
    {"--class-names", put_data<&D::class_names, class_names_flag>,
     "images: the classes' folders, a,b,c or @FILE with one per line (public)"},
    {"--classes", put_data<&D::classes, count_flag>, "idx: how many classes there are"},
    {"--image-size", put_data<&D::image_size, count_flag>, "images: side in pixels (default 28)"},
    {"--image-channels,--channels", put_data<&D::image_channels, count_flag>,
     "images: 1 or 3 (default 1)"},

    {"--method", put<&G::method, gan_method_flag>,
     "merf (default): fit to one private mean embedding; basic, advanced: dp-GAN"},
    {"--networks", put<&G::networks, networks_flag>,
     "deconv (default for images), dcgan, autoencoder, mlp (default for tables)"},
    {"--width", put<&G::width, count_flag>, "channels of the networks (default 32)"},
    {"--latent-size", put<&G::latent_size, count_flag>, "length of the latent vector (default 16)"},
    {"--latent", put<&G::latent, latent_flag>, "normal (default), uniform"},

    {"--target-epsilon", put<&G::target_epsilon, positive_flag>,
     "largest ε (default 10); sets the noise"},
    {"-n,--noise-multiplier", put<&G::noise_multiplier, noise_flag>, "noise, instead of a target"},
    {"-d,--delta", put<&G::delta, probability_flag>, "δ (default 1e-5)"},

    {"--fit-steps", put<&G::fit_steps, count_flag>, "merf: steps of the generator (default 2000)"},
    {"--fit-batch", put<&G::fit_batch, count_flag>, "merf: samples per step (default 200)"},
    {"--fit-lr", put<&G::fit_rate, positive_flag>, "merf: learning rate (default 0.002)"},

    {"-b,--batch-size", put<&G::batch_size, count_flag>,
     "dp-GAN: expected size of the critic's batches (default 256)"},
    {"--steps", put<&G::steps, count_flag>, "dp-GAN: steps of the critic at most (default 6000)"},
    {"-c,--max-grad-norm", put<&G::max_grad_norm, norm_flag>, "dp-GAN: clipping norm (default 1)"},
    {"--gradient-penalty", put<&G::penalty, nonnegative_flag>, "dp-GAN: λ (default 10)"},
    {"--critic-steps", put<&G::critic_steps, count_flag>,
     "dp-GAN: critic steps per generator step (default 10)"},
    {"--critic-loss", put<&G::critic_loss, critic_loss_flag>,
     "dp-GAN: wasserstein (default), logistic"},
    {"--lr-generator", put<&G::generator_rate, positive_flag>, "dp-GAN: default 0.001"},
    {"--lr-critic", put<&G::critic_rate, positive_flag>, "dp-GAN: default 0.0005"},
    {"--tolerance", put<&G::tolerance, nonnegative_flag>,
     "dp-GAN: stop when the generator's gradient changes less (default 0: never)"},

    {"--public-dataset", put_public<&D::dataset, dataset_flag>,
     "advanced: data that may be looked at, of the same shape"},
    {"--public-schema", put_public<&D::csv_schema, file_flag>, "csv: the public table's schema"},
    {"-k,--groups", put<&G::groups, count_flag>, "advanced: groups of parameters (default 5)"},
    {"--warm-start-steps", put<&G::warm_start_steps, count_flag>,
     "advanced: generator steps on public data (default 500)"},
    {"--pretrain-epochs", put<&G::pretrain_epochs, count_flag>,
     "pre-train generator (auto-encoder) and critic (classifier) on public data"},

    {"--seed", put<&G::seed, seed_flag>, "seed of initial weights and latent vectors"},
    {"--insecure-seed", put<&G::insecure_seed, seed_flag>,
     "seed of everything; the run is NOT PRIVATE"},
};

}  // namespace

void GanSettings::declare(FlagSet& app) {
  texts_.resize(std::size(kGanSettings));
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    app.add_option(kGanSettings[i].names, texts_[i], kGanSettings[i].help);
  }
}

void GanSettings::apply(GanConfig& config) const {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (texts_[i]) kGanSettings[i].set(long_name(kGanSettings[i].names), *texts_[i], config);
  }
}

}  // namespace sotto::cli
