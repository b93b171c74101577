#include "report/contours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "report/on_scale.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

// An edge between neighbours on the grid: from (ix, iy) to the right, or upwards.
struct Edge {
  std::size_t ix = 0;
  std::size_t iy = 0;
  bool upwards = false;

  // NOLINTNEXTLINE(modernize-use-nullptr): the zero is the compiler's
  auto operator<=>(const Edge&) const = default;
};

// Which edges a contour line connects. Every edge belongs to two cells, so it has at most two
// others.
using Connections = std::map<Edge, std::vector<Edge>>;

class Cells {
 public:
  Cells(const Grid& grid, double level) : grid_(grid), level_(on_scale(grid.value_scale, level)) {}

  Connections connections() const {
    Connections result;
    for (std::size_t iy = 0; iy + 1 < grid_.ys.size(); ++iy) {
      for (std::size_t ix = 0; ix + 1 < grid_.xs.size(); ++ix) connect_cell(ix, iy, result);
    }
    return result;
  }

  // Where the line crosses an edge.
  ContourPoint crossing(const Edge& edge) const {
    const double from = height(edge.ix, edge.iy);
    const double to = edge.upwards ? height(edge.ix, edge.iy + 1) : height(edge.ix + 1, edge.iy);
    const double share = -from / (to - from);
    const double x = grid_.xs[edge.ix];
    const double y = grid_.ys[edge.iy];
    if (edge.upwards) return {x, between(grid_.y_scale, y, grid_.ys[edge.iy + 1], share)};
    return {between(grid_.x_scale, x, grid_.xs[edge.ix + 1], share), y};
  }

 private:
  // Above the level, on the scale of values.
  double height(std::size_t ix, std::size_t iy) const {
    return on_scale(grid_.value_scale, grid_.value(ix, iy)) - level_;
  }

  void connect_cell(std::size_t ix, std::size_t iy, Connections& result) const {
    // Corners and edges counter-clockwise, from the lower left; edge i is from corner i to i + 1.
    const std::array<double, 4> corners{height(ix, iy), height(ix + 1, iy), height(ix + 1, iy + 1),
                                        height(ix, iy + 1)};
    const bool whole = std::all_of(corners.begin(), corners.end(),
                                   [](double corner) { return std::isfinite(corner); });
    if (!whole) return;
    const std::array<Edge, 4> edges{Edge{ix, iy, false}, Edge{ix + 1, iy, true},
                                    Edge{ix, iy + 1, false}, Edge{ix, iy, true}};
    std::vector<Edge> crossed;
    for (std::size_t i = 0; i < 4; ++i) {
      if ((corners[i] >= 0) != (corners[(i + 1) % 4] >= 0)) crossed.push_back(edges[i]);
    }
    // A saddle has two lines. They cut off corners 1 and 3, each from edge i to i + 1, if the
    // middle of the bilinear surface is on the side of corners 0 and 2; else those.
    const bool saddle = crossed.size() == 4;
    if (saddle && (saddle_height(corners) >= 0) != (corners[0] >= 0)) {
      std::rotate(crossed.begin(), crossed.begin() + 1, crossed.end());
    }
    for (std::size_t i = 0; i + 1 < crossed.size(); i += 2) {
      result[crossed[i]].push_back(crossed[i + 1]);
      result[crossed[i + 1]].push_back(crossed[i]);
    }
  }

  static double saddle_height(const std::array<double, 4>& corners) {
    const auto& [a, b, c, d] = corners;
    return (a * c - b * d) / (a + c - b - d);
  }

  const Grid& grid_;
  double level_;
};

// The line that starts at this edge, taking what it passes out of the connections.
std::vector<Edge> follow(Connections& connections, Edge edge) {
  std::vector<Edge> way{edge};
  while (!connections[edge].empty()) {
    const Edge next = connections[edge].back();
    connections[edge].pop_back();
    auto& back = connections[next];
    back.erase(std::find(back.begin(), back.end(), edge));
    way.push_back(next);
    edge = next;
  }
  return way;
}

}  // namespace

void Grid::validate() const {
  for (const auto* axis : {&xs, &ys}) {
    const Scale scale = axis == &xs ? x_scale : y_scale;
    check_argument(axis->size() >= 2, "a grid needs two places along each axis");
    check_argument(std::all_of(axis->begin(), axis->end(),
                               [&](double place) { return is_on_scale(scale, place); }),
                   "a place of a grid is not on its axis");
    check_argument(
        std::adjacent_find(axis->begin(), axis->end(), std::greater_equal<>()) == axis->end(),
        "the places of a grid must ascend");
  }
  check_argument(values.size() == xs.size() * ys.size(), "a grid of ", xs.size(), " × ", ys.size(),
                 " places has ", values.size(), " values");
}

std::vector<ContourLine> contour_lines(const Grid& grid, double level) {
  grid.validate();
  check_argument(is_on_scale(grid.value_scale, level), "no contour at ", level);
  const Cells cells(grid, level);
  Connections connections = cells.connections();
  std::vector<Edge> starts;  // ends of open lines first, so that no line is begun in its middle
  for (const auto& [edge, others] : connections) {
    if (others.size() == 1) starts.push_back(edge);
  }
  for (const auto& [edge, others] : connections) starts.push_back(edge);
  std::vector<ContourLine> lines;
  for (const Edge& start : starts) {
    if (connections[start].empty()) continue;
    ContourLine line;
    for (const Edge& edge : follow(connections, start)) line.push_back(cells.crossing(edge));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<double> round_levels(double low, double high, std::size_t most) {
  const std::vector<std::vector<double>> choices{{1, 2, 3, 5, 8}, {1, 2, 5}, {1, 3}, {1}};
  std::vector<double> levels;
  for (const auto& digits : choices) {
    levels.clear();
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::floor(std::log10(high)));
    for (int decade = first; decade <= last; ++decade) {
      for (const double digit : digits) {
        const double level =
            decade < 0 ? digit / std::pow(10, -decade) : digit * std::pow(10, decade);
        if (level > low && level < high) levels.push_back(level);
      }
    }
    if (levels.size() <= most) return levels;
  }
  const std::size_t every = (levels.size() + most - 1) / most;
  std::vector<double> few;
  for (std::size_t i = 0; i < levels.size(); i += every) few.push_back(levels[i]);
  return few;
}

}  // namespace sotto::report
