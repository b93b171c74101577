// What a composition costs, by each of two accountants: privacy-loss distributions are tight, Rényi
// divergences are what many papers and tools report. privacy_cost.h chooses between them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"

namespace sotto::accounting {

// Of privacy-loss distributions.
struct PldOptions {
  // The interval is made narrower than this, relative to its upper end, unless that would take a
  // transform longer than max_transform_size.
  double relative_width = 1e-3;
  std::size_t max_transform_size = std::size_t{1} << 19U;
};

// The exact ε(δ) of a composition, for an adversary who sees everything that it released, from
// below and from above. The upper end uses connect-the-dots discretisation (arXiv:2207.04380), the
// lower end a polygon of chords; both take the worse of the two directions; truncation, aliasing
// and rounding are charged. See docs/numerics.md.
class PldAccountant {
 public:
  // Throws NoValidAnalysis, naming event and adjacency, where no dominating pair is known.
  PldAccountant(const Composition& composition, const Neighbours& neighbours,
                const PldOptions& options = {});
  ~PldAccountant();
  PldAccountant(PldAccountant&&) noexcept;
  PldAccountant& operator=(PldAccountant&&) noexcept;

  // REQUIRES: kSmallestDelta <= delta < 1. Both ends are infinite if some part adds no noise.
  Enclosure epsilon(double delta) const;
  // REQUIRES: epsilon >= 0, finite.
  Enclosure delta(double epsilon) const;
  // Guarantees (ε, δ(ε)) that all hold at once, δ from above, for ε from 0 to where δ is about
  // kSmallestCurveDelta: from one transform per direction, so as fast as one ε(δ). δ is within
  // about 1e-3 of itself plus kSmallestCurveDelta where max_transform_size allows it. Empty if some
  // part adds no noise.
  std::vector<EpsilonDelta> curve() const;

  static constexpr double kSmallestCurveDelta = 1e-8;
  static constexpr double kSmallestDelta = 1e-200;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// From a Rényi divergence ρ of order α to (ε, δ).
enum class Conversion {
  // ε = ρ + ln(1 - 1/α) - ln(δα)/(α-1) (Canonne, Kamath, Steinke 2020, Proposition 12; Balle et
  // al. 2020). Never larger than the classic one.
  kImproved,
  // ε = ρ + ln(1/δ)/(α-1) (Mironov 2017, Proposition 3): what older papers and tools report.
  kClassic,
};

// Conversions at one order. ε is clamped to 0, δ to 1.
double epsilon_from_rdp(Conversion conversion, double alpha, double rdp, double delta);
double delta_from_rdp(Conversion conversion, double alpha, double rdp, double epsilon);

// Orders above 1, ascending, without repetition.
class RdpOrders {
 public:
  // 1.1, 1.2, ..., 10.9, 12, 13, ..., 63.
  RdpOrders();
  // Throws InvalidArgument if there are none, or one is not a finite number above 1.
  explicit RdpOrders(std::vector<double> orders);

  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
};

struct RdpEpsilon {
  double epsilon;
  double order;        // the α at which the bound is attained
  bool order_at_edge;  // the optimum is an end of the grid: a wider grid may give less
};

// Adds up Rényi divergences over a grid of orders and converts the sum to (ε, δ).
class RdpAccountant {
 public:
  // Throws NoValidAnalysis, naming event and adjacency, where no RDP bound is known.
  RdpAccountant(const Composition& composition, const Neighbours& neighbours,
                const RdpOrders& orders = RdpOrders());

  // Upper bounds. delta must lie in (0, 1), epsilon must be at least 0.
  RdpEpsilon epsilon(double delta, Conversion conversion = Conversion::kImproved) const;
  double delta(double epsilon, Conversion conversion = Conversion::kImproved) const;

  const std::vector<double>& orders() const { return orders_; }
  const std::vector<double>& rdp() const { return rdp_; }
  // δ spent by black boxes, on top of what the divergences say.
  double additive_delta() const { return additive_delta_; }

 private:
  std::vector<double> orders_;
  std::vector<double> rdp_;  // one per order
  double additive_delta_ = 0;
};

}  // namespace sotto::accounting
