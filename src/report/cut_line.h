// Lines that leave the picture at the top.
#pragma once

#include "report/line_chart.h"

namespace sotto::report {

// The part of the line up to `most`: where it crosses that height, straight on these scales, it
// begins or ends; what lies above is a gap.
Line cut_above(const Line& line, double most, Scale x_scale, Scale y_scale);

}  // namespace sotto::report
