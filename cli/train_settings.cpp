#include "cli/train_settings.h"

#include <iterator>

#include "cli/byte_count.h"
#include "cli/training_flags.h"
#include "cli/value_list.h"

namespace sotto::cli {
namespace {

using train::TrainingConfig;

std::string text_flag(const std::string& /*flag*/, const std::string& text) { return text; }

train::OptimizerKind optimizer_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, train::optimizer_from_name,
                    "sgd, momentum, adam, adamw or rmsprop");
}

Clipping clipping_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, clipping_from_name,
                    "flat, per-layer, automatic, adaptive or laplace");
}

train::GradientPath gradients_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, train::gradient_path_from_name, "auto, fused or graph");
}

train::Method method_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, train::method_from_name, "dp-sgd or clipless");
}

lipschitz::LossKind loss_flag(const std::string& flag, const std::string& text) {
  constexpr const char* kAccepted = "cross-entropy, multiclass-hinge, mae, cosine, kr or hkr";
  const auto kind = named_flag(flag, text, lipschitz::loss_from_name, kAccepted);
  if (kind == lipschitz::LossKind::kHinge || kind == lipschitz::LossKind::kBinaryCrossEntropy) {
    throw UsageError(flag + " '" + text + "': expected " + kAccepted +
                     " (losses of a single score are for the library)");
  }
  return kind;
}

NoiseStrategy noise_strategy_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, noise_strategy_from_name, "global or per-layer");
}

double average_flag(const std::string& flag, const std::string& text) {
  return number_flag(flag, text, {0, true, 1, false, "a number, 0 or above and below 1"});
}

// ImageNet's 224 pixels, or a half or a quarter of them.
std::int64_t image_factor_flag(const std::string& flag, const std::string& text) {
  const auto factor = count_flag(flag, text);
  if (factor == 1 || factor == 2 || factor == 4) return 224 / factor;
  throw UsageError(flag + " '" + text + "': expected 1, 2 or 4");
}

// A flag whose value goes into the configuration.
struct Setting {
  const char* names;  // as FlagSet takes them
  void (*set)(const std::string& flag, const std::string& text, TrainingConfig& config);
  const char* help;
};

template <auto member, auto parse>
void set(const std::string& flag, const std::string& text, TrainingConfig& config) {
  config.*member = parse(flag, text);
}

template <auto member, auto parse>
void set_clipless(const std::string& flag, const std::string& text, TrainingConfig& config) {
  config.clipless.*member = parse(flag, text);
}

using C = TrainingConfig;
using L = train::CliplessConfig;
constexpr Setting kSettings[] = {
    {"--dataset", set<&C::dataset, dataset_flag>,
     "fashion-mnist (default), mnist, cifar10, digits, csv:PATH, idx:DIR, images:DIR"},
    {"--schema", set<&C::csv_schema, file_flag>,
     "csv: JSON file that says what is public about the columns"},
    {"--test-data", set<&C::csv_test, file_flag>,
     "csv: file of PUBLIC test rows (default: about one private row in six is held out)"},
    {"--held-out-epsilon", set<&C::held_out_epsilon, nonnegative_flag>,
     "ε of the accuracy on held-out private records (default: that of the training, which makes it "
     "free; 0: hold nothing out)"},
    {"--class-names", set<&C::class_names, class_names_flag>,
     "images: the classes' folders, a,b,c or @FILE with one per line (public)"},
    {"--classes", set<&C::classes, count_flag>, "idx: how many classes there are (public)"},
    {"--image-size", set<&C::image_size, count_flag>, "images: height and width (default 28)"},
    {"--image-channels", set<&C::image_channels, count_flag>, "images: 1 or 3 (default 1)"},
    {"--image-factor", set<&C::image_size, image_factor_flag>,
     "images: 1, 2 or 4: 224, 112 or 56 pixels (vgg16: default 1)"},

    {"--method", set<&C::method, method_flag>,
     "dp-sgd (default): gradients are clipped; clipless: the network bounds them"},
    {"--model", set<&C::model, text_flag>,
     "cnn (default), cnn-tanh, convnet, mlp, resnet20, softmax, vgg16; clipless: lip-mlp "
     "(default), "
     "lip-cnn, lip-resnet"},
    {"--hidden-units", set<&C::hidden_units, count_flag>,
     "vgg16: units in the new classifier (default 512)"},
    {"-b,--batch-size", set<&C::batch_size, count_flag>,
     "expected size of a batch (default 1024; clipless 2500)"},
    {"-e,--epochs", set<&C::epochs, count_flag>,
     "expected passes over the data (default 10; clipless 25)"},
    {"--lr,--learning-rate", set<&C::learning_rate, positive_flag>,
     "learning rate (default 0.5; clipless 0.3)"},
    {"--optimizer", set<&C::optimizer, optimizer_flag>,
     "momentum (default), sgd, adam, adamw, rmsprop"},
    {"--weight-decay", set<&C::weight_decay, nonnegative_flag>, "default 0"},
    {"--average", set<&C::average, average_flag>,
     "weight of the old average in each step, 0 to 1 (default 0.98 with privacy)"},
    {"--weights", set<&C::weights, file_flag>,
     "start from these: model.pt, or a Python state_dict"},

    {"--target-epsilon", set<&C::target_epsilon, positive_flag>,
     "largest ε (default 3); sets the noise"},
    {"-n,--noise-multiplier", set<&C::noise_multiplier, noise_flag>, "noise, instead of a target"},
    {"-d,--delta", set<&C::delta, probability_flag>, "δ (default 1e-5)"},
    {"-c,--max-grad-norm", set<&C::max_grad_norm, norm_flag>,
     "clipping norm of a sample (default 1); clipless: of the gradient of its loss (default 0.1)"},
    {"--clipping", set<&C::clipping, clipping_flag>,
     "flat (default), per-layer, automatic, adaptive; clipless: flat, adaptive, laplace"},
    {"--sampling", set<&C::sampling, sampling_flag>,
     "poisson (default), fixed-size, shuffled, none"},
    {"--adjacency", set<&C::relation, relation_flag>,
     "add-remove, replace-one or zero-out (default: zero-out; replace-one for fixed-size)"},

    {"--loss", set_clipless<&L::loss, loss_flag>,
     "clipless: multiclass-hinge (default), cross-entropy, mae, cosine, kr, hkr"},
    {"--temperature", set_clipless<&L::temperature, positive_flag>,
     "clipless: scores are multiplied by it before the cross-entropy (default 5)"},
    {"--margin", set_clipless<&L::margin, positive_flag>,
     "clipless: margin of hinge losses (default 1)"},
    {"--input-bound", set_clipless<&L::input_bound, positive_flag>,
     "clipless: samples of a larger norm are scaled down to it (default: by their shape)"},
    {"--noise-strategy", set_clipless<&L::noise_strategy, noise_strategy_flag>,
     "clipless: global (default), per-layer"},

    {"--gradients", set<&C::gradients, gradients_flag>,
     "how gradients are computed: auto (default), fused (faster), graph"},
    {"--physical-batch", set<&C::physical_batch, count_flag>,
     "number of samples that go through the model at once"},
    {"--memory-limit", set<&C::memory_limit, bytes_flag>,
     "memory for the whole process, e.g. 2GiB: chooses --physical-batch"},
    {"--seed", set<&C::seed, seed_flag>, "seed of the initial weights"},
    {"--insecure-seed", set<&C::insecure_seed, seed_flag>,
     "seed of everything; the run is NOT PRIVATE"},
};

}  // namespace

void TrainSettings::declare(FlagSet& app) {
  texts_.resize(std::size(kSettings));
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    app.add_option(kSettings[i].names, texts_[i], kSettings[i].help);
  }
}

void TrainSettings::apply(TrainingConfig& config) const {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (texts_[i]) kSettings[i].set(long_name(kSettings[i].names), *texts_[i], config);
  }
}

}  // namespace sotto::cli
