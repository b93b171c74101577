#include <algorithm>
#include <iostream>

#include "cli/plot_request.h"
#include "cli/text_layout.h"
#include "cli/work_bar.h"
#include "core/atomic_file.h"
#include "plots/pictures.h"
#include "plots/tables.h"
#include "report/png_picture.h"

namespace sotto::cli {
namespace {

using plots::Point;
using Json = nlohmann::ordered_json;

// A plot, ready to be written.
struct Plot {
  std::string svg;
  std::vector<Point> points;
  Json json;
  std::string text;  // for a reader
};

std::vector<std::string> file_names(const PlotRequest& request) {
  std::vector<std::string> names;
  for (const auto& file : request.files) names.push_back(file.path.string());
  return names;
}

std::string files_text(const PlotRequest& request) {
  std::string names;
  for (const auto& name : file_names(request)) names += (names.empty() ? "" : ", ") + name;
  return labelled_paragraph("Files", names);
}

// Where the picture is not of the ε that `sotto budget` gives for the same run.
std::string accountant_text(const PlotRequest& request) {
  if (request.plot.x.quantity != plots::Quantity::kAlpha) return "";
  return labelled_paragraph("Accountant",
                            "rdp, which alone has orders; sotto budget says the smaller ε of pld.");
}

std::optional<std::string> delta_warning_at(const Point& point) {
  return accounting::delta_warning(point.cost.delta, point.settings.run.dataset_size);
}

// Of the first point whose δ is too large for its number of records, where that is known.
std::optional<std::string> delta_warning_of(const std::vector<Point>& points) {
  const auto is_warned = [](const Point& point) { return delta_warning_at(point).has_value(); };
  const auto first = std::find_if(points.begin(), points.end(), is_warned);
  if (first == points.end()) return std::nullopt;
  const bool everywhere = std::all_of(points.begin(), points.end(), is_warned);
  return (everywhere ? "" : "in places ") + *delta_warning_at(*first);
}

// What the reader must know before using the picture.
std::vector<std::string> warnings_of(const std::vector<Point>& points) {
  const auto any = [&](bool accounting::PrivacyCost::*property) {
    return std::any_of(points.begin(), points.end(),
                       [&](const Point& point) { return point.cost.*property; });
  };
  std::vector<std::string> warnings;
  if (auto warning = delta_warning_of(points)) warnings.push_back(std::move(*warning));
  if (any(&accounting::PrivacyCost::is_approximation)) {
    warnings.emplace_back("gdp approximates: the true ε may lie above it");
  }
  if (any(&accounting::PrivacyCost::order_at_edge)) {
    warnings.emplace_back(
        "in places the best order is the first or last of those tried: more of them (--alphas), or "
        "pld, may give a smaller ε");
  }
  return warnings;
}

Plot plot_of_curves(const plots::EpsilonPlot& request) {
  WorkBar bar(request.runs.size() * request.x.places.size());
  const auto curves = plots::curves_of(request, [&] { bar.advance(); });
  Plot plot{plots::curves_picture(request, curves), {}, plots::curves_json(request, curves), {}};
  for (const auto& curve : curves) {
    plot.points.insert(plot.points.end(), curve.points.begin(), curve.points.end());
    if (!curve.optimum) continue;
    plot.text += labelled_paragraph("Best", (curve.name.empty() ? "" : curve.name + ": ") +
                                                plots::optimum_text(*curve.optimum));
  }
  return plot;
}

Plot plot_of_plane(const plots::EpsilonPlot& request) {
  WorkBar bar(request.x.places.size() * request.y->places.size());
  auto plane = plots::plane_of(request, [&] { bar.advance(); });
  Plot plot{plots::plane_picture(request, plane), {}, plots::plane_json(request, plane), {}};
  plot.points = std::move(plane.points);
  return plot;
}

std::string bytes_of(const Plot& plot, PlotFormat format) {
  switch (format) {
    case PlotFormat::kSvg:
      return plot.svg;
    case PlotFormat::kPng:
      return report::png_from_svg(plot.svg);
    case PlotFormat::kCsv:
      return plots::csv_table(plot.points);
  }
  throw std::logic_error("unknown format");
}

// All files are made before the first is written.
void write_files(const PlotRequest& request, const Plot& plot) {
  std::vector<std::string> contents;
  for (const auto& file : request.files) contents.push_back(bytes_of(plot, file.format));
  for (std::size_t i = 0; i < contents.size(); ++i) {
    write_file_atomically(request.files[i].path, contents[i]);
  }
}

}  // namespace

int plot_command(const Arguments& arguments) {
  const auto request = parse_plot_request(arguments);
  if (!request) return 0;
  const Plot plot = request->plot.y ? plot_of_plane(request->plot) : plot_of_curves(request->plot);
  write_files(*request, plot);
  if (request->json) {
    Json json = {{"plot", request->name}, {"files", file_names(*request)}};
    json.update(plot.json);
    json["warnings"] = warnings_of(plot.points);
    std::cout << json.dump(2) << '\n';
    return 0;
  }
  std::cout << plot.text << accountant_text(*request);
  for (const auto& warning : warnings_of(plot.points)) {
    std::cout << labelled_paragraph("Warning", warning);
  }
  std::cout << files_text(*request);
  return 0;
}

}  // namespace sotto::cli
