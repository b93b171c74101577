// Adds up Rényi divergences over a grid of orders and converts the sum to (ε, δ).
#pragma once

#include <vector>

#include "sotto/accounting/epsilon_delta.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/neighbours.h"

namespace sotto::accounting {

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

// The cost of a composition, as a function of the order.
class RdpAccountant {
 public:
  // Throws NoValidAnalysis, naming event and relation, where no RDP bound is known.
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
  std::vector<double> rdp_;  // one for each order
  double additive_delta_ = 0;
};

}  // namespace sotto::accounting
