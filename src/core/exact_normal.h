// A normal number of which as many digits are drawn as a decision needs.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstddef>
#include <cstdint>

#include "sotto/core/random.h"

namespace sotto {

// 332 bits: all that is ever drawn of a number, with room for rounding.
using ExactReal = boost::multiprecision::cpp_bin_float_100;

// A number uniform in [0, 1) of which some leading bits are known.
class DrawnFraction {
 public:
  // The leading `count` <= 64 bits, as a whole number.
  DrawnFraction(std::uint64_t bits, int count);

  const ExactReal& low() const { return low_; }
  ExactReal high() const;
  // 64 bits more. Throws std::logic_error after some 250: that happens with probability below
  // 2^-190.
  void extend(RandomSource& random);

 private:
  ExactReal low_;
  int bits_;
};

// Whether the point (edge(layer)·across, y(layer) + up·(y(layer + 1) - y(layer))) of a layer i > 0
// of the NormalCover, or of layer 0 where x < R, lies below the bell curve.
bool lies_below_curve(std::size_t layer, DrawnFraction& across, DrawnFraction& up,
                      RandomSource& random);

// Layer 0 only: whether the point is beyond R, which means the tail.
bool lies_in_tail(DrawnFraction& across, RandomSource& random);

// Nearest whole number to value + deviation·edge(layer)·across (deviation of either sign).
double nearest_whole(double value, double deviation, std::size_t layer, DrawnFraction& across,
                     RandomSource& random);

// A draw from the tail's cover: the number x = R - ln(1 - u) / R.
class TailDraw {
 public:
  // u, and the height of the point under the cover, as a fraction.
  TailDraw(DrawnFraction across, DrawnFraction up, RandomSource& random);
  // Whether it is kept: with probability f(x) / (y(1)·e^{-R(x - R)}).
  bool is_kept();
  double nearest_whole(double value, double deviation);

 private:
  RandomSource* random_;
  DrawnFraction across_;
  DrawnFraction up_;
};

}  // namespace sotto
