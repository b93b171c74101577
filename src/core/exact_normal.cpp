#include "core/exact_normal.h"

#include <stdexcept>
#include <vector>

#include "core/normal_cover.h"

namespace sotto {
namespace {

constexpr int kWord = 64;
constexpr int kMostBits = 256;

// Far more than 332 bits' arithmetic errs by.
const ExactReal& tiny() {
  static const ExactReal value = ldexp(ExactReal(1), -300);
  return value;
}

ExactReal last_edge() { return {NormalCover::kLastEdge}; }

ExactReal edge_of(std::size_t layer) {
  if (layer == 0) return last_edge() + 1 / last_edge();
  return {NormalCover::instance().edge(layer)};
}

// y(0), ..., y(1024) in all digits.
const std::vector<ExactReal>& heights() {
  static const std::vector<ExactReal> all = [] {
    const ExactReal first(NormalCover::instance().height(1));
    const ExactReal area = first * edge_of(0);
    std::vector<ExactReal> y{0, first};
    for (std::size_t i = 1; i < NormalCover::kLayers; ++i) y.push_back(y[i] + area / edge_of(i));
    return y;
  }();
  return all;
}

ExactReal curve(const ExactReal& x) { return exp(-x * x / 2); }

struct Range {
  ExactReal low;
  ExactReal high;
};

// The whole number nearest to all of the range, if it is one.
bool common_whole(const Range& range, double& whole) {
  const ExactReal low = floor(range.low + ExactReal(0.5) - tiny());
  const ExactReal high = floor(range.high + ExactReal(0.5) + tiny());
  whole = static_cast<double>(low);
  return low == high;
}

// From x in `range` to value + deviation·x.
Range moved(double value, double deviation, const Range& range) {
  const ExactReal one = value + deviation * range.low;
  const ExactReal other = value + deviation * range.high;
  return deviation < 0 ? Range{other, one} : Range{one, other};
}

Range tail_range(const DrawnFraction& across) {
  return {last_edge() - log(1 - across.low()) / last_edge(),
          last_edge() - log(1 - across.high() + tiny()) / last_edge()};
}

}  // namespace

DrawnFraction::DrawnFraction(std::uint64_t bits, int count)
    : low_(ldexp(ExactReal(bits), -count)), bits_(count) {}

ExactReal DrawnFraction::high() const { return low_ + ldexp(ExactReal(1), -bits_); }

void DrawnFraction::extend(RandomSource& random) {
  if (bits_ + kWord > kMostBits) throw std::logic_error("a normal took more than 250 random bits");
  bits_ += kWord;
  low_ += ldexp(ExactReal(random()), -bits_);
}

bool lies_below_curve(std::size_t layer, DrawnFraction& across, DrawnFraction& up,
                      RandomSource& random) {
  const auto& y = heights();
  const ExactReal rise = y[layer + 1] - y[layer];
  for (;;) {
    if (y[layer] + up.high() * rise + tiny() < curve(edge_of(layer) * across.high())) return true;
    if (y[layer] + up.low() * rise - tiny() > curve(edge_of(layer) * across.low())) return false;
    across.extend(random);
    up.extend(random);
  }
}

bool lies_in_tail(DrawnFraction& across, RandomSource& random) {
  for (;;) {
    if (edge_of(0) * across.high() + tiny() < last_edge()) return false;
    if (edge_of(0) * across.low() - tiny() > last_edge()) return true;
    across.extend(random);
  }
}

double nearest_whole(double value, double deviation, std::size_t layer, DrawnFraction& across,
                     RandomSource& random) {
  double whole = 0;
  while (!common_whole(
      moved(value, deviation, {edge_of(layer) * across.low(), edge_of(layer) * across.high()}),
      whole)) {
    across.extend(random);
  }
  return whole;
}

TailDraw::TailDraw(DrawnFraction across, DrawnFraction up, RandomSource& random)
    : random_(&random), across_(std::move(across)), up_(std::move(up)) {}

bool TailDraw::is_kept() {
  const ExactReal at_edge = curve(last_edge()) / heights()[1];
  for (;;) {
    const Range x = tail_range(across_);
    if (up_.high() + tiny() < at_edge * curve(x.high - last_edge())) return true;
    if (up_.low() - tiny() > at_edge * curve(x.low - last_edge())) return false;
    across_.extend(*random_);
    up_.extend(*random_);
  }
}

double TailDraw::nearest_whole(double value, double deviation) {
  double whole = 0;
  while (!common_whole(moved(value, deviation, tail_range(across_)), whole)) {
    across_.extend(*random_);
  }
  return whole;
}

}  // namespace sotto
