// The ways to make a training step, by name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sotto::train {

enum class StepPath : std::uint8_t {
  kPlain,            // LibTorch without privacy
  kMaterialised,     // every per-sample gradient written out, then clipped: as Opacus' hooks do
  kGraph,            // PrivacyEngine on the autograd graph
  kFused,            // PrivacyEngine with fused kernels
  kFusedNonprivate,  // fused kernels without privacy
};

inline constexpr std::array kStepPaths = {StepPath::kPlain, StepPath::kMaterialised,
                                          StepPath::kGraph, StepPath::kFused,
                                          StepPath::kFusedNonprivate};

// "plain", "materialised", "graph", "fused" or "fused-nonprivate".
std::string_view to_string(StepPath path);
// Throws InvalidArgument for any other text, naming it and what is accepted.
StepPath step_path_from_name(std::string_view text);

}  // namespace sotto::train
