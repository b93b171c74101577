// What `sotto plot` was asked.
#pragma once

#include <optional>
#include <vector>

#include "cli/command.h"
#include "cli/plot_files.h"
#include "plots/epsilon_plot.h"

namespace sotto::cli {

struct PlotRequest {
  std::string name;  // "alpha", ..., "plane"
  plots::EpsilonPlot plot;
  std::vector<PlotFile> files;
  bool json = false;
};

// Nothing if help was printed. Throws UsageError.
std::optional<PlotRequest> parse_plot_request(const Arguments& arguments);

}  // namespace sotto::cli
