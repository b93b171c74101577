#include "report/cut_line.h"

#include <limits>

#include "report/on_scale.h"

namespace sotto::report {
namespace {

constexpr double kGap = std::numeric_limits<double>::infinity();

// The x at which the way between two neighbours is at this height.
double crossing(const Line& line, std::size_t i, double height, Scale x_scale, Scale y_scale) {
  const double from = on_scale(y_scale, line.ys[i - 1]);
  const double to = on_scale(y_scale, line.ys[i]);
  return between(x_scale, line.xs[i - 1], line.xs[i],
                 (on_scale(y_scale, height) - from) / (to - from));
}

}  // namespace

Line cut_above(const Line& line, double most, Scale x_scale, Scale y_scale) {
  Line cut{.label = line.label, .style = line.style};
  const auto add = [&](double x, double y) {
    cut.xs.push_back(x);
    cut.ys.push_back(y);
  };
  for (std::size_t i = 0; i < line.xs.size(); ++i) {
    const bool drawn = i > 0 && is_on_scale(x_scale, line.xs[i - 1]) &&
                       is_on_scale(x_scale, line.xs[i]) && is_on_scale(y_scale, line.ys[i - 1]) &&
                       is_on_scale(y_scale, line.ys[i]);
    if (drawn && (line.ys[i - 1] > most) != (line.ys[i] > most)) {
      add(crossing(line, i, most, x_scale, y_scale), most);
    }
    add(line.xs[i], line.ys[i] > most ? kGap : line.ys[i]);
  }
  return cut;
}

}  // namespace sotto::report
