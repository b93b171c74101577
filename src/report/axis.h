// From numbers to places along a line, with ticks at round numbers.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/scale.h"

namespace sotto::report {

// The least and the largest of some numbers; empty at first.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  // Throws InvalidArgument unless the value is finite.
  void include(double value);
};

struct Tick {
  double value = 0;
  std::string label{};  // none: a small tick between others
};

struct AxisOptions {
  int ticks = 5;         // about as many, on a linear axis
  bool percent = false;  // how numbers are written
};

class Axis {
 public:
  // Around `range`, widened to round numbers; an empty range is from 0 to 1 (or 1 to 10), and one
  // of a single number has room on both sides. Throws InvalidArgument for a logarithmic axis with
  // numbers that are not above 0.
  Axis(const Range& range, Scale scale, const AxisOptions& options = {});

  // Exactly from low to high, with the ticks in between.
  static Axis between(double low, double high, Scale scale, const AxisOptions& options = {});
  // One place for each name, at 0, 1, 2, ...; a few are written.
  static Axis of_names(const std::vector<std::string>& names, std::size_t count);

  Scale scale() const { return scale_; }
  double low() const { return low_; }
  double high() const { return high_; }
  // True if the value has a place on this axis at all: finite, and above 0 if logarithmic.
  bool can_show(double value) const;
  // 0 at low(), 1 at high(). REQUIRES: can_show(value).
  double share(double value) const;
  // Ascending, within [low(), high()].
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  Axis() = default;
  void lay_ticks(const Range& range, const AxisOptions& options);
  void lay_linear_ticks(double step, bool percent);
  void lay_log_ticks(bool percent);

  Scale scale_ = Scale::kLinear;
  double low_ = 0;
  double high_ = 1;
  std::vector<Tick> ticks_;
};

}  // namespace sotto::report
