#include "sotto/accounting/accountants.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/infinity.h"
#include "accounting/rdp.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

[[noreturn]] void refuse_rdp(const Event& event, const Neighbours& neighbours,
                             const std::string& remedy) {
  throw NoValidAnalysis("rdp has no valid analysis of " + describe(event) + " under " +
                        neighbours.describe() + "; " + remedy);
}

double rdp_of(const GaussianEvent& event, const Neighbours& neighbours, double alpha) {
  return rdp_gaussian(event.noise_multiplier() / neighbours.sum_sensitivity(), alpha);
}

double rdp_of(const PoissonGaussianEvent& event, const Neighbours& neighbours, double alpha) {
  if (event.sample_rate() == 1)
    return rdp_of(GaussianEvent(event.noise_multiplier()), neighbours, alpha);
  if (neighbours.adjacency() == Adjacency::kReplaceOne || neighbours.group_size() > 1) {
    refuse_rdp(event, neighbours, "accepted: add-remove or zero-out, one record; or pld");
  }
  return rdp_poisson_gaussian(event.sample_rate(), event.noise_multiplier(), alpha);
}

double rdp_of(const FixedSizeGaussianEvent& event, const Neighbours& neighbours, double alpha) {
  if (event.sample_rate() == 1)
    return rdp_of(GaussianEvent(event.noise_multiplier()), neighbours, alpha);
  if (neighbours.adjacency() != Adjacency::kReplaceOne || neighbours.group_size() > 1) {
    refuse_rdp(event, neighbours, "accepted: replace-one, one record");
  }
  return rdp_fixed_size_gaussian(event.sample_rate(),
                                 event.noise_multiplier() / neighbours.sum_sensitivity(), alpha);
}

double rdp_of(const LaplaceEvent& event, const Neighbours& neighbours, double alpha) {
  if (event.sample_rate() < 1) refuse_rdp(event, neighbours, "accepted: sample rate 1; or pld");
  return rdp_laplace(event.noise_multiplier() / neighbours.sum_sensitivity(), alpha);
}

double rdp_of(const RandomizedResponseEvent& event, const Neighbours& neighbours, double alpha) {
  if (neighbours.adjacency() == Adjacency::kAddRemove || neighbours.group_size() > 1) {
    refuse_rdp(event, neighbours, "accepted: replace-one or zero-out, one record");
  }
  return neighbours.adjacency() == Adjacency::kReplaceOne
             ? rdp_randomized_response_replace_one(event.noise_probability(), event.buckets(),
                                                   alpha)
             : rdp_randomized_response_zero_out(event.noise_probability(), event.buckets(), alpha);
}

double rdp_of(const BlackBoxEvent& event, const Neighbours& neighbours, double alpha) {
  if (neighbours.group_size() > 1) refuse_rdp(event, neighbours, "accepted: one record");
  return rdp_pure(event.epsilon(), alpha);
}

}  // namespace

double epsilon_from_rdp(Conversion conversion, double alpha, double rdp, double delta) {
  const double classic = rdp - std::log(delta) / (alpha - 1);
  const double gain = conversion == Conversion::kImproved
                          ? std::log1p(-1 / alpha) - std::log(alpha) / (alpha - 1)
                          : 0;
  return std::max(classic + gain, 0.0);
}

double delta_from_rdp(Conversion conversion, double alpha, double rdp, double epsilon) {
  if (std::isinf(rdp)) return 1;
  const double classic = (alpha - 1) * (rdp - epsilon);
  const double gain = conversion == Conversion::kImproved
                          ? (alpha - 1) * std::log1p(-1 / alpha) - std::log(alpha)
                          : 0;
  return std::min(std::exp(classic + gain), 1.0);
}

RdpOrders::RdpOrders() {
  for (int tenth = 11; tenth <= 109; ++tenth) values_.push_back(tenth / 10.0);
  for (int order = 12; order <= 63; ++order) values_.push_back(order);
}

RdpOrders::RdpOrders(std::vector<double> orders) : values_(std::move(orders)) {
  check_argument(!values_.empty(), "at least one order is needed");
  for (const double order : values_) {
    check_argument(order > 1 && std::isfinite(order), "orders must be finite and above 1, got ",
                   order);
  }
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
}

RdpAccountant::RdpAccountant(const Composition& composition, const Neighbours& neighbours,
                             const RdpOrders& orders)
    : orders_(orders.values()), rdp_(orders_.size(), 0) {
  double log_no_failure = 0;
  for (const auto& [event, count] : composition.parts()) {
    const auto times = static_cast<double>(count);
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      rdp_[i] +=
          times *
          std::visit([&](const auto& e) { return rdp_of(e, neighbours, orders_[i]); }, event);
    }
    if (const auto* box = std::get_if<BlackBoxEvent>(&event)) {
      log_no_failure += times * std::log1p(-box->delta());
    }
  }
  additive_delta_ = -std::expm1(log_no_failure);
}

RdpEpsilon RdpAccountant::epsilon(double delta, Conversion conversion) const {
  check_argument(delta > 0 && delta < 1, "delta must be in (0, 1), got ", delta);
  const double left = delta - additive_delta_;
  if (left <= 0) return {kInfinity, orders_.front(), false};
  std::size_t best = 0;
  double best_epsilon = kInfinity;
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    const double candidate = epsilon_from_rdp(conversion, orders_[i], rdp_[i], left);
    if (candidate < best_epsilon) {
      best = i;
      best_epsilon = candidate;
    }
  }
  const bool at_edge = std::isfinite(best_epsilon) && best_epsilon > 0 && orders_.size() > 1 &&
                       (best == 0 || best + 1 == orders_.size());
  return {best_epsilon, orders_[best], at_edge};
}

double RdpAccountant::delta(double epsilon, Conversion conversion) const {
  check_argument(epsilon >= 0, "epsilon must be at least 0, got ", epsilon);
  double best = 1;
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    best = std::min(best, delta_from_rdp(conversion, orders_[i], rdp_[i], epsilon));
  }
  return std::min(best + additive_delta_, 1.0);
}

}  // namespace sotto::accounting
