// How the digits are written: strokes through control points.
#pragma once

#include <span>
#include <vector>

namespace sotto::data {

struct Point {
  double x = 0;  // to the right
  double y = 0;  // downwards
};

using Stroke = std::vector<Point>;  // a smooth curve through the points
using Glyph = std::vector<Stroke>;  // strokes meet in corners
using Glyphs = std::vector<Glyph>;  // ways to write one digit

// All ways to write `digit` (0 to 9), in the unit square.
const Glyphs& glyphs_of_digit(int digit);

// A polyline along the Catmull-Rom spline through the points, `steps` segments between two of them.
Stroke smooth(const Stroke& stroke, int steps);

}  // namespace sotto::data
