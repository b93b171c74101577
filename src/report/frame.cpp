#include "report/frame.h"

#include <algorithm>

#include "report/svg_elements.h"

namespace sotto::report {
namespace {

// Pixels.
constexpr double kWidth = 960;
constexpr double kFrameHeight = 340;
constexpr double kLeastLeft = 76;
constexpr double kRight = 24;
constexpr double kTitleBaseline = 34;
constexpr double kTitleSize = 20;
constexpr double kTextRow = 21;
constexpr double kLegendRow = 24;
constexpr double kBelowFrame = 66;
constexpr double kSwatchWidth = 26;
constexpr double kLegendGap = 28;
constexpr double kTickLength = 5;

std::string fill(const char* colour) { return std::string("fill=\"") + colour + "\""; }
std::string stroke(const char* colour) { return std::string("stroke=\"") + colour + "\""; }

double widest_label(const Axis& axis) {
  double widest = 0;
  for (const auto& tick : axis.ticks()) {
    widest = std::max(widest, text_width(tick.label, kSmallFontSize));
  }
  return widest;
}

// The last number below the frame reaches beyond it.
double half_of_last_label(const Axis& axis) {
  return axis.ticks().empty() ? 0 : text_width(axis.ticks().back().label, kSmallFontSize) / 2;
}

double entry_width(const LegendEntry& entry) {
  return kSwatchWidth + 8 + text_width(entry.label, kFontSize);
}

struct Place {
  double x = 0;
  int row = 0;
};

// Where the entries of a legend are, from left to right and then in the next row.
std::vector<Place> legend_places(const std::vector<LegendEntry>& legend, double left,
                                 double right) {
  std::vector<Place> places;
  Place next{left, 0};
  for (const auto& entry : legend) {
    if (next.x > left && next.x + entry_width(entry) > right) next = {left, next.row + 1};
    places.push_back(next);
    next.x += entry_width(entry) + kLegendGap;
  }
  return places;
}

}  // namespace

std::string stroke(const std::string& colour, double width, LineStyle style) {
  std::string dashes;
  if (style == LineStyle::kDashed) dashes = R"( stroke-dasharray="9 5")";
  if (style == LineStyle::kDotted) dashes = R"( stroke-dasharray="2 5" stroke-linecap="round")";
  return "stroke=\"" + colour + "\" stroke-width=\"" + number(width) + "\"" + dashes;
}

std::string with_halo(const std::string& colour, const Colours& colours) {
  return fill(colour.c_str()) + " " + stroke(colours.background) +
         R"( stroke-width="4" stroke-linejoin="round" paint-order="stroke")";
}

Frame::Frame(FrameOptions options, Axis x_axis, Axis y_axis)
    : options_(std::move(options)), x_axis_(std::move(x_axis)), y_axis_(std::move(y_axis)) {
  left_ = std::max(kLeastLeft, 44 + widest_label(y_axis_));
  right_ = kWidth - std::max(kRight, half_of_last_label(x_axis_) + 6) - options_.room_at_right;
  subtitle_ = wrapped(options_.subtitle, kFontSize, kWidth - kRight - left_);
  legend_top_ = kTitleBaseline + 8 + kTextRow * static_cast<double>(subtitle_.size());
  const auto places = legend_places(options_.legend, left_, kWidth - kRight);
  const int rows = places.empty() ? 0 : places.back().row + 1;
  top_ = legend_top_ + kLegendRow * rows + 16;
  bottom_ = top_ + kFrameHeight;
  height_ = bottom_ + kBelowFrame;
}

std::string Frame::svg(const std::string& content) const {
  return head() + legend() + grid() + content + x_ticks() + y_ticks() + axis_titles() + "</svg>\n";
}

std::string Frame::head() const {
  const std::string width = number(kWidth);
  const std::string height = number(height_);
  std::string result =
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" + width + " " + height +
      "\" width=\"" + width + "\" height=\"" + height +
      R"(" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size=")" +
      number(kFontSize) + "\" " + fill(colours().ink) + ">\n" +
      rectangle(0, 0, kWidth, height_, fill(colours().background)) +
      text(left_, kTitleBaseline, options_.title,
           "font-size=\"" + number(kTitleSize) + R"(" font-weight="bold")");
  for (std::size_t i = 0; i < subtitle_.size(); ++i) {
    result += text(left_, kTitleBaseline + kTextRow * static_cast<double>(i + 1) + 2, subtitle_[i],
                   fill(colours().quiet));
  }
  return result;
}

std::string Frame::legend() const {
  const auto places = legend_places(options_.legend, left_, kWidth - kRight);
  std::string result;
  for (std::size_t i = 0; i < places.size(); ++i) {
    result += legend_entry(options_.legend[i], places[i].x,
                           legend_top_ + kLegendRow * (places[i].row + 0.5));
  }
  return result;
}

std::string Frame::legend_entry(const LegendEntry& entry, double x, double y) const {
  std::string words = text(x + kSwatchWidth + 8, y + 5, entry.label, "");
  const double middle = x + kSwatchWidth / 2;
  switch (entry.swatch) {
    case Swatch::kLine:
      return line(x, y, x + kSwatchWidth, y, report::stroke(entry.colour, 3, entry.style)) + words;
    case Swatch::kDot:
      return circle(middle, y, 4.5, fill(entry.colour.c_str())) + words;
    case Swatch::kBox:
      return rectangle(middle - 7, y - 7, 14, 14, fill(entry.colour.c_str())) + words;
  }
  return words;
}

std::string Frame::grid() const {
  std::string result = "<g " + stroke(colours().grid) + ">\n";
  for (const auto& tick : y_axis_.ticks()) {
    if (!tick.label.empty()) result += line(left_, y(tick.value), right_, y(tick.value), "");
  }
  return result + "</g>\n";
}

std::string Frame::x_ticks() const {
  std::string result = line(left_, bottom_, right_, bottom_, stroke(colours().axis));
  double free_from = 0;  // labels that would touch the one before are left out
  for (const auto& tick : x_axis_.ticks()) {
    const double place = x(tick.value);
    const double half = text_width(tick.label, kSmallFontSize) / 2;
    result += line(place, bottom_, place, bottom_ + (tick.label.empty() ? 3 : kTickLength),
                   stroke(colours().axis));
    if (tick.label.empty() || place - half < free_from) continue;
    free_from = place + half + 8;
    result += text(place, bottom_ + 22, tick.label,
                   R"(text-anchor="middle" font-size=")" + number(kSmallFontSize) + "\" " +
                       fill(colours().quiet));
  }
  return result;
}

std::string Frame::y_ticks() const {
  std::string result;
  for (const auto& tick : y_axis_.ticks()) {
    const double place = y(tick.value);
    if (tick.label.empty()) {
      result += line(left_ - 3, place, left_, place, stroke(colours().axis));
      continue;
    }
    if (tick.value == 0) result += line(left_, place, right_, place, stroke(colours().axis));
    result += text(left_ - 8, place + 5, tick.label,
                   R"(text-anchor="end" font-size=")" + number(kSmallFontSize) + "\" " +
                       fill(colours().quiet));
  }
  return result;
}

std::string Frame::axis_titles() const {
  const double middle = (top_ + bottom_) / 2;
  const std::string style = "text-anchor=\"middle\" " + fill(colours().ink);
  return text((left_ + right_) / 2, bottom_ + 50, options_.x_label, style) +
         "<g transform=\"rotate(-90 20 " + number(middle) + ")\">" +
         text(20, middle, options_.y_label, style) + "</g>\n";
}

}  // namespace sotto::report
