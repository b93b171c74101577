// All settings of a training run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/accounting/guarantee.h"
#include "sotto/accounting/training_run.h"
#include "sotto/plan/clipping.h"
#include "sotto/plan/plan.h"

namespace sotto::settings {

// The losses that clipless training knows: their gradients with respect to scores are bounded.
enum class LossKind : std::uint8_t {
  kCrossEntropy,        // CE(τz, y)/τ
  kBinaryCrossEntropy,  // of one score: BCE(τz, y)/τ
  kHinge,               // of one score: max(0, margin - yz), y = ±1
  kMulticlassHinge,     // max over other classes j of max(0, margin - (z_y - z_j))
  kMeanAbsoluteError,   // mean over classes of |z - onehot(y)|
  kCosine,              // -z_y / max(K, ‖z‖)
  kKr,                  // mean of the other classes' scores - z_y
  kHkr,                 // kKr + α · kMulticlassHinge
};

// "cross-entropy", "binary-cross-entropy", "hinge", "multiclass-hinge", "mae", "cosine", "kr",
// "hkr".
std::string_view to_string(LossKind kind);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
LossKind loss_from_name(std::string_view text);

// Of one score, not one per class.
bool is_of_one_score(LossKind kind);

enum class OptimizerKind { kSgd, kMomentum, kAdam, kAdamW, kRmsprop };

// "sgd", "momentum", "adam", "adamw" or "rmsprop".
std::string_view to_string(OptimizerKind kind);
OptimizerKind optimizer_from_name(std::string_view text);

// How gradients are computed; the result is the same up to rounding.
enum class GradientPath : std::uint8_t {
  kAuto,   // fused where every layer has a fused kernel, else graph
  kFused,  // refused where a layer has none
  kGraph,  // by LibTorch's autograd
};
std::string_view to_string(GradientPath path);
GradientPath gradient_path_from_name(std::string_view text);

// How a record's gradient is bounded.
enum class TrainingMethod : std::uint8_t {
  kDpSgd,     // clipped, sample by sample
  kClipless,  // by the network: Lipschitz layers, nothing to clip
};
// "dp-sgd" or "clipless".
std::string_view to_string(TrainingMethod method);
TrainingMethod training_method_from_name(std::string_view text);

// A second copy of the trained weights, for programs that read no TorchScript.
enum class ModelExport : std::uint8_t { kNone, kSafetensors };
// "none" or "safetensors".
std::string_view to_string(ModelExport format);
ModelExport model_export_from_name(std::string_view text);

// Settings that go together by default.
enum class Recipe : std::uint8_t {
  kScatter,  // one layer on scattering features, by ε
  kSeed,     // a small network on pixels, one layer on columns
};
// "scatter" or "seed".
std::string_view to_string(Recipe recipe);
Recipe recipe_from_name(std::string_view text);

// Clipless training only.
struct CliplessConfig {
  LossKind loss = LossKind::kMulticlassHinge;
  double temperature = 5;  // of the scores, for the cross-entropy
  double margin = 1;       // of hinge losses
  double input_bound = 0;  // samples of a larger norm are scaled down; 0: by their shape
  NoiseStrategy noise_strategy = NoiseStrategy::kGlobal;
};

// What other defaults follow from.
struct TrainingChoices {
  TrainingMethod method = TrainingMethod::kDpSgd;
  std::string model = {};  // empty: what suits method and data
  bool disable_dp = false;
  std::string dataset = "fashion-mnist";
  OptimizerKind optimizer = OptimizerKind::kMomentum;
  Clipping clipping = FlatClipping{};
  std::optional<Recipe> recipe = {};  // nothing: the best known
  double target_epsilon = 3;
  std::int64_t batch_size = 0;  // 0: open
};

struct TrainingConfig {
  TrainingMethod method = TrainingMethod::kDpSgd;
  CliplessConfig clipless;
  std::string dataset = "fashion-mnist";
  std::string data_identity;  // set by train(): data::DataIdentity, or empty
  std::filesystem::path csv_schema;
  std::string schema_text;         // set by train(): what csv_schema held then; it is what counts
  std::filesystem::path csv_test;  // public rows
  std::int64_t classes = 0;        // idx: only; how many classes there are, a public number
  std::vector<std::string> class_names;  // images: only; public
  std::int64_t image_size = 28;          // images: only
  std::int64_t image_channels = 1;

  std::optional<Recipe> recipe;  // where defaults came from
  std::string model = "cnn";
  std::int64_t hidden_units = 512;  // vgg16 only: of the new classifier
  // 0: what suits the number of training records, see suitable_batch_size(). train() decides it,
  // and config.json records what it used.
  std::int64_t batch_size = 0;
  std::int64_t epochs = 10;
  double learning_rate = 0.5;
  OptimizerKind optimizer = OptimizerKind::kMomentum;
  double weight_decay = 0;
  // Patterns of parameter names (* and ? are wildcards), or names of layers.
  std::vector<std::string> freeze;
  std::filesystem::path weights;  // to start from
  ModelExport model_export = ModelExport::kNone;

  // Private runs give the running average of the weights, which costs no privacy and removes much
  // of the noise: w <- average·w + (1 - average)·weights after each step. 0: the last weights.
  double average = 0.98;

  bool disable_dp = false;
  std::optional<double> noise_multiplier;  // else calibrated to target_epsilon
  double target_epsilon = 3;
  double delta = 1e-5;
  double max_grad_norm = 1;  // clipless: of the gradient of the loss with respect to scores
  Clipping clipping = FlatClipping{};
  accounting::Sampling sampling = accounting::Sampling::kPoisson;
  std::optional<accounting::Adjacency> adjacency;
  std::int64_t group_size = 1;  // records that one person has, at most: see PlanOptions

  GradientPath gradients = GradientPath::kAuto;
  std::int64_t max_physical_batch_size = 0;
  std::int64_t memory_limit =
      0;  // bytes of the whole process: chooses max_physical_batch_size; 0: none
  std::optional<std::uint64_t> seed;           // of the initial weights
  std::optional<std::uint64_t> insecure_seed;  // of everything: NOT PRIVATE

  // One of several runs on the same records, such as those of a sweep: the run's statement says
  // that choosing it by its results costs more, and nothing that may be published names its folder.
  bool one_of_several = false;

  // Show gradient norms, the share of clipped samples and batch sizes of each epoch. ε does not
  // cover them, and the run's privacy report says that they were shown. Needs privacy.
  bool show_norms = false;

  // Of the accuracy on records held out of private ones (one-file tables, image folders without
  // test folder): its ε; 0 holds nothing out. By default that of the training, which makes it free.
  std::optional<double> held_out_epsilon;

  // Show and write what is computed from private records without noise: training losses, discarded
  // samples, exact results on held-out records. In files with "private" in their names.
  bool show_private = false;
  // True if such things may be shown: asked for, or nothing is promised anyway.
  bool tells_private() const { return show_private || disable_dp; }

  // The defaults for these choices. The batch size stays open (0) until the number of training
  // records is known.
  static TrainingConfig suited_to(const TrainingChoices& choices);
};

// The default for this many training records, a public number: 1024 (clipless 2500, without privacy
// 128), but at most a quarter of them, and at least 1. For scattering networks a share of the
// records, by ε.
std::int64_t suitable_batch_size(const TrainingConfig& config, std::int64_t records);

}  // namespace sotto::settings
