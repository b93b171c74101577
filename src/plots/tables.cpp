#include "plots/tables.h"

#include "core/json_number.h"

namespace sotto::plots {
namespace {

using accounting::Accountant;
using Json = nlohmann::ordered_json;

template <typename Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// In the order of the columns.
Json point_json(const Point& point) {
  const accounting::TrainingRun run(point.settings.run);
  const bool sampled = run.sampling() != accounting::Sampling::kNone;
  const bool rdp = point.cost.accountant == Accountant::kRdp;
  return {
      {"dataset_size", nullable(run.dataset_size())},
      {"batch_size", nullable(run.batch_size())},
      {"sample_rate", sampled ? run.sample_rate() : 1.0},
      {"noise_multiplier", run.noise_multiplier()},
      {"epochs", nullable(run.epochs())},
      {"steps", run.steps()},
      {"delta", point.settings.delta},
      {"sampling", to_string(run.sampling())},
      {"adjacency", to_string(point.settings.neighbours.adjacency())},
      {"group_size", point.settings.neighbours.group_size()},
      {"accountant", to_string(point.cost.accountant)},
      {"conversion", rdp ? Json(to_string(point.settings.accounting.conversion)) : Json(nullptr)},
      {"order", nullable(point.cost.order)},
      {"epsilon", json_number(point.cost.epsilon)},
      {"is_bound", !point.cost.is_approximation}};
}

std::string csv_text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Json epsilons(std::span<const Point> points) {
  Json result = Json::array();
  for (const auto& point : points) result.push_back(json_number(point.cost.epsilon));
  return result;
}

// What all points of a curve share.
Json settings_json(const Point& point, const std::vector<Quantity>& axes) {
  Json settings = point_json(point);
  for (const char* changing : {"order", "epsilon", "is_bound"}) settings.erase(changing);
  for (const Quantity axis : axes) {
    settings.erase(traits_of(axis).key());
    // These follow from sizes and length.
    if (axis == Quantity::kDatasetSize || axis == Quantity::kBatchSize) {
      settings.erase("sample_rate");
    }
    const bool length =
        axis != Quantity::kNoiseMultiplier && axis != Quantity::kDelta && axis != Quantity::kAlpha;
    if (length && !point.settings.run.steps) settings.erase("steps");
  }
  return settings;
}

Json curve_json(const EpsilonPlot& plot, const Curve& curve) {
  Json xs = Json::array();
  for (const auto& point : curve.points) xs.push_back(point.x);
  Json json{{"label", curve.name},
            {"settings", settings_json(curve.points.front(), plot.axes())},
            {"is_bound", !curve.points.front().cost.is_approximation},
            {"x", xs},
            {"y", epsilons(curve.points)}};
  if (curve.optimum) {
    json["optimum"] = {{"alpha", curve.optimum->order},
                       {"epsilon", json_number(curve.optimum->epsilon)},
                       {"at_edge", curve.optimum->order_at_edge}};
  }
  return json;
}

Json contour_json(const PlaneContour& contour) {
  Json lines = Json::array();
  for (const auto& line : contour.lines) {
    Json points = Json::array();
    for (const auto& point : line) points.push_back({point.x, point.y});
    lines.push_back(points);
  }
  return {{"epsilon", contour.epsilon}, {"lines", lines}};
}

}  // namespace

std::string csv_table(std::span<const Point> points) {
  std::string text;
  for (const auto& point : points) {
    std::string header;
    std::string line;
    const Json columns = point_json(point);
    for (const auto& [key, value] : columns.items()) {
      const char* const comma = header.empty() ? "" : ",";
      header += comma + key;
      line += comma + csv_text(value);
    }
    text += (text.empty() ? header + '\n' : "") + line + '\n';
  }
  return text;
}

Json curves_json(const EpsilonPlot& plot, const std::vector<Curve>& curves) {
  Json json;
  json["x"] = traits_of(plot.x.quantity).key();
  json["y"] = "epsilon";
  json["curves"] = Json::array();
  for (const auto& curve : curves) json["curves"].push_back(curve_json(plot, curve));
  return json;
}

Json plane_json(const EpsilonPlot& plot, const Plane& plane) {
  Json json;
  json["settings"] = settings_json(plane.points.front(), plot.axes());
  json["is_bound"] = !plane.points.front().cost.is_approximation;
  json["batch_size"] = plane.grid.xs;
  json["noise_multiplier"] = plane.grid.ys;
  json["epsilon"] = Json::array();  // (noise multipliers, batch sizes)
  const std::size_t width = plane.grid.xs.size();
  for (std::size_t row = 0; row < plane.points.size(); row += width) {
    json["epsilon"].push_back(epsilons(std::span(plane.points).subspan(row, width)));
  }
  json["contours"] = Json::array();
  for (const auto& contour : plane.contours) json["contours"].push_back(contour_json(contour));
  return json;
}

}  // namespace sotto::plots
