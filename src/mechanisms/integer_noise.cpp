#include "sotto/mechanisms/integer_noise.h"

#include <string>

#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

using accounting::EpsilonDelta;

std::variant<DiscreteLaplace, DiscreteGaussian> make_distribution(NoiseKind kind,
                                                                  std::int64_t sensitivity,
                                                                  const EpsilonDelta& budget) {
  const EpsilonDelta used{budget.epsilon * (1 - IntegerNoise::kMargin),
                          budget.delta * (1 - IntegerNoise::kMargin)};
  if (kind == NoiseKind::kGaussian) return DiscreteGaussian::for_budget(sensitivity, used);
  check_argument(budget.delta == 0, "Laplace noise needs no delta, got ", budget.delta,
                 "; accepted: 0, or Gaussian noise");
  return DiscreteLaplace(sensitivity, used.epsilon);
}

}  // namespace

std::string_view to_string(NoiseKind kind) {
  return kind == NoiseKind::kLaplace ? "laplace" : "gaussian";
}

NoiseKind noise_kind_from_name(std::string_view text) {
  for (const auto kind : {NoiseKind::kLaplace, NoiseKind::kGaussian}) {
    if (to_string(kind) == text) return kind;
  }
  throw InvalidArgument("noise '" + std::string(text) + "': accepted are laplace and gaussian");
}

IntegerNoise::IntegerNoise(NoiseKind kind, std::int64_t sensitivity, const EpsilonDelta& budget)
    : sensitivity_(sensitivity),
      budget_(budget),
      distribution_(make_distribution(kind, sensitivity, budget)) {}

std::int64_t IntegerNoise::draw(RandomSource& random) const {
  return std::visit([&](const auto& noise) { return noise.draw(random); }, distribution_);
}

double IntegerNoise::standard_deviation() const {
  return std::visit([](const auto& noise) { return noise.standard_deviation(); }, distribution_);
}

std::optional<double> IntegerNoise::gaussian_multiplier() const {
  const auto* gaussian = std::get_if<DiscreteGaussian>(&distribution_);
  if (gaussian == nullptr) return std::nullopt;
  return gaussian->sigma() / static_cast<double>(sensitivity_);
}

double IntegerNoise::half_width(double tail) const {
  return std::visit([&](const auto& noise) { return noise.half_width(tail); }, distribution_);
}

}  // namespace sotto::mechanisms
