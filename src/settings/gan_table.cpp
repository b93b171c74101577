#include "settings/gan_table.h"

namespace sotto::settings {
namespace {

using G = GanConfig;
using D = DataChoice;

bool is_merf(const G& config) { return config.method == GeneratorMethod::kMerf; }
bool is_dp_gan(const G& config) { return !is_merf(config); }
bool has_groups(const G& config) { return config.is_advanced(); }
bool has_public_data(const G& config) { return !config.public_data.dataset.empty(); }

template <auto parse, auto member>
constexpr Setting<G> of_data(const char* key, const char* flags, const char* help) {
  return value<G, parse, &G::data, member>(key, flags, help);
}

template <auto parse, auto member>
constexpr Setting<G> of_run(const char* key, const char* flags, const char* help) {
  return value<G, parse, member>(key, flags, help);
}

template <auto from_name, auto member>
constexpr Setting<G> choice_of(const char* key, const char* flags, const char* accepted,
                               const char* help) {
  return word<G, from_name, member>(key, flags, accepted, help);
}

template <auto parse, auto member>
constexpr Setting<G> of_merf(const char* key, const char* flags, const char* help) {
  return of_run<parse, member>(key, flags, help).only(is_merf, "--method merf");
}

template <auto parse, auto member>
constexpr Setting<G> of_dp_gan(const char* key, const char* flags, const char* help) {
  return of_run<parse, member>(key, flags, help).only(is_dp_gan, "--method basic or advanced");
}

template <auto parse, auto member>
constexpr Setting<G> of_groups(const char* key, const char* flags, const char* help) {
  return of_run<parse, member>(key, flags, help).only(has_groups, "--method advanced");
}

// Of the public data, which has no flag for most of what the file says.
template <auto parse, auto member>
constexpr Setting<G> recorded_public(const char* key) {
  return recorded<G, parse, &G::public_data, member>(key);
}

constexpr Setting<G> kGanTable[] = {
    of_data<dataset, &D::dataset>(
        "data.dataset", "--dataset",
        "mnist (default), fashion-mnist, cifar10, digits, csv:PATH, idx:DIR, images:DIR"),
    recorded<G, text, &G::data_identity>("data_identity").since_later(),
    recorded<G, text, &G::data, &D::schema_text>("data.schema_text").since_later(),
    of_data<existing_file, &D::csv_schema>("data.csv_schema", "--schema",
                                           "csv: JSON with columns and classes"),
    of_data<existing_file, &D::csv_test>(
        "data.csv_test", "--test-data|--test",
        "csv: file of PUBLIC test rows (default: about one private row in six is held out)"),
    of_data<nonnegative, &D::held_out_epsilon>(
        "data.held_out_epsilon", "--held-out-epsilon",
        "ε of the accuracy on held-out private records, for sotto gan evaluate (default: that of "
        "the training, which makes it free; 0: hold nothing out)")
        .since_later(),
    of_data<class_names, &D::class_names>(
        "data.class_names", "--class-names",
        "images: the classes' folders, a,b,c or @FILE with one per line (public)")
        .since_later(),
    of_data<count, &D::classes>("data.classes", "--classes", "idx: how many classes there are"),
    of_data<count, &D::image_size>("data.image_size", "--image-size",
                                   "images: side in pixels (default 28)"),
    of_data<count, &D::image_channels>("data.image_channels", "--image-channels|--channels",
                                       "images: 1 or 3 (default 1)"),

    choice_of<generator_method_from_name, &G::method>(
        "method", "--method", "merf, basic or advanced",
        "merf (default): fit to one private mean embedding; basic, advanced: dp-GAN"),
    choice_of<networks_from_name, &G::networks>(
        "networks", "--networks", "deconv, dcgan, autoencoder or mlp",
        "generator and critic (default deconv for images, mlp for tables)"),
    of_run<count, &G::width>("width", "--width", "channels of the networks (default 32)"),
    of_run<count, &G::latent_size>("latent_size", "--latent-size",
                                   "length of the latent vector (default 16)"),
    choice_of<latent_from_name, &G::latent>("latent", "--latent", "normal or uniform",
                                            "distribution of the latent vector (default normal)"),

    of_run<positive, &G::target_epsilon>("target_epsilon", "--target-epsilon",
                                         "largest ε (default 10); sets the noise"),
    of_run<noise, &G::noise_multiplier>("noise_multiplier", "-n,--noise-multiplier",
                                        "noise multiplier, instead of a target ε")
        .instead_of("--target-epsilon"),
    of_run<probability, &G::delta>("delta", "-d,--delta", "δ (default 1e-5)"),
    of_merf<group_size, &G::group_size>(
        "group_size", "--group-size",
        "merf: largest number of records of one person: ε is for all of them (default 1)")
        .since_later(),

    of_merf<count, &G::fit_steps>("fit_steps", "--fit-steps",
                                  "merf: steps of the generator (default 2000)"),
    of_merf<count, &G::fit_batch>("fit_batch", "--fit-batch",
                                  "merf: samples per step (default 200)"),
    of_merf<positive, &G::fit_rate>("fit_rate", "--fit-lr", "merf: learning rate (default 0.002)"),

    of_dp_gan<count, &G::batch_size>("batch_size", "-b,--batch-size",
                                     "dp-GAN: expected size of the critic's batches (default 256)"),
    of_dp_gan<count, &G::steps>("steps", "--steps",
                                "dp-GAN: steps of the critic at most (default 6000)"),
    of_dp_gan<norm, &G::max_grad_norm>("max_grad_norm", "-c,--max-grad-norm",
                                       "dp-GAN: clipping norm (default 1)"),
    of_dp_gan<nonnegative, &G::penalty>("penalty", "--gradient-penalty", "dp-GAN: λ (default 10)"),
    of_dp_gan<count, &G::critic_steps>("critic_steps", "--critic-steps",
                                       "dp-GAN: critic steps per generator step (default 10)")
        .instead_of("--adaptive-critic-steps"),
    choice_of<critic_loss_from_name, &G::critic_loss>(
        "critic_loss", "--critic-loss", "wasserstein or logistic",
        "dp-GAN: loss of the critic (default wasserstein)")
        .only(is_dp_gan, "--method basic or advanced"),
    of_dp_gan<positive, &G::generator_rate>(
        "generator_rate", "--lr-generator",
        "dp-GAN: learning rate of the generator (default 0.001)"),
    of_dp_gan<positive, &G::critic_rate>("critic_rate", "--lr-critic",
                                         "dp-GAN: learning rate of the critic (default 0.0005)"),
    of_dp_gan<nonnegative, &G::tolerance>("tolerance", "--tolerance",
                                          "dp-GAN without privacy: stop when the generator's "
                                          "gradient changes less (default 0: never)"),
    switched<G, &G::adaptive_critic_steps>("adaptive_critic_steps", "--adaptive-critic-steps",
                                           "dp-GAN: more critic steps once the critic falls behind")
        .only(is_dp_gan, "--method basic or advanced"),

    value<G, dataset, &G::public_data, &D::dataset>(
        "public_data.dataset", "--public-dataset",
        "advanced: data that may be looked at, of the same shape"),
    value<G, existing_file, &G::public_data, &D::csv_schema>(
        "public_data.csv_schema", "--public-schema", "csv: the public table's schema")
        .only(has_public_data, "--public-dataset"),
    recorded_public<existing_file, &D::csv_test>("public_data.csv_test"),
    recorded_public<nonnegative, &D::held_out_epsilon>("public_data.held_out_epsilon")
        .since_later(),
    recorded_public<class_names, &D::class_names>("public_data.class_names").since_later(),
    recorded_public<count, &D::classes>("public_data.classes"),
    recorded_public<count, &D::image_size>("public_data.image_size"),
    recorded_public<count, &D::image_channels>("public_data.image_channels"),
    of_groups<count, &G::groups>("groups", "-k,--groups",
                                 "advanced: groups of parameters (default 5)"),
    of_groups<count, &G::warm_start_steps>(
        "warm_start_steps", "--warm-start-steps",
        "advanced: generator steps on public data (default 500)"),
    of_run<count, &G::pretrain_epochs>(
        "pretrain_epochs", "--pretrain-epochs",
        "pre-train generator (auto-encoder) and critic (classifier) on public data"),
    switched<G, &G::pretraining_is_not_private>(
        "pretraining_is_not_private", "--i-know-pretraining-is-not-private",
        "pre-train on the private data: the run is NOT PRIVATE"),

    of_run<seed, &G::seed>("seed", "--seed",
                           "seed of initial weights and latent vectors (default: drawn)"),
    of_run<seed, &G::insecure_seed>("insecure_seed", "--insecure-seed",
                                    "seed of everything; the run is NOT PRIVATE"),
    switched<G, &G::disable_dp>("disable_dp", "--disable-dp", "train without privacy"),
    switched<G, &G::show_private>("show_private", "--show-private",
                                  "show the critic's losses, which ε does not cover")
        .since_later(),
};

}  // namespace

Table<GanConfig> gan_settings() { return kGanTable; }

}  // namespace sotto::settings
