#include "train/step_path.h"

#include <string>

#include "sotto/core/error.h"

namespace sotto::train {

std::string_view to_string(StepPath path) {
  switch (path) {
    case StepPath::kPlain:
      return "plain";
    case StepPath::kMaterialised:
      return "materialised";
    case StepPath::kGraph:
      return "graph";
    case StepPath::kFused:
      return "fused";
    case StepPath::kFusedNonprivate:
      return "fused-nonprivate";
  }
  return "";
}

StepPath step_path_from_name(std::string_view text) {
  for (const auto path : kStepPaths) {
    if (to_string(path) == text) return path;
  }
  throw InvalidArgument("step path '" + std::string(text) +
                        "': accepted are plain, materialised, graph, fused and fused-nonprivate");
}

}  // namespace sotto::train
