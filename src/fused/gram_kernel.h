// The norm of a sum of outer products by the inner products of its terms ("ghost norm", Li et al.
// 2022, arXiv:2110.05679), in double precision: terms may cancel.
#pragma once

#include <cstdint>

namespace sotto::fused {

struct NormOfTerms {
  double square = 0;  // of the norm of the sum; below zero by rounding at most
  double size = 0;    // the sum of the terms' norms
};

// Of Σ_t left(t) ⊗ right(t); left is (terms, inputs), right (terms, outputs).
NormOfTerms norm_of_terms(const float* left, std::int64_t inputs, const float* right,
                          std::int64_t outputs, std::int64_t terms);

}  // namespace sotto::fused
