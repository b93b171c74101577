#include "sotto/accounting/accountants.h"

#include <algorithm>
#include <cmath>

#include "accounting/directed_composition.h"
#include "accounting/event_losses.h"
#include "accounting/event_noise.h"
#include "accounting/infinity.h"
#include "sotto/accounting/theorems.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

// Gaussians compose to one Gaussian: σ⁻² adds up. Exact, and one event instead of many.
struct MergedComposition {
  double gaussian_precision = 0;  // Σ count/σ²
  Composition others;
};

MergedComposition merge_gaussians(const Composition& composition) {
  MergedComposition merged;
  for (const auto& [event, count] : composition.parts()) {
    if (const auto noise = full_batch_noise(event)) {
      merged.gaussian_precision += static_cast<double>(count) / (*noise * *noise);
    } else {
      merged.others.add(event, count);
    }
  }
  return merged;
}

// The largest loss of a composition; +∞ if there is no bound.
double highest_loss(const std::vector<RepeatedSource>& parts) {
  double sum = 0;
  for (const auto& part : parts) {
    sum += static_cast<double>(part.count) * part.source->highest_loss();
  }
  return sum;
}

bool has_too_little_noise(const Composition& composition) {
  return std::any_of(composition.parts().begin(), composition.parts().end(), [](const auto& part) {
    return is_too_faint(part.event) && !full_batch_noise(part.event);
  });
}

bool has_fixed_size_sampling(const Composition& composition) {
  return std::any_of(composition.parts().begin(), composition.parts().end(), [](const auto& part) {
    const auto* event = std::get_if<FixedSizeGaussianEvent>(&part.event);
    return event != nullptr && event->sample_rate() < 1;
  });
}

// What two particular data sets attain that differ in one replaced record: all other records
// contribute -C, that one C or -C. Each fixed-size batch then shows (1-q) N(0) + q N(2/σ) against
// N(0), which is Poisson sampling with half the noise under add-remove. Events other than Gaussians
// are left out, which only weakens the bound.
Composition attained_by_fixed_size(const Composition& composition) {
  Composition attained;
  for (const auto& [event, count] : composition.parts()) {
    if (const auto noise = full_batch_noise(event)) {
      attained.add(GaussianEvent(*noise / 2), count);
    } else if (const auto* e = std::get_if<FixedSizeGaussianEvent>(&event)) {
      attained.add(PoissonGaussianEvent(e->sample_rate(), e->noise_multiplier() / 2), count);
    }
  }
  return attained;
}

Enclosure worse_of(const Enclosure& a, const Enclosure& b) {
  return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

}  // namespace

class PldAccountant::Impl {
 public:
  Impl(const Composition& composition, const Neighbours& neighbours, const PldOptions& options)
      : composition_(composition), neighbours_(neighbours), options_(options) {
    if (composition.has_noiseless_part()) {
      noiseless_ = true;
      return;
    }
    if (has_too_little_noise(composition)) {
      for (const auto& part : composition.parts())
        loss_sources(part.event, neighbours);  // or refuse
      unresolved_ = true;
      return;
    }
    const MergedComposition merged = merge_gaussians(composition);
    noiseless_ = std::isinf(merged.gaussian_precision);
    if (noiseless_) return;
    const auto add = [&](const Event& event, std::int64_t count) {
      const LossSources sources = loss_sources(event, neighbours);
      forward_.push_back({sources.forward, count});
      backward_.push_back({sources.backward, count});
      symmetric_ = symmetric_ && sources.forward == sources.backward;
    };
    for (const auto& [event, count] : merged.others.parts()) {
      const Event countable = with_countable_noise(event);
      add(countable, count);
      noise_was_reduced_ = noise_was_reduced_ || has_uncountable_noise(event);
    }
    if (merged.gaussian_precision > 0) {
      const double noise = 1 / std::sqrt(merged.gaussian_precision);
      gaussian_sigma_ = noise / neighbours.sum_sensitivity();
      if (!forward_.empty()) add(GaussianEvent(noise), 1);
    }
  }

  Enclosure epsilon(double delta) const {
    check_argument(delta >= kSmallestDelta && delta < 1, "delta must be in [", kSmallestDelta,
                   ", 1), got ", delta);
    if (noiseless_) return {kInfinity, kInfinity};
    if (unresolved_) return {0, rdp_epsilon(delta)};
    if (forward_.empty()) {
      if (gaussian_sigma_ == kInfinity) return {0, 0};
      return gaussian_interval(gaussian_epsilon(gaussian_sigma_, delta), delta);
    }
    const auto evaluate = [&](const DirectedComposition& direction, double width) {
      return direction.epsilon(delta, width);
    };
    const auto approximate = [&](const DirectedComposition& direction) {
      return direction.approximate_epsilon(delta);
    };
    const auto same_delta = [&](double) { return delta; };
    // A bounded loss bounds ε, whatever δ is.
    const auto settled = [](const std::vector<RepeatedSource>& better, const Enclosure& worst) {
      return highest_loss(better) <= worst.lower;
    };
    Enclosure interval = over_directions(delta, evaluate, approximate, same_delta, settled);
    // Rényi accounting is a proof too. It can only be the smaller bound where ε is so large that
    // it has no meaning any more, or where the transform was too short.
    constexpr double kMeaningless = 50;
    if (noise_was_reduced_) interval.lower = 0;
    if (has_fixed_size_sampling(composition_))
      interval.lower = std::min(attained().epsilon(delta).lower, interval.upper);
    if (interval.upper > kMeaningless || interval.relative_width() > options_.relative_width) {
      interval.upper = std::max(std::min(interval.upper, rdp_epsilon(delta)), interval.lower);
    }
    return interval;
  }

  Enclosure delta(double epsilon) const {
    check_argument(epsilon >= 0 && std::isfinite(epsilon),
                   "epsilon must be at least 0 and finite, got ", epsilon);
    if (noiseless_ || unresolved_) return {0, 1};
    if (forward_.empty() && gaussian_sigma_ < kSmallestExactSigma) return {0, 1};
    if (forward_.empty()) {
      if (gaussian_sigma_ == kInfinity) return {0, 0};
      const double exact = gaussian_delta(gaussian_sigma_, epsilon);
      return gaussian_interval(exact, exact);
    }
    const auto evaluate = [&](const DirectedComposition& direction, double width) {
      return direction.delta(epsilon, width);
    };
    const auto approximate = [&](const DirectedComposition& direction) {
      return direction.approximate_delta(epsilon);
    };
    const auto negligible = [](double worst) { return std::max(worst / 1000, kSmallestDelta); };
    const auto settled = [epsilon](const std::vector<RepeatedSource>& better,
                                   const Enclosure& /*worst*/) {
      return highest_loss(better) <= epsilon;
    };
    Enclosure interval =
        over_directions(kSmallestDelta, evaluate, approximate, negligible, settled);
    if (has_fixed_size_sampling(composition_)) {
      interval.lower = std::min(attained().delta(epsilon).lower, interval.upper);
    }
    if (noise_was_reduced_) interval.lower = 0;
    return interval;
  }

  std::vector<EpsilonDelta> curve() const {
    if (noiseless_) return {};
    if (unresolved_) return single_guarantees();
    const bool closed = forward_.empty();
    if (closed && gaussian_sigma_ == kInfinity) return {{0, 0}};
    if (closed && gaussian_sigma_ < kSmallestExactSigma) return single_guarantees();
    std::vector<EpsilonDelta> guarantees = closed ? gaussian_curve() : curve_over_directions();
    // Where the transform could not reach that far, at least what is known otherwise.
    if (guarantees.back().delta > 0.5) guarantees = single_guarantees();
    return guarantees;
  }

 private:
  static std::vector<double> epsilons_up_to(double highest) {
    constexpr int kPoints = 1000;
    std::vector<double> epsilons(kPoints + 1);
    for (int i = 0; i <= kPoints; ++i) epsilons[i] = highest * i / kPoints;
    return epsilons;
  }

  std::vector<EpsilonDelta> gaussian_curve() const {
    std::vector<EpsilonDelta> guarantees;
    for (const double epsilon :
         epsilons_up_to(gaussian_epsilon(gaussian_sigma_, kSmallestCurveDelta))) {
      guarantees.push_back({epsilon, std::min(delta(epsilon).upper, 1.0)});
    }
    return guarantees;
  }

  std::vector<EpsilonDelta> curve_over_directions() const {
    const DirectedComposition forward(forward_, kSmallestCurveDelta, options_.max_transform_size);
    const DirectedComposition backward(backward_, kSmallestCurveDelta, options_.max_transform_size);
    constexpr double kLargest = 700;  // e^ε is finite
    const double highest = std::clamp(std::max(forward.approximate_epsilon(kSmallestCurveDelta),
                                               backward.approximate_epsilon(kSmallestCurveDelta)),
                                      1e-9, kLargest);
    const std::vector<double> epsilons = epsilons_up_to(highest);
    const std::vector<double> one_way = forward.upper_deltas(epsilons);
    const std::vector<double> other_way = symmetric_ ? one_way : backward.upper_deltas(epsilons);
    std::vector<EpsilonDelta> guarantees;
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
      guarantees.push_back({epsilons[i], std::clamp(std::max(one_way[i], other_way[i]), 0.0, 1.0)});
    }
    return guarantees;
  }

  std::vector<EpsilonDelta> single_guarantees() const {
    std::vector<EpsilonDelta> guarantees;
    for (const double delta : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8}) {
      guarantees.push_back({epsilon(delta).upper, delta});
    }
    return guarantees;
  }

  // Only Gaussians: closed forms, widened by their rounding. They subtract logarithms of size ln δ,
  // known up to some u, that agree to about 1/(σ√(-ln δ)).
  Enclosure gaussian_interval(double exact, double delta) const {
    if (gaussian_sigma_ < kSmallestExactSigma) return {0, exact};
    const double log_delta = -std::log(std::clamp(delta, 1e-300, 1.0));
    const double rounding = 1e-10 + 4e-15 * gaussian_sigma_ * (1 + std::pow(log_delta, 1.5));
    return {exact * (1 - rounding), std::min(exact * (1 + rounding), kInfinity)};
  }

  // The worse direction to the wanted width; the other just well enough to know that it is better.
  // Once the worse one is known, δ in the other matters down to smallest_delta_beside(worst) only.
  template <typename Evaluate, typename Approximate, typename SmallestDelta, typename IsSettled>
  Enclosure over_directions(double smallest_delta, Evaluate evaluate, Approximate approximate,
                            SmallestDelta smallest_delta_beside, IsSettled is_settled) const {
    const double width = options_.relative_width;
    const DirectedComposition forward(forward_, smallest_delta, options_.max_transform_size);
    if (symmetric_) return evaluate(forward, width);
    const DirectedComposition backward(backward_, smallest_delta, options_.max_transform_size);
    const double forward_guess = approximate(forward);
    const double backward_guess = approximate(backward);
    const bool forward_worse = forward_guess >= backward_guess;
    const DirectedComposition& worse = forward_worse ? forward : backward;
    const double gap = 1 - std::min(forward_guess, backward_guess) /
                               std::max({forward_guess, backward_guess, 1e-300});
    const Enclosure worst = evaluate(worse, width);
    if (is_settled(forward_worse ? backward_ : forward_, worst)) return worst;
    const DirectedComposition better(forward_worse ? backward_ : forward_,
                                     smallest_delta_beside(worst.upper),
                                     options_.max_transform_size);
    const Enclosure rough = evaluate(better, std::max(width, 0.3 * gap));
    if (rough.upper <= worst.upper) return worse_of(worst, rough);
    return worse_of(worst, evaluate(better, width));
  }

  // The symmetrised curve of fixed-size sampling bounds every pair of data sets, but none attains
  // all of it; the lower end must come from one that is attained.
  PldAccountant attained() const {
    return {attained_by_fixed_size(composition_), Neighbours(), options_};
  }

  double rdp_epsilon(double delta) const {
    try {
      return RdpAccountant(composition_, neighbours_).epsilon(delta).epsilon;
    } catch (const NoValidAnalysis&) {
      return kInfinity;
    }
  }

  Composition composition_;
  Neighbours neighbours_;
  PldOptions options_;
  bool noiseless_ = false;
  bool noise_was_reduced_ = false;  // so lower ends say nothing
  bool unresolved_ = false;  // losses beyond what doubles resolve; only the Rényi bound is left
  bool symmetric_ = true;
  double gaussian_sigma_ = kInfinity;  // of all Gaussians together, over their sensitivity
  // What is left beside pure Gaussians; empty if there is nothing else.
  std::vector<RepeatedSource> forward_;
  std::vector<RepeatedSource> backward_;
};

PldAccountant::PldAccountant(const Composition& composition, const Neighbours& neighbours,
                             const PldOptions& options)
    : impl_(std::make_unique<Impl>(composition, neighbours, options)) {}
PldAccountant::~PldAccountant() = default;
PldAccountant::PldAccountant(PldAccountant&&) noexcept = default;
PldAccountant& PldAccountant::operator=(PldAccountant&&) noexcept = default;

Enclosure PldAccountant::epsilon(double delta) const { return impl_->epsilon(delta); }
Enclosure PldAccountant::delta(double epsilon) const { return impl_->delta(epsilon); }
std::vector<EpsilonDelta> PldAccountant::curve() const { return impl_->curve(); }

}  // namespace sotto::accounting
