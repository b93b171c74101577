// Many tests at once.
#pragma once

#include <span>

#include "rappor/decoder.h"

namespace sotto::rappor {

// The p-value up to which tests are significant, among `tests` of which these are the smallest
// p-values that matter; the others count as 1. Bonferroni: α / tests. Benjamini and Hochberg
// 1995: the largest α i / tests that the i-th smallest p-value does not exceed, or α / tests if
// there is none.
double significance_level(std::span<const double> p_values, std::size_t tests, double alpha,
                          Correction correction);

}  // namespace sotto::rappor
