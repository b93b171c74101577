// A dominating pair of distributions on the real line, ordered by privacy loss.
#pragma once

#include <limits>
#include <memory>
#include <utility>

namespace sotto::accounting {

// Probability of one event under P and under Q.
struct Masses {
  double p;
  double q;
};

// How a point z divides the line. Both sides are kept, since the small one must not be computed as
// one minus the large one.
struct Cut {
  Masses below;
  Masses above;
};

// The masses of (a, b], from whichever tail loses fewer digits. REQUIRES: a is left of b.
inline Masses between(const Cut& a, const Cut& b) {
  return {b.below.p < 0.5 ? b.below.p - a.below.p : a.above.p - b.above.p,
          b.below.q < 0.5 ? b.below.q - a.below.q : a.above.q - b.above.q};
}

struct Range {
  double low;
  double high;
};

// P and Q such that no adversary tells neighbours apart better than P from Q (Zhu, Dong, Wang
// 2022), with the loss ln(dP/dQ)(z) non-decreasing in z.
class PrivacyPair {
 public:
  virtual ~PrivacyPair() = default;

  virtual double loss(double z) const = 0;
  // The z at which the loss reaches the given value; -∞ or +∞ if it stays above or below it.
  virtual double point_at_loss(double loss) const = 0;
  virtual Cut cut(double z) const = 0;
  // Bounds on the rounding of cut(z), relative to each of its numbers that is at most 1/2, and of
  // loss(z); under the assumption on the C library that docs/numerics.md states.
  virtual double cut_error(double z) const = 0;
  virtual double loss_error(double z) const = 0;
  // An interval that both P and Q leave, on either side, with at most this probability.
  virtual Range central_range(double tail_mass) const = 0;
  // The loss as z goes to -∞ and to +∞.
  virtual Range loss_limits() const = 0;
  // Outside this interval the loss is constant: an atom at each end. Infinite if there is none.
  virtual Range increasing_range() const {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
};

// (Q, P) instead of (P, Q), mirrored so that the loss is non-decreasing again.
class ReversedPair final : public PrivacyPair {
 public:
  explicit ReversedPair(std::shared_ptr<const PrivacyPair> pair) : pair_(std::move(pair)) {}

  double loss(double z) const override { return -pair_->loss(-z); }
  double point_at_loss(double loss) const override { return -pair_->point_at_loss(-loss); }
  Cut cut(double z) const override {
    const Cut cut = pair_->cut(-z);
    return {{cut.above.q, cut.above.p}, {cut.below.q, cut.below.p}};
  }
  double cut_error(double z) const override { return pair_->cut_error(-z); }
  double loss_error(double z) const override { return pair_->loss_error(-z); }
  Range central_range(double tail_mass) const override {
    const Range range = pair_->central_range(tail_mass);
    return {-range.high, -range.low};
  }
  Range loss_limits() const override {
    const Range limits = pair_->loss_limits();
    return {-limits.high, -limits.low};
  }
  Range increasing_range() const override {
    const Range range = pair_->increasing_range();
    return {-range.high, -range.low};
  }

 private:
  std::shared_ptr<const PrivacyPair> pair_;
};

// δ(ε) = sup_S P(S) - e^ε Q(S) of one release, for any real ε.
double hockey_stick(const PrivacyPair& pair, double epsilon);

}  // namespace sotto::accounting
