#include "accounting/event_losses.h"

#include <cmath>
#include <limits>

#include "accounting/gaussian_pair.h"
#include "accounting/laplace_pair.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

// A distance over the noise, rounded up: less noise never costs less.
double shift_of(double distance, double noise) {
  return std::nextafter(distance / noise, std::numeric_limits<double>::infinity());
}

LossSources symmetric(const std::shared_ptr<const LossSource>& source) { return {source, source}; }

LossSources both_directions(const std::shared_ptr<const PrivacyPair>& pair) {
  return {make_pair_source(pair), make_pair_source(std::make_shared<ReversedPair>(pair))};
}

[[noreturn]] void refuse(const Event& event, const Neighbours& neighbours,
                         const std::string& remedy) {
  throw NoValidAnalysis("pld has no valid analysis of " + describe(event) + " under " +
                        neighbours.describe() + "; " + remedy);
}

LossSources sources_of(const GaussianEvent& event, const Neighbours& neighbours) {
  const double shift = shift_of(neighbours.sum_sensitivity(), event.noise_multiplier());
  return symmetric(make_pair_source(std::make_shared<PoissonGaussianPair>(1, shift)));
}

LossSources sources_of(const PoissonGaussianEvent& event, const Neighbours& neighbours) {
  const double shift = shift_of(1, event.noise_multiplier());
  const int group = neighbours.group_size();
  if (event.sample_rate() == 1)
    return sources_of(GaussianEvent(event.noise_multiplier()), neighbours);
  if (neighbours.adjacency() != Adjacency::kReplaceOne) {
    if (group == 1) {
      return both_directions(std::make_shared<PoissonGaussianPair>(event.sample_rate(), shift));
    }
    return both_directions(std::make_shared<GaussianMixturePair>(
        binomial_components(group, event.sample_rate(), shift),
        std::vector<GaussianComponent>{{0, 0}}));
  }
  if (group > 1) refuse(event, neighbours, "accepted: add-remove or zero-out for groups");
  // Mirroring z swaps P and Q: one direction is enough.
  return symmetric(
      make_pair_source(std::make_shared<PoissonReplaceGaussianPair>(event.sample_rate(), shift)));
}

LossSources sources_of(const FixedSizeGaussianEvent& event, const Neighbours& neighbours) {
  if (event.sample_rate() == 1)
    return sources_of(GaussianEvent(event.noise_multiplier()), neighbours);
  if (neighbours.adjacency() != Adjacency::kReplaceOne || neighbours.group_size() > 1) {
    refuse(event, neighbours, "accepted: replace-one, one record");
  }
  const double shift = shift_of(neighbours.sum_sensitivity(), event.noise_multiplier());
  return symmetric(
      make_symmetrised_source(std::make_shared<PoissonGaussianPair>(event.sample_rate(), shift)));
}

LossSources sources_of(const LaplaceEvent& event, const Neighbours& neighbours) {
  const double shift = shift_of(neighbours.sum_sensitivity(), event.noise_multiplier());
  const bool one_record_in_or_out =
      neighbours.adjacency() != Adjacency::kReplaceOne && neighbours.group_size() == 1;
  if (event.sample_rate() < 1 && !one_record_in_or_out) {
    refuse(event, neighbours, "accepted: add-remove or zero-out, one record");
  }
  return both_directions(std::make_shared<LaplacePair>(event.sample_rate(), shift));
}

LossSources sources_of(const RandomizedResponseEvent& event, const Neighbours& neighbours) {
  if (neighbours.adjacency() == Adjacency::kAddRemove || neighbours.group_size() > 1) {
    refuse(event, neighbours, "accepted: replace-one or zero-out, one record");
  }
  const double other = event.noise_probability() / event.buckets();
  const double own = 1 - event.noise_probability() + other;
  const double rest = (event.buckets() - 2) * other;
  if (neighbours.adjacency() == Adjacency::kReplaceOne) {
    const double loss = std::log(own / other);
    std::vector<LossAtom> atoms{{-loss, other}, {loss, own}};
    if (rest > 0) atoms.insert(atoms.begin() + 1, {0, rest});
    return symmetric(make_discrete_source(atoms, 0, rest > 0 ? loss : 2 * loss));
  }
  // Zero-out: the missing record answers uniformly.
  const double uniform = 1.0 / event.buckets();
  const double high = std::log(own / uniform);
  const double low = std::log(other / uniform);
  const double others = (event.buckets() - 1) * other;
  return {make_discrete_source({{low, others}, {high, own}}, 0, high - low),
          make_discrete_source({{-high, uniform}, {-low, 1 - uniform}}, 0, high - low)};
}

LossSources sources_of(const BlackBoxEvent& event, const Neighbours& neighbours) {
  if (neighbours.group_size() > 1) refuse(event, neighbours, "accepted: one record");
  // Kairouz, Oh, Viswanath 2015, Section 3.2: the worst (ε, δ) mechanism.
  const double finite = 1 - event.delta();
  const double high = finite / (1 + std::exp(-event.epsilon()));
  const double low = high * std::exp(-event.epsilon());
  return symmetric(make_discrete_source({{-event.epsilon(), low}, {event.epsilon(), high}},
                                        event.delta(), 2 * event.epsilon()));
}

}  // namespace

LossSources loss_sources(const Event& event, const Neighbours& neighbours) {
  return std::visit([&](const auto& e) { return sources_of(e, neighbours); }, event);
}

}  // namespace sotto::accounting
