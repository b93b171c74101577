// What `sotto plot` was asked.
#pragma once

#include <optional>
#include <vector>

#include "cli/command.h"
#include "cli/plot_axis.h"
#include "cli/plot_files.h"
#include "report/theme.h"

namespace sotto::cli {

struct PlotRequest {
  std::string name;  // "alpha", ..., "plane"
  PlotAxis x;
  std::optional<PlotAxis> y;     // the plane's: noise multiplier. Otherwise ε is up there.
  std::vector<PlannedRun> runs;  // a curve each; the plane has one
  std::optional<report::Scale> epsilon_scale;  // none: whichever suits
  std::vector<double> contours;                // the plane's; none: round ones
  std::vector<PlotFile> files;
  report::Theme theme = report::Theme::kLight;
  bool json = false;

  // What the axes show.
  std::vector<PlotQuantity> axes() const;
};

// Nothing if help was printed. Throws UsageError.
std::optional<PlotRequest> parse_plot_request(const Arguments& arguments);

}  // namespace sotto::cli
