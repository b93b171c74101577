#include "accounting/event_noise.h"

#include <algorithm>

#include "core/overloaded.h"

namespace sotto::accounting {

namespace {

constexpr double kLeastGaussian = 0.05;
constexpr double kLeastLaplace = 0.005;
constexpr double kMostCountableNoise = 1e8;

template <typename SampledGaussian>
std::optional<double> noise_unless_sampled(const SampledGaussian& event) {
  if (event.sample_rate() < 1) return std::nullopt;
  return event.noise_multiplier();
}

bool is_faint_gaussian(double noise_multiplier) { return noise_multiplier < kLeastGaussian; }

bool is_uncountable(double noise_multiplier) { return noise_multiplier > kMostCountableNoise; }

double countable(double noise_multiplier) {
  return std::min(noise_multiplier, kMostCountableNoise);
}

}  // namespace

std::optional<double> full_batch_noise(const Event& event) {
  using Noise = std::optional<double>;
  return std::visit(
      Overloaded{[](const GaussianEvent& e) -> Noise { return e.noise_multiplier(); },
                 [](const PoissonGaussianEvent& e) { return noise_unless_sampled(e); },
                 [](const FixedSizeGaussianEvent& e) { return noise_unless_sampled(e); },
                 [](const LaplaceEvent&) -> Noise { return std::nullopt; },
                 [](const RandomizedResponseEvent&) -> Noise { return std::nullopt; },
                 [](const BlackBoxEvent&) -> Noise { return std::nullopt; }},
      event);
}

bool is_too_faint(const Event& event) {
  return std::visit(
      Overloaded{
          [](const GaussianEvent& e) { return is_faint_gaussian(e.noise_multiplier()); },
          [](const PoissonGaussianEvent& e) { return is_faint_gaussian(e.noise_multiplier()); },
          [](const FixedSizeGaussianEvent& e) { return is_faint_gaussian(e.noise_multiplier()); },
          [](const LaplaceEvent& e) { return e.noise_multiplier() < kLeastLaplace; },
          [](const RandomizedResponseEvent&) { return false; },
          [](const BlackBoxEvent&) { return false; }},
      event);
}

bool has_uncountable_noise(const Event& event) {
  return std::visit(
      Overloaded{
          [](const GaussianEvent& e) { return is_uncountable(e.noise_multiplier()); },
          [](const PoissonGaussianEvent& e) { return is_uncountable(e.noise_multiplier()); },
          [](const FixedSizeGaussianEvent& e) { return is_uncountable(e.noise_multiplier()); },
          [](const LaplaceEvent& e) { return is_uncountable(e.noise_multiplier()); },
          [](const RandomizedResponseEvent&) { return false; },
          [](const BlackBoxEvent&) { return false; }},
      event);
}

Event with_countable_noise(const Event& event) {
  return std::visit(
      Overloaded{[](const GaussianEvent& e) -> Event { return e; },
                 [](const PoissonGaussianEvent& e) -> Event {
                   return PoissonGaussianEvent(e.sample_rate(), countable(e.noise_multiplier()));
                 },
                 [](const FixedSizeGaussianEvent& e) -> Event {
                   return FixedSizeGaussianEvent(e.sample_rate(), countable(e.noise_multiplier()));
                 },
                 [](const LaplaceEvent& e) -> Event {
                   return LaplaceEvent(countable(e.noise_multiplier()), e.sample_rate());
                 },
                 [](const RandomizedResponseEvent& e) -> Event { return e; },
                 [](const BlackBoxEvent& e) -> Event { return e; }},
      event);
}

}  // namespace sotto::accounting
