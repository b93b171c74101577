#include "sotto/accounting/event.h"

#include <cmath>
#include <limits>
#include <sstream>

#include "core/overloaded.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

void check_sample_rate(double sample_rate) {
  check_argument(sample_rate > 0 && sample_rate <= 1, "sample rate must be in (0, 1], got ",
                 sample_rate);
}

void check_noise_multiplier(double noise_multiplier) {
  check_argument(noise_multiplier >= 0 && std::isfinite(noise_multiplier),
                 "noise multiplier must be at least 0 and finite, got ", noise_multiplier);
}

bool is_noiseless(const Event& event) {
  return std::visit(
      Overloaded{[](const RandomizedResponseEvent& e) { return e.noise_probability() == 0; },
                 [](const BlackBoxEvent& e) { return e.delta() == 1 || std::isinf(e.epsilon()); },
                 [](const auto& e) { return e.noise_multiplier() == 0; }},
      event);
}

}  // namespace

GaussianEvent::GaussianEvent(double noise_multiplier) : noise_multiplier_(noise_multiplier) {
  check_noise_multiplier(noise_multiplier);
}

PoissonGaussianEvent::PoissonGaussianEvent(double sample_rate, double noise_multiplier)
    : sample_rate_(sample_rate), noise_multiplier_(noise_multiplier) {
  check_sample_rate(sample_rate);
  check_noise_multiplier(noise_multiplier);
}

FixedSizeGaussianEvent::FixedSizeGaussianEvent(double sample_rate, double noise_multiplier)
    : sample_rate_(sample_rate), noise_multiplier_(noise_multiplier) {
  check_sample_rate(sample_rate);
  check_noise_multiplier(noise_multiplier);
}

LaplaceEvent::LaplaceEvent(double noise_multiplier, double sample_rate)
    : noise_multiplier_(noise_multiplier), sample_rate_(sample_rate) {
  check_noise_multiplier(noise_multiplier);
  check_sample_rate(sample_rate);
}

RandomizedResponseEvent::RandomizedResponseEvent(double noise_probability, int buckets)
    : noise_probability_(noise_probability), buckets_(buckets) {
  check_argument(noise_probability >= 0 && noise_probability <= 1,
                 "noise probability must be in [0, 1], got ", noise_probability);
  check_argument(buckets >= 2, "randomised response needs at least 2 buckets, got ", buckets);
}

BlackBoxEvent::BlackBoxEvent(double epsilon, double delta) : epsilon_(epsilon), delta_(delta) {
  check_argument(epsilon >= 0, "epsilon must be at least 0, got ", epsilon);
  check_argument(delta >= 0 && delta <= 1, "delta must be in [0, 1], got ", delta);
}

std::string describe(const Event& event) {
  std::ostringstream text;
  std::visit(Overloaded{[&](const GaussianEvent& e) {
                          text << "Gaussian (noise multiplier " << e.noise_multiplier() << ")";
                        },
                        [&](const PoissonGaussianEvent& e) {
                          text << "Poisson-sampled Gaussian (sample rate " << e.sample_rate()
                               << ", noise multiplier " << e.noise_multiplier() << ")";
                        },
                        [&](const FixedSizeGaussianEvent& e) {
                          text << "Gaussian on fixed-size batches (sample rate " << e.sample_rate()
                               << ", noise multiplier " << e.noise_multiplier() << ")";
                        },
                        [&](const LaplaceEvent& e) {
                          text << "Laplace (noise multiplier " << e.noise_multiplier();
                          if (e.sample_rate() < 1) text << ", sample rate " << e.sample_rate();
                          text << ")";
                        },
                        [&](const RandomizedResponseEvent& e) {
                          text << "randomised response (noise probability " << e.noise_probability()
                               << ", " << e.buckets() << " buckets)";
                        },
                        [&](const BlackBoxEvent& e) {
                          text << "black box (epsilon " << e.epsilon() << ", delta " << e.delta()
                               << ")";
                        }},
             event);
  return text.str();
}

Composition& Composition::add(const Event& event, std::int64_t count) {
  check_argument(count >= 0, "count must be at least 0, got ", count);
  if (count > 0) parts_.push_back({event, count});
  return *this;
}

Composition Composition::repeated(std::int64_t times) const {
  check_argument(times >= 0, "times must be at least 0, got ", times);
  Composition result;
  for (const auto& part : parts_) {
    check_argument(times == 0 || part.count <= std::numeric_limits<std::int64_t>::max() / times,
                   "too many repetitions: ", part.count, " times ", times);
    result.add(part.event, part.count * times);
  }
  return result;
}

bool Composition::has_noiseless_part() const {
  for (const auto& part : parts_) {
    if (is_noiseless(part.event)) return true;
  }
  return false;
}

}  // namespace sotto::accounting
