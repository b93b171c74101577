// What all charts share: ground, title, legend, axes.
#pragma once

#include <string>
#include <vector>

#include "report/axis.h"
#include "report/colours.h"
#include "report/line_chart.h"

namespace sotto::report {

inline constexpr double kFontSize = 15;       // pixels of 960: 12.5 in a page of 800
inline constexpr double kSmallFontSize = 14;  // numbers at ticks

inline constexpr int kTicksAcross = 8;  // the frame is wider than high

enum class Swatch { kLine, kDot, kBox };

struct LegendEntry {
  std::string label{};
  std::string colour{};
  Swatch swatch = Swatch::kLine;
  LineStyle style = LineStyle::kSolid;
};

struct FrameOptions {
  std::string title{};
  std::string subtitle{};  // wrapped
  std::string x_label{};
  std::string y_label{};
  std::vector<LegendEntry> legend{};  // in rows above the frame, where it covers nothing
  Theme theme = Theme::kLight;
  double room_at_right = 0;  // pixels for what stands beside the frame
};

// Attributes of a line in this style.
std::string stroke(const std::string& colour, double width, LineStyle style);
// Attributes of words that stay readable on anything.
std::string with_halo(const std::string& colour, const Colours& colours);

class Frame {
 public:
  Frame(FrameOptions options, Axis x_axis, Axis y_axis);

  // Pixels.
  double left() const { return left_; }
  double right() const { return right_; }
  double top() const { return top_; }
  double bottom() const { return bottom_; }
  double x(double value) const { return left_ + x_axis_.share(value) * (right_ - left_); }
  double y(double value) const { return bottom_ - y_axis_.share(value) * (bottom_ - top_); }

  const Axis& x_axis() const { return x_axis_; }
  const Axis& y_axis() const { return y_axis_; }
  const Colours& colours() const { return colours_of(options_.theme); }

  // The picture, with `content` inside the frame: over the grid, below the axes.
  std::string svg(const std::string& content) const;

 private:
  std::string head() const;
  std::string legend() const;
  std::string legend_entry(const LegendEntry& entry, double x, double y) const;
  std::string grid() const;
  std::string x_ticks() const;
  std::string y_ticks() const;
  std::string axis_titles() const;

  FrameOptions options_;
  Axis x_axis_;
  Axis y_axis_;
  std::vector<std::string> subtitle_;
  double left_ = 0;
  double right_ = 0;
  double legend_top_ = 0;
  double top_ = 0;
  double bottom_ = 0;
  double height_ = 0;
};

}  // namespace sotto::report
