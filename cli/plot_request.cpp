#include "cli/plot_request.h"

#include <algorithm>

#include "cli/plot_flags.h"
#include "plots/curves.h"

namespace sotto::cli {
namespace {

using plots::EpsilonPlot;
using plots::Quantity;
using plots::traits_of;
using report::Scale;

constexpr std::size_t kMostCurves = 12;  // more cannot be told apart
constexpr const char* kPlane = "plane";

constexpr const char* kExamples = R"(
WHAT is one of
  alpha             ε against the Rényi order α, with the best order marked
  dataset-size, batch-size, noise-multiplier, epochs, delta
                    ε against that; everything else is fixed by flags, as in `sotto budget`
  plane             ε over batch size and noise multiplier: colours and lines of equal ε
Every flag of the run may have several values, separated by commas: a curve for each combination.
The extension of --output sets the format; --format writes several. ε in .csv is what `sotto budget` says.

Examples:
  # why 13 is the best order of this run
  sotto plot alpha -s 60000 -b 64 -n 1 -e 15
  # how long may training be? for three noise multipliers
  sotto plot epochs -s 60000 -b 256 -n 0.8,1,1.3 --to 60
  # three accountants: tight bound, older bound, approximation
  sotto plot noise-multiplier -s 60000 -b 256 -e 30 --accountant pld,rdp,gdp --log-y
  # batch size from 16 to 4096, noise multiplier from 0.6 to 3; --accountant rdp is a quick draft
  sotto plot plane -s 60000 -e 15 --from 16,0.6 --to 4096,3 --format svg,png,csv
)";

struct PlotFlags {
  FlagText what;
  RunFlags run;
  FlagText from, to, points, contours, output, format, theme;
  bool log_x = false, linear_x = false, log_y = false, linear_y = false, json = false;
};

void declare(FlagSet& app, PlotFlags& flags) {
  app.add_option("WHAT", flags.what, "what ε is plotted against; see below");
  declare_run_flags(app, flags.run);
  app.add_option("--from X", flags.from,
                 "where the axis begins; plane: batch size,noise multiplier");
  app.add_option("--to X", flags.to, "where it ends; plane: batch size,noise multiplier");
  app.add_option("--points N", flags.points,
                 "number of points along the axis (default 60; plane: 40 each way)");
  app.add_flag("--log-x", flags.log_x, "logarithmic axis (default for sizes, α and δ)");
  app.add_flag("--linear-x", flags.linear_x, "linear axis");
  app.add_flag("--log-y", flags.log_y, "logarithmic ε (default if it spans a factor of 30)");
  app.add_flag("--linear-y", flags.linear_y, "linear ε");
  app.add_option("--contours X,X,...", flags.contours,
                 "plane: lines at these ε (default: round numbers)");
  app.add_option("-o,--output FILE", flags.output,
                 "file to write: .svg, .png or .csv (default plot-WHAT.svg)")
      .names_outputs();
  app.add_option("--format svg,png,csv", flags.format, "svg, png, csv, or several: svg,png");
  app.add_option("--theme light|dark", flags.theme, "colours of the picture (default light)");
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

std::string plot_names() {
  std::string names;
  for (const auto& traits : plots::quantities()) names += std::string(traits.name) + ", ";
  return names + kPlane;
}

// What the axes of this plot show; the first is the horizontal one.
std::vector<Quantity> axes_of(const FlagText& what) {
  if (!what) throw UsageError("what to plot is missing: expected one of " + plot_names());
  if (what == kPlane) return {Quantity::kBatchSize, Quantity::kNoiseMultiplier};
  for (const auto& traits : plots::quantities()) {
    if (what == traits.name) return {traits.quantity};
  }
  throw UsageError("cannot plot '" + *what + "': expected one of " + plot_names());
}

// Rényi accounting where the picture is about it; everywhere else as `sotto budget`.
void choose_accountant(const std::string& what, RunFlags& flags) {
  const bool alpha = what == traits_of(Quantity::kAlpha).name;
  if (alpha && flags.accountant && flags.accountant != "rdp") {
    throw UsageError("--accountant '" + *flags.accountant + "': orders are of rdp alone");
  }
  if (alpha) flags.accountant = "rdp";
}

PlannedRun complete_settings(const RunFlags& flags) {
  PlannedRun settings = read_planned_run(flags);
  if (!flags.noise_multiplier) throw UsageError("--noise-multiplier is missing");
  if (!flags.epochs && !flags.steps) throw UsageError("--epochs (or --steps) is missing");
  return settings;
}

std::vector<PlannedRun> read_runs(const PlotFlags& flags, const std::vector<Quantity>& axes) {
  RunFlags run = flags.run;
  choose_accountant(*flags.what, run);
  for (const Quantity axis : axes) leave_to_axis(axis, run);
  std::vector<PlannedRun> runs;
  for (const auto& one : combinations(run)) runs.push_back(complete_settings(one));
  if (axes.size() > 1 && runs.size() > 1) {
    throw UsageError("a plane shows one run: give each flag one value, not several");
  }
  if (runs.size() > kMostCurves) {
    throw UsageError(std::to_string(runs.size()) + " curves were asked for; expected at most " +
                     std::to_string(kMostCurves));
  }
  return runs;
}

std::optional<Scale> scale_flag(const char* names, bool log, bool linear) {
  if (log && linear) throw UsageError(std::string(names) + " contradict each other; give one");
  if (!log && !linear) return std::nullopt;
  return log ? Scale::kLog : Scale::kLinear;
}

std::size_t points_flag(const std::string& text, std::size_t most) {
  const std::string accepted = "a whole number from 2 to " + std::to_string(most);
  const double value =
      number_flag("--points", text, {2, true, static_cast<double>(most), true, accepted.c_str()});
  const auto points = static_cast<std::size_t>(value);
  if (static_cast<double>(points) != value) {
    throw UsageError("--points '" + text + "': expected " + accepted);
  }
  return points;
}

// One value for each axis.
std::vector<FlagText> for_each_axis(const char* flag, const FlagText& text, std::size_t axes) {
  if (!text) return std::vector<FlagText>(axes);
  std::vector<FlagText> values;
  for (auto& value : list_flag(flag, *text)) values.emplace_back(value);
  if (values.size() != axes) {
    throw UsageError(std::string(flag) + " '" + *text + "': expected " +
                     (axes == 1 ? "one value" : "two values, batch size,noise multiplier"));
  }
  return values;
}

std::vector<std::size_t> points_of_axes(const PlotFlags& flags, std::size_t axes) {
  const std::size_t usual = axes == 1 ? 60 : 40;
  const std::size_t most = axes == 1 ? 1000 : 200;
  if (!flags.points) return std::vector<std::size_t>(axes, usual);
  if (flags.points->find(',') == std::string::npos) {
    return std::vector<std::size_t>(axes, points_flag(*flags.points, most));
  }
  std::vector<std::size_t> points;
  for (const auto& value : for_each_axis("--points", flags.points, axes)) {
    points.push_back(points_flag(*value, most));
  }
  return points;
}

// The orders of the accountant, unless the user asked for a range.
std::optional<plots::Axis> axis_of_orders(const PlotFlags& flags, const EpsilonPlot& plot,
                                          Scale scale) {
  const bool ranged = flags.from || flags.to || flags.points;
  if (ranged && !flags.run.alphas.empty()) {
    throw UsageError("--alphas and --from, --to, --points contradict each other");
  }
  if (ranged) return std::nullopt;
  return plots::Axis{Quantity::kAlpha, scale, plot.runs.front().accounting.orders.values(),
                     !flags.run.alphas.empty()};
}

void read_axes(const PlotFlags& flags, const std::vector<Quantity>& axes, EpsilonPlot& plot) {
  const auto from = for_each_axis("--from", flags.from, axes.size());
  const auto to = for_each_axis("--to", flags.to, axes.size());
  const auto points = points_of_axes(flags, axes.size());
  const auto x_scale = scale_flag("--log-x and --linear-x", flags.log_x, flags.linear_x)
                           .value_or(traits_of(axes[0]).scale);
  const auto y_scale = scale_flag("--log-y and --linear-y", flags.log_y, flags.linear_y);
  if (axes[0] == Quantity::kAlpha) {
    if (auto orders = axis_of_orders(flags, plot, x_scale)) {
      plot.x = std::move(*orders);
      plot.epsilon_scale = y_scale;
      return;
    }
  }
  plot.x = read_axis(axes[0], {from[0], to[0], points[0], x_scale}, plot.runs);
  if (axes.size() == 1) {
    plot.epsilon_scale = y_scale;
    return;
  }
  const AxisFlags vertical{from[1], to[1], points[1], y_scale.value_or(traits_of(axes[1]).scale)};
  plot.y = read_axis(axes[1], vertical, plot.runs);
}

std::vector<double> read_contours(const PlotFlags& flags) {
  if (!flags.contours) return {};
  if (flags.what != kPlane) {
    throw UsageError("--contours '" + *flags.contours + "': only a plane has lines of equal ε");
  }
  std::vector<double> levels;
  for (const auto& value : list_flag("--contours", *flags.contours)) {
    levels.push_back(positive_flag("--contours", value));
  }
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

EpsilonPlot plot_from(const PlotFlags& flags) {
  const auto axes = axes_of(flags.what);
  EpsilonPlot plot;
  plot.runs = read_runs(flags, axes);
  read_axes(flags, axes, plot);
  plots::name_curves(plot.runs, axes);  // refuses curves that are the same
  plot.contours = read_contours(flags);
  return plot;
}

PlotRequest request_from(const PlotFlags& flags) {
  PlotRequest request{{}, plot_from(flags), {}, flags.json};
  request.name = *flags.what;
  request.files = plot_files(flags.output, flags.format, "plot-" + request.name);
  if (flags.theme) {
    request.plot.theme =
        named_flag("--theme", *flags.theme, report::theme_from_name, "one of light, dark");
  }
  return request;
}

}  // namespace

std::optional<PlotRequest> parse_plot_request(const Arguments& arguments) {
  FlagSet app("How ε depends on everything, as a picture.", "sotto plot");
  PlotFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return std::nullopt;
  auto request = request_from(flags);
  for (const auto& file : request.files) app.check_output("--output", file.path);
  return request;
}

}  // namespace sotto::cli
