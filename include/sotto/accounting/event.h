// What a computation released, without any statement of what it costs.
//
// An event describes a mechanism; an accountant prices it. The two are kept apart so that the same
// record of a run can be priced by any accountant that has a valid analysis for it.
//
// Noise is always given relative to the bound C on ONE RECORD'S contribution to the sum: in DP-SGD
// the clipping norm. Replacing a record moves the sum by up to 2C; accountants take that factor
// from the adjacency, so the caller never rescales the noise.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sotto::accounting {

// Sum + N(0, (noise_multiplier C)²), ‖contribution‖₂ ≤ C. A multiplier of 0 means no noise: ε = ∞.
class GaussianEvent {
 public:
  explicit GaussianEvent(double noise_multiplier);
  double noise_multiplier() const { return noise_multiplier_; }

 private:
  double noise_multiplier_;
};

// The same on a batch that contains each record independently with probability sample_rate.
class PoissonGaussianEvent {
 public:
  PoissonGaussianEvent(double sample_rate, double noise_multiplier);
  double sample_rate() const { return sample_rate_; }
  double noise_multiplier() const { return noise_multiplier_; }

 private:
  double sample_rate_;
  double noise_multiplier_;
};

// The same on a batch of fixed size drawn uniformly without replacement; sample_rate is batch size
// over data-set size.
class FixedSizeGaussianEvent {
 public:
  FixedSizeGaussianEvent(double sample_rate, double noise_multiplier);
  double sample_rate() const { return sample_rate_; }
  double noise_multiplier() const { return noise_multiplier_; }

 private:
  double sample_rate_;
  double noise_multiplier_;
};

// Sum + Laplace(noise_multiplier C), ‖contribution‖₁ ≤ C; on a Poisson batch if sample_rate < 1.
class LaplaceEvent {
 public:
  explicit LaplaceEvent(double noise_multiplier, double sample_rate = 1);
  double noise_multiplier() const { return noise_multiplier_; }
  double sample_rate() const { return sample_rate_; }

 private:
  double noise_multiplier_;
  double sample_rate_;
};

// One record's value out of `buckets`; with probability noise_probability it is replaced by a
// uniformly drawn value (which may be the same).
class RandomizedResponseEvent {
 public:
  RandomizedResponseEvent(double noise_probability, int buckets);
  double noise_probability() const { return noise_probability_; }
  int buckets() const { return buckets_; }

 private:
  double noise_probability_;
  int buckets_;
};

// Anything known to be (ε, δ)-differentially private under the adjacency in use.
class BlackBoxEvent {
 public:
  BlackBoxEvent(double epsilon, double delta);
  double epsilon() const { return epsilon_; }
  double delta() const { return delta_; }

 private:
  double epsilon_;
  double delta_;
};

using Event = std::variant<GaussianEvent, PoissonGaussianEvent, FixedSizeGaussianEvent,
                           LaplaceEvent, RandomizedResponseEvent, BlackBoxEvent>;

// E.g. "Poisson-sampled Gaussian (sample rate 0.01, noise multiplier 1.1)".
std::string describe(const Event& event);

struct RepeatedEvent {
  Event event;
  std::int64_t count;
};

// Events released one after another, each possibly chosen in view of what came before.
class Composition {
 public:
  Composition() = default;
  // Throws InvalidArgument unless count >= 0. A count of 0 adds nothing.
  Composition(const Event& event, std::int64_t count) { add(event, count); }

  Composition& add(const Event& event, std::int64_t count = 1);
  // This composition, released `times` times over.
  Composition repeated(std::int64_t times) const;

  const std::vector<RepeatedEvent>& parts() const { return parts_; }
  bool empty() const { return parts_.empty(); }
  // True if some part adds no noise at all, so that no finite ε holds.
  bool has_noiseless_part() const;

 private:
  std::vector<RepeatedEvent> parts_;
};

}  // namespace sotto::accounting
