#include "settings/training_table.h"

#include "settings/model_names.h"
#include "settings/table_conditions.h"

namespace sotto::settings {
namespace {

using C = TrainingConfig;
using L = CliplessConfig;

bool is_clipless(const C& config) { return config.method == TrainingMethod::kClipless; }
bool is_vgg16(const C& config) { return config.model == "vgg16"; }
bool is_private(const C& config) { return !config.disable_dp; }
bool is_private_and_clipless(const C& config) { return is_private(config) && is_clipless(config); }
bool is_of_table(const C& config) { return is_table(config.dataset); }
bool is_of_idx(const C& config) { return is_idx(config.dataset); }
bool is_of_images(const C& config) { return is_image_folder(config.dataset); }
bool may_release_held_out(const C& config) {
  return is_private(config) && may_hold_out(config.dataset);
}
// Without sampling a batch is all records.
bool has_batches(const C& config) {
  return config.disable_dp || config.sampling != accounting::Sampling::kNone;
}
bool has_temperature(const C& config) {
  return is_clipless(config) && config.clipless.loss == LossKind::kCrossEntropy;
}
bool has_margin(const C& config) {
  const auto loss = config.clipless.loss;
  return is_clipless(config) && (loss == LossKind::kMulticlassHinge || loss == LossKind::kHkr);
}

std::string dataset_of(const C& config) { return config.dataset; }

template <auto parse, auto... path>
constexpr Setting<C> field(const char* key, const char* flags, const char* help) {
  return value<C, parse, path...>(key, flags, help);
}

template <auto from_name, auto... path>
constexpr Setting<C> choice(const char* key, const char* flags, const char* accepted,
                            const char* help) {
  return word<C, from_name, path...>(key, flags, accepted, help);
}

// Of data of one kind.
template <auto parse, auto... path>
constexpr Setting<C> of_data(bool (*of_kind)(const C&), const char* kind, const char* key,
                             const char* flags, const char* help) {
  return value<C, parse, path...>(key, flags, help).only(of_kind, kind, dataset_of);
}

// Nothing reads it without privacy.
template <auto parse, auto... path>
constexpr Setting<C> of_privacy(const char* key, const char* flags, const char* help) {
  return value<C, parse, path...>(key, flags, help).only(is_private, kWithPrivacy);
}

// Of clipless training.
template <auto parse, auto member>
constexpr Setting<C> bounded(const char* key, const char* flags, const char* help) {
  return value<C, parse, &C::clipless, member>(key, flags, help)
      .only(is_clipless, "--method clipless")
      .since_later();
}

constexpr const char* kClassLosses = "cross-entropy, multiclass-hinge, mae, cosine, kr or hkr";

// Networks of the program have a score per class.
void read_loss(const std::string& text, C& config) {
  const auto kind = loss_from_name(text);
  if (is_of_one_score(kind)) {
    throw NotAccepted(std::string(kClassLosses) +
                      " (losses of a single score are for the library)");
  }
  config.clipless.loss = kind;
}

void read_recipe(const std::string& text, C& config) {
  config.recipe.reset();
  if (text != "auto") config.recipe = recipe_from_name(text);
}

void read_image_factor(const std::string& text, C& config) {
  config.image_size = image_size_by_factor(text);
}

constexpr Setting<C> kTable[] = {
    field<dataset, &C::dataset>(
        "dataset", "--dataset",
        "fashion-mnist (default), mnist, cifar10, digits, csv:PATH, idx:DIR, images:DIR"),
    recorded<C, text, &C::data_identity>("data_identity").since_later(),
    recorded<C, text, &C::schema_text>("schema_text").since_later(),
    of_data<existing_file, &C::csv_schema>(
        is_of_table, kWithTable, "csv_schema", "--schema",
        "csv: JSON file that says what is public about the columns"),
    of_data<existing_file, &C::csv_test>(
        is_of_table, kWithTable, "csv_test", "--test-data|--test",
        "csv: file of PUBLIC test rows (default: about one private row in six is held out)"),
    field<nonnegative, &C::held_out_epsilon>(
        "held_out_epsilon", "--held-out-epsilon",
        "ε of the accuracy on held-out private records (default: that of the training, which makes "
        "it free; 0: hold nothing out)")
        .only(may_release_held_out, kWithHeldOut)
        .since_later(),
    of_data<class_names, &C::class_names>(
        is_of_images, kWithImages, "class_names", "--class-names",
        "images: the classes' folders, a,b,c or @FILE with one per line (public)")
        .since_later(),
    of_data<count, &C::classes>(is_of_idx, kWithIdx, "classes", "--classes",
                                "idx: how many classes there are (public)"),
    of_data<count, &C::image_size>(is_of_images, kWithImages, "image_size", "--image-size",
                                   "images: height and width (default 28)"),
    of_data<count, &C::image_channels>(is_of_images, kWithImages, "image_channels",
                                       "--image-channels|--channels", "images: 1 or 3 (default 1)"),
    spelling<C>("--image-factor", kPlaceholder<image_size_by_factor>,
                "images: 1, 2 or 4: 224, 112 or 56 pixels (vgg16: default 1)", read_image_factor)
        .only(is_of_images, kWithImages, dataset_of)
        .instead_of("--image-size"),

    choice<training_method_from_name, &C::method>(
        "method", "--method", "dp-sgd or clipless",
        "dp-sgd (default): gradients are clipped; clipless: the network bounds them")
        .since_later(),
    choice<recipe_from_name, &C::recipe>(
        "recipe", "--recipe", "auto, scatter or seed",
        "where defaults come from (default auto: the best known for data and ε)")
        .written(read_recipe)
        .since_later(),
    field<model_name, &C::model>(
        "model", "--model",
        "scatter-linear (default for fashion-mnist and mnist), cnn (for other images), softmax "
        "(for "
        "tables), scatter-cnn, mlp, cnn-tanh, convnet, resnet20, vgg16; clipless: lip-mlp "
        "(default), lip-cnn, lip-resnet"),
    field<count, &C::hidden_units>("hidden_units", "--hidden-units",
                                   "vgg16: units in the new classifier (default 512)")
        .only(is_vgg16, "--model vgg16")
        .since_later(),
    field<count, &C::batch_size>(
        "batch_size", "-b,--batch-size",
        "expected size of a batch (default by the recipe: see --explain-recipe; recipe seed 1024, "
        "less for fewer than 4096 records; clipless 2500, less for fewer than 10000; without "
        "privacy 128, less for fewer than 512)")
        .only(has_batches, "--sampling poisson, fixed-size or shuffled"),
    field<count, &C::epochs>(
        "epochs", "-e,--epochs",
        "expected passes over the data (default by the recipe; recipe seed 10, "
        "clipless 25; softmax on a table without privacy 30)"),
    field<positive, &C::learning_rate>(
        "learning_rate", "--learning-rate,--lr",
        "learning rate (default by the recipe, or as suits method, data and optimizer)"),
    choice<optimizer_from_name, &C::optimizer>("optimizer", "--optimizer",
                                               "sgd, momentum, adam, adamw or rmsprop",
                                               "optimizer (default momentum)"),
    field<nonnegative, &C::weight_decay>("weight_decay", "--weight-decay",
                                         "weight decay (default 0)"),
    field<share, &C::average>(
        "average", "--average",
        "weight of the old average in each step, 0 to 1 (default 0.98 with privacy)"),
    field<existing_file, &C::weights>(
        "weights", "--weights", "start from these: safetensors, a Python state_dict, model.pt"),
    choice<model_export_from_name, &C::model_export>(
        "export", "--export", "safetensors or none",
        "safetensors: write the weights to model.safetensors too, with the statement (default "
        "none)")
        .since_later(),
    values<C, &C::freeze>("freeze", "--freeze",
                          "parameters not to train, e.g. 'conv*' (repeatable)"),

    switched<C, &C::disable_dp>("disable_dp", "--disable-dp", "train without privacy"),
    of_privacy<positive, &C::target_epsilon>("target_epsilon", "--target-epsilon",
                                             "largest ε (default 3); sets the noise"),
    of_privacy<noise, &C::noise_multiplier>("noise_multiplier", "-n,--noise-multiplier",
                                            "noise multiplier, instead of a target ε")
        .instead_of("--target-epsilon"),
    of_privacy<probability, &C::delta>("delta", "-d,--delta", "δ (default 1e-5)"),
    of_privacy<norm, &C::max_grad_norm>(
        "max_grad_norm", "-c,--max-grad-norm",
        "clipping norm of a sample (default 1; tables 3); clipless: of the gradient of its loss "
        "(default 0.1)"),
    choice<clipping_from_name, &C::clipping>(
        "clipping", "--clipping", "flat, per-layer, automatic, adaptive or laplace",
        "how the bound is chosen (default flat; clipless: flat, adaptive or laplace)")
        .only(is_private, kWithPrivacy),
    choice<accounting::sampling_from_name, &C::sampling>(
        "sampling", "--sampling", "one of poisson, fixed-size, shuffled, none",
        "how batches are drawn (default poisson)")
        .only(is_private, kWithPrivacy),
    choice<accounting::adjacency_from_name, &C::adjacency>(
        "relation", "--adjacency", "one of add-remove, replace-one, zero-out",
        "which data sets count as neighbours (default zero-out; replace-one for fixed-size)")
        .only(is_private, kWithPrivacy),
    of_privacy<group_size, &C::group_size>(
        "group_size", "--group-size",
        "largest number of records of one person: ε is for all of them (default 1)")
        .since_later(),

    bounded<loss_from_name, &L::loss>("clipless.loss", "--loss",
                                      "clipless: loss (default multiclass-hinge)")
        .among(kClassLosses)
        .written(read_loss),
    bounded<positive, &L::temperature>(
        "clipless.temperature", "--temperature",
        "clipless: scores are multiplied by it before the cross-entropy (default 5)")
        .only(has_temperature, "--method clipless and --loss cross-entropy"),
    bounded<positive, &L::margin>("clipless.margin", "--margin",
                                  "clipless: margin of hinge losses (default 1)")
        .only(has_margin, "--method clipless and --loss multiclass-hinge or hkr"),
    bounded<positive, &L::input_bound>(
        "clipless.input_bound", "--input-bound",
        "clipless: samples of a larger norm are scaled down to it (default: by their shape)"),
    bounded<noise_strategy_from_name, &L::noise_strategy>(
        "clipless.noise_strategy", "--noise-strategy",
        "clipless: one noise for all parameters, or one for each layer (default global)")
        .only(is_private_and_clipless, "--method clipless and privacy")
        .among("global or per-layer"),

    choice<gradient_path_from_name, &C::gradients>(
        "gradients", "--gradients", "auto, fused or graph",
        "how gradients are computed (default auto: fused, which is faster, where it can be)")
        .since_later(),
    of_privacy<count, &C::max_physical_batch_size>(
        "physical_batch", "--max-physical-batch-size|--physical-batch",
        "number of samples that go through the model at once (default: "
        "all of a batch)"),
    of_privacy<bytes, &C::memory_limit>(
        "memory_limit", "--memory-limit",
        "memory for the whole process, e.g. 2GiB: chooses --max-physical-batch-size")
        .since_later(),
    field<seed, &C::seed>("seed", "--seed", "seed of the initial weights (default: drawn)")
        .instead_of("--insecure-seed"),
    field<seed, &C::insecure_seed>("insecure_seed", "--insecure-seed",
                                   "seed of everything; the run is NOT PRIVATE"),
    switched<C, &C::one_of_several>(
        "one_of_several", "--one-of-several",
        "say in the statement that choosing this run among others on the same data costs more")
        .since_later(),
    switched<C, &C::show_norms>(
        "show_norms", "--show-norms",
        "show gradient norms, clipped samples and batch sizes, which ε does not cover")
        .only(is_private, kWithPrivacy)
        .since_later(),
    switched<C, &C::show_private>(
        "show_private", "--show-private",
        "show training losses and exact results on held-out records, which ε does not cover")
        .since_later(),
};

}  // namespace

Table<TrainingConfig> training_settings() { return kTable; }

}  // namespace sotto::settings
