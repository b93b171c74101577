#include "sotto/settings/training_config.h"

#include "settings/from_name.h"

namespace sotto::settings {
namespace {

constexpr std::array kLosses = {LossKind::kCrossEntropy,
                                LossKind::kBinaryCrossEntropy,
                                LossKind::kHinge,
                                LossKind::kMulticlassHinge,
                                LossKind::kMeanAbsoluteError,
                                LossKind::kCosine,
                                LossKind::kKr,
                                LossKind::kHkr};

}  // namespace

std::string_view to_string(LossKind kind) {
  switch (kind) {
    case LossKind::kCrossEntropy:
      return "cross-entropy";
    case LossKind::kBinaryCrossEntropy:
      return "binary-cross-entropy";
    case LossKind::kHinge:
      return "hinge";
    case LossKind::kMulticlassHinge:
      return "multiclass-hinge";
    case LossKind::kMeanAbsoluteError:
      return "mae";
    case LossKind::kCosine:
      return "cosine";
    case LossKind::kKr:
      return "kr";
    case LossKind::kHkr:
      return "hkr";
  }
  return "";
}

LossKind loss_from_name(std::string_view text) { return from_name(kLosses, text, "loss"); }

bool is_of_one_score(LossKind kind) {
  return kind == LossKind::kBinaryCrossEntropy || kind == LossKind::kHinge;
}

}  // namespace sotto::settings
