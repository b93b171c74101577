#include "settings/gan_table.h"

#include "settings/table_conditions.h"

namespace sotto::settings {
namespace {

using G = GanConfig;
using D = DataChoice;

bool is_merf(const G& config) { return config.method == GeneratorMethod::kMerf; }
bool is_dp_gan(const G& config) { return !is_merf(config); }
bool is_private(const G& config) { return !config.disable_dp; }
bool is_private_merf(const G& config) { return is_merf(config) && is_private(config); }
bool is_private_basic(const G& config) {
  return config.method == GeneratorMethod::kBasic && is_private(config);
}
bool is_advanced(const G& config) { return config.is_advanced(); }
bool has_groups(const G& config) { return is_advanced(config) && is_private(config); }
bool has_public_data(const G& config) { return !config.public_data.dataset.empty(); }
bool uses_public_data(const G& config) {
  return is_advanced(config) || (is_dp_gan(config) && config.pretrain_epochs > 0);
}
bool has_public_table(const G& config) { return is_table(config.public_data.dataset); }
bool pretrains_on_private_data(const G& config) {
  return config.pretrain_epochs > 0 && !has_public_data(config);
}
bool is_of_table(const G& config) { return is_table(config.data.dataset); }
bool is_of_idx(const G& config) { return is_idx(config.data.dataset); }
// Public pictures have the same size and classes.
bool has_images(const G& config) {
  return is_image_folder(config.data.dataset) || is_image_folder(config.public_data.dataset);
}
bool may_release_held_out(const G& config) {
  return is_private(config) && may_hold_out(config.data.dataset);
}
// Of convolutions: rows of a table have none.
bool has_width(const G& config) {
  const auto networks = config.networks.value_or(Networks::kDeconv);
  const bool convolutions = networks == Networks::kDeconv || networks == Networks::kDcgan;
  return convolutions && !is_of_table(config);
}
bool has_latent_size(const G& config) { return config.networks != Networks::kAutoencoder; }

std::string dataset_of(const G& config) { return config.data.dataset; }

template <auto parse, auto member>
constexpr Setting<G> of_gan_data(const char* key, const char* flags, const char* help) {
  return value<G, parse, &G::data, member>(key, flags, help);
}

// Of data of one kind.
template <auto parse, auto member>
constexpr Setting<G> of_kind(bool (*is_kind)(const G&), const char* kind, const char* key,
                             const char* flags, const char* help) {
  return of_gan_data<parse, member>(key, flags, help).only(is_kind, kind, dataset_of);
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

// Nothing reads it without privacy.
template <auto parse, auto member>
constexpr Setting<G> of_private_gan(const char* key, const char* flags, const char* help) {
  return of_run<parse, member>(key, flags, help).only(is_private, kWithPrivacy);
}

template <auto parse, auto member>
constexpr Setting<G> of_merf(const char* key, const char* flags, const char* help) {
  return of_run<parse, member>(key, flags, help).only(is_merf, "--method merf");
}

template <auto parse, auto member>
constexpr Setting<G> of_dp_gan(const char* key, const char* flags, const char* help) {
  return of_run<parse, member>(key, flags, help).only(is_dp_gan, "--method basic or advanced");
}

// Of the public data, which has no flag for most of what the file says.
template <auto parse, auto member>
constexpr Setting<G> recorded_public(const char* key) {
  return recorded<G, parse, &G::public_data, member>(key);
}

constexpr Setting<G> kGanTable[] = {
    of_gan_data<dataset, &D::dataset>(
        "data.dataset", "--dataset",
        "mnist (default), fashion-mnist, cifar10, digits, csv:PATH, idx:DIR, images:DIR"),
    recorded<G, text, &G::data_identity>("data_identity").since_later(),
    recorded<G, text, &G::data, &D::schema_text>("data.schema_text").since_later(),
    of_kind<existing_file, &D::csv_schema>(is_of_table, kWithTable, "data.csv_schema", "--schema",
                                           "csv: JSON with columns and classes"),
    of_kind<existing_file, &D::csv_test>(
        is_of_table, kWithTable, "data.csv_test", "--test-data|--test",
        "csv: file of PUBLIC test rows (default: about one private row in six is held out)"),
    of_gan_data<nonnegative, &D::held_out_epsilon>(
        "data.held_out_epsilon", "--held-out-epsilon",
        "ε of the accuracy on held-out private records, for sotto gan evaluate (default: that of "
        "the training, which makes it free; 0: hold nothing out)")
        .only(may_release_held_out, kWithHeldOut)
        .since_later(),
    of_kind<class_names, &D::class_names>(
        has_images, kWithImages, "data.class_names", "--class-names",
        "images: the classes' folders, a,b,c or @FILE with one per line (public)")
        .since_later(),
    of_kind<count, &D::classes>(is_of_idx, kWithIdx, "data.classes", "--classes",
                                "idx: how many classes there are"),
    of_kind<count, &D::image_size>(has_images, kWithImages, "data.image_size", "--image-size",
                                   "images: side in pixels (default 28)"),
    of_kind<count, &D::image_channels>(has_images, kWithImages, "data.image_channels",
                                       "--image-channels|--channels", "images: 1 or 3 (default 1)"),

    choice_of<generator_method_from_name, &G::method>(
        "method", "--method", "merf, basic or advanced",
        "merf (default): fit to one private mean embedding; basic, advanced: dp-GAN"),
    choice_of<networks_from_name, &G::networks>(
        "networks", "--networks", "deconv, dcgan, autoencoder or mlp",
        "generator and critic (default deconv for images, mlp for tables)"),
    of_run<count, &G::width>("width", "--width", "channels of the networks (default 32)")
        .only(has_width, "--networks deconv or dcgan, for pictures"),
    of_run<count, &G::latent_size>("latent_size", "--latent-size",
                                   "length of the latent vector (default 16)")
        .only(has_latent_size, "--networks deconv, dcgan or mlp"),
    choice_of<latent_from_name, &G::latent>("latent", "--latent", "normal or uniform",
                                            "distribution of the latent vector (default normal)"),

    of_private_gan<positive, &G::target_epsilon>("target_epsilon", "--target-epsilon",
                                                 "largest ε (default 10); sets the noise"),
    of_private_gan<noise, &G::noise_multiplier>("noise_multiplier", "-n,--noise-multiplier",
                                                "noise multiplier, instead of a target ε")
        .instead_of("--target-epsilon"),
    of_private_gan<probability, &G::delta>("delta", "-d,--delta", "δ (default 1e-5)"),
    of_merf<group_size, &G::group_size>(
        "group_size", "--group-size",
        "merf: largest number of records of one person: ε is for all of them (default 1)")
        .only(is_private_merf, "--method merf and privacy")
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
                                       "dp-GAN: clipping norm (default 1)")
        .only(is_private_basic, "--method basic and privacy"),
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
        "advanced: data that may be looked at, of the same shape")
        .only(uses_public_data, "--method advanced, or --method basic and --pretrain-epochs"),
    value<G, existing_file, &G::public_data, &D::csv_schema>(
        "public_data.csv_schema", "--public-schema", "csv: the public table's schema")
        .only(has_public_table, "--public-dataset csv:PATH"),
    recorded_public<existing_file, &D::csv_test>("public_data.csv_test"),
    recorded_public<nonnegative, &D::held_out_epsilon>("public_data.held_out_epsilon")
        .since_later(),
    recorded_public<class_names, &D::class_names>("public_data.class_names").since_later(),
    recorded_public<count, &D::classes>("public_data.classes"),
    recorded_public<count, &D::image_size>("public_data.image_size"),
    recorded_public<count, &D::image_channels>("public_data.image_channels"),
    of_run<count, &G::groups>("groups", "-k,--groups", "advanced: groups of parameters (default 5)")
        .only(has_groups, "--method advanced and privacy"),
    of_run<count, &G::warm_start_steps>("warm_start_steps", "--warm-start-steps",
                                        "advanced: generator steps on public data (default 500)")
        .only(is_advanced, "--method advanced"),
    of_run<count, &G::pretrain_epochs>(
        "pretrain_epochs", "--pretrain-epochs",
        "pre-train generator (auto-encoder) and critic (classifier) on public data"),
    switched<G, &G::pretraining_is_not_private>(
        "pretraining_is_not_private", "--i-know-pretraining-is-not-private",
        "pre-train on the private data: the run is NOT PRIVATE")
        .only(pretrains_on_private_data, "--pretrain-epochs, and without --public-dataset"),

    of_run<seed, &G::seed>("seed", "--seed",
                           "seed of initial weights and latent vectors (default: drawn)")
        .instead_of("--insecure-seed"),
    of_run<seed, &G::insecure_seed>("insecure_seed", "--insecure-seed",
                                    "seed of everything; the run is NOT PRIVATE"),
    switched<G, &G::disable_dp>("disable_dp", "--disable-dp", "train without privacy"),
    switched<G, &G::show_private>("show_private", "--show-private",
                                  "show the critic's losses, which ε does not cover")
        .only(is_dp_gan, "--method basic or advanced")
        .since_later(),
};

}  // namespace

Table<GanConfig> gan_settings() { return kGanTable; }

}  // namespace sotto::settings
