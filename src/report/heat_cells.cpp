#include "report/heat_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/on_scale.h"
#include "report/svg_elements.h"

namespace sotto::report {
namespace {

constexpr int kColours = 64;
constexpr int kNone = -1;
constexpr double kFinest = 6;  // pixels: cells are divided until their pieces are no larger

int pieces(double pixels) { return std::max(1, static_cast<int>(std::ceil(pixels / kFinest))); }

// The number of the colour at a place inside a cell, by bilinear interpolation.
class CellColours {
 public:
  CellColours(const Grid& grid, const Range& range, std::size_t ix, std::size_t iy)
      : corners_{share(grid, range, ix, iy), share(grid, range, ix + 1, iy),
                 share(grid, range, ix, iy + 1), share(grid, range, ix + 1, iy + 1)} {}

  int at(double right, double up) const {
    const bool whole = std::all_of(corners_.begin(), corners_.end(),
                                   [](double corner) { return std::isfinite(corner); });
    if (!whole) return kNone;
    const double value = std::lerp(std::lerp(corners_[0], corners_[1], right),
                                   std::lerp(corners_[2], corners_[3], right), up);
    return std::min(kColours - 1, static_cast<int>(value * kColours));
  }

 private:
  static double share(const Grid& grid, const Range& range, std::size_t ix, std::size_t iy) {
    return colour_share(grid, range, grid.value(ix, iy));
  }
  std::array<double, 4> corners_;
};

// Rectangles of one colour after another, joined along a row.
class Rows {
 public:
  void begin(double top, double height) {
    end_run();
    top_ = top;
    height_ = height;
  }
  void add(int colour, double left, double right) {
    if (colour != colour_ || left > right_ + 0.01) {
      end_run();
      colour_ = colour;
      left_ = left;
    }
    right_ = right;
  }
  std::string svg(Theme theme) {
    end_run();
    std::string result = "<g shape-rendering=\"crispEdges\">\n";
    for (int i = 0; i < kColours; ++i) {
      if (paths_[i].empty()) continue;
      result += "<path fill=\"" + heat_colour(theme, (i + 0.5) / kColours) + "\" d=\"" + paths_[i] +
                "\"/>\n";
    }
    return result + "</g>\n";
  }

 private:
  void end_run() {
    if (colour_ != kNone) {
      paths_[colour_] += "M" + number(left_) + " " + number(top_) + "H" + number(right_) + "v" +
                         number(height_) + "H" + number(left_) + "z";
    }
    colour_ = kNone;
  }

  std::array<std::string, kColours> paths_;
  int colour_ = kNone;
  double left_ = 0, right_ = 0, top_ = 0, height_ = 0;
};

void add_row(const Grid& grid, const Range& range, const Frame& frame, std::size_t iy, double up,
             Rows& rows) {
  for (std::size_t ix = 0; ix + 1 < grid.xs.size(); ++ix) {
    const CellColours colours(grid, range, ix, iy);
    const double left = frame.x(grid.xs[ix]);
    const double width = frame.x(grid.xs[ix + 1]) - left;
    const int count = pieces(width);
    for (int i = 0; i < count; ++i) {
      rows.add(colours.at((i + 0.5) / count, up), left + width * i / count,
               left + width * (i + 1) / count);
    }
  }
}

}  // namespace

Range value_range(const Grid& grid) {
  Range range;
  for (const double value : grid.values) {
    if (is_on_scale(grid.value_scale, value)) range.include(value);
  }
  return range;
}

double colour_share(const Grid& grid, const Range& range, double value) {
  const double low = on_scale(grid.value_scale, range.low);
  const double high = on_scale(grid.value_scale, range.high);
  const double place = on_scale(grid.value_scale, value);
  return high > low ? (place - low) / (high - low) : place - low;
}

std::string heat_cells(const Grid& grid, const Frame& frame, Theme theme) {
  const Range range = value_range(grid);
  Rows rows;
  for (std::size_t iy = 0; iy + 1 < grid.ys.size(); ++iy) {
    const double bottom = frame.y(grid.ys[iy]);
    const double height = bottom - frame.y(grid.ys[iy + 1]);
    const int count = pieces(height);
    for (int i = 0; i < count; ++i) {
      rows.begin(bottom - height * (i + 1) / count, height / count);
      add_row(grid, range, frame, iy, (i + 0.5) / count, rows);
    }
  }
  return rows.svg(theme);
}

}  // namespace sotto::report
