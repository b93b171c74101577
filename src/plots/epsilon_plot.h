// What a plot of ε is of: training runs along an axis, or one of them over a plane.
#pragma once

#include <optional>
#include <vector>

#include "plots/axis.h"
#include "report/theme.h"

namespace sotto::plots {

struct EpsilonPlot {
  Axis x{};
  std::optional<Axis> y{};                       // of a plane. Otherwise ε is up there.
  std::vector<PlannedRun> runs{};                // a curve each; a plane has one
  std::optional<report::Scale> epsilon_scale{};  // none: whichever suits
  std::vector<double> contours{};                // of a plane; none: round ones
  report::Theme theme = report::Theme::kLight;

  // What the axes show.
  std::vector<Quantity> axes() const {
    std::vector<Quantity> shown{x.quantity};
    if (y) shown.push_back(y->quantity);
    return shown;
  }
};

}  // namespace sotto::plots
