// How clipped gradients are added up so that the sum does not depend on order, threads or parts,
// and one record moves it by no more than what was granted to it. The proof:
// docs/finite-precision.md.
//
// Sums are whole numbers of a unit (or of 1/256 of it), a power of two that follows from the bound
// of one record's contribution. A gradient that is written out is cut off to whole units, sample by
// sample. Products of Linear layers are added up in float over chains of up to 64 samples; a
// chain's sum is rounded to 1/256 unit. From there on nothing is rounded.
#pragma once

#include <cmath>
#include <cstdint>

namespace sotto::fused {

constexpr int kUnitBits = 20;
constexpr std::int64_t kLongestChain = 64;
constexpr float kChainParts = 256;  // of a unit
// Contributions of less than 2^(kUnitBits + 1) units that a 32-bit count has room for.
constexpr std::int64_t kMostCounted = (std::int64_t{1} << (31 - kUnitBits - 1)) - 1;

// Of a factor of a product whose other factor may be as small as one likes: larger ones, scaled to
// units before they meet, would not be floats. A sample that has one counts as not finite.
constexpr double kLargestSquare = 0x1p100;
// Of a sample's terms, all norms added up: sums of them would not be floats.
constexpr double kLargestTerms = 0x1p120;

// bound / unit is from 2^20 to 2^21.
inline double unit_for(double bound) { return std::ldexp(1.0, std::ilogb(bound) - kUnitBits); }

}  // namespace sotto::fused
