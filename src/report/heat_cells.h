// The coloured part of a heat map.
#pragma once

#include <string>

#include "report/axis.h"
#include "report/contours.h"
#include "report/frame.h"

namespace sotto::report {

// Of the values that the grid's scale can show.
Range value_range(const Grid& grid);

// Where on the scale of colours a value is: 0 at the range's low end, 1 at the other.
double colour_share(const Grid& grid, const Range& range, double value);

// One SVG path for each of 64 colours, made of rectangles finer than the grid's cells.
std::string heat_cells(const Grid& grid, const Frame& frame, Theme theme);

}  // namespace sotto::report
