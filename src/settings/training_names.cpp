#include "settings/from_name.h"
#include "sotto/settings/training_config.h"

namespace sotto::settings {
namespace {

constexpr std::array kOptimizers = {OptimizerKind::kSgd, OptimizerKind::kMomentum,
                                    OptimizerKind::kAdam, OptimizerKind::kAdamW,
                                    OptimizerKind::kRmsprop};
constexpr std::array kGradientPaths = {GradientPath::kAuto, GradientPath::kFused,
                                       GradientPath::kGraph};

}  // namespace

std::string_view to_string(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::kSgd:
      return "sgd";
    case OptimizerKind::kMomentum:
      return "momentum";
    case OptimizerKind::kAdam:
      return "adam";
    case OptimizerKind::kAdamW:
      return "adamw";
    case OptimizerKind::kRmsprop:
      return "rmsprop";
  }
  return "";
}

OptimizerKind optimizer_from_name(std::string_view text) {
  return from_name(kOptimizers, text, "optimizer");
}

std::string_view to_string(GradientPath path) {
  switch (path) {
    case GradientPath::kAuto:
      return "auto";
    case GradientPath::kFused:
      return "fused";
    case GradientPath::kGraph:
      return "graph";
  }
  return "";
}

GradientPath gradient_path_from_name(std::string_view text) {
  return from_name(kGradientPaths, text, "gradients");
}

std::string_view to_string(ModelExport format) {
  return format == ModelExport::kNone ? "none" : "safetensors";
}

ModelExport model_export_from_name(std::string_view text) {
  return from_name(std::array{ModelExport::kNone, ModelExport::kSafetensors}, text, "export");
}

std::string_view to_string(TrainingMethod method) {
  return method == TrainingMethod::kDpSgd ? "dp-sgd" : "clipless";
}

TrainingMethod training_method_from_name(std::string_view text) {
  return from_name(std::array{TrainingMethod::kDpSgd, TrainingMethod::kClipless}, text, "method");
}

}  // namespace sotto::settings
