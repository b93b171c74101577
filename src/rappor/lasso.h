// Which candidates deserve a coefficient, where there are too many for least squares.
#pragma once

#include <vector>

#include "rappor/cells.h"

namespace sotto::rappor {

// Candidates with positive coefficients in
//   min ½ Σ w (y - Xβ - c)² + λ Σ ‖x_s‖_w β_s,  β >= 0,
// for the smallest λ on a decreasing path that selects at most `most`. λ is in standard errors: a
// candidate alone enters when its estimate exceeds λ of them; the path ends at λ = 1. Coordinate
// descent (Friedman, Hastie, Tibshirani 2010).
std::vector<std::size_t> lasso_selection(const DesignMatrix& design, const Cells& cells,
                                         std::size_t most);

}  // namespace sotto::rappor
