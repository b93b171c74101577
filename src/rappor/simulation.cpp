#include "rappor/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/distributions.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

struct NamedDistribution {
  Distribution distribution;
  const char* name;
};

constexpr std::array kDistributions = {NamedDistribution{Distribution::kNormal, "normal"},
                                       NamedDistribution{Distribution::kExponential, "exponential"},
                                       NamedDistribution{Distribution::kUniform, "uniform"},
                                       NamedDistribution{Distribution::kZipf, "zipf"}};

// Up to a factor, for rank 1 to n.
double density(Distribution distribution, double rank, double count) {
  switch (distribution) {
    case Distribution::kNormal: {
      const double z = (rank - count / 2) / (count / 10);
      return std::exp(-z * z / 2);
    }
    case Distribution::kExponential:
      return std::exp(-5 * rank / count);
    case Distribution::kUniform:
      return 1;
    case Distribution::kZipf:
      return 1 / rank;
  }
  return 0;
}

std::vector<std::string> numbered(const char* prefix, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

// Who has which string: a number of string a person.
class Population {
 public:
  explicit Population(const std::vector<double>& probabilities) : cumulated_(probabilities.size()) {
    std::partial_sum(probabilities.begin(), probabilities.end(), cumulated_.begin());
  }

  std::size_t draw(RandomSource& random) const {
    const double level = draw_uniform(random) * cumulated_.back();
    const auto place = std::upper_bound(cumulated_.begin(), cumulated_.end(), level);
    return std::min<std::size_t>(static_cast<std::size_t>(place - cumulated_.begin()),
                                 cumulated_.size() - 1);
  }

 private:
  std::vector<double> cumulated_;
};

// Secrets come from the simulation's seed.
std::string drawn_secret(RandomSource& random) {
  std::string secret;
  for (int word = 0; word < 2; ++word) {
    for (std::uint64_t bits = random(), i = 0; i < 8; ++i, bits >>= 8U) {
      secret += static_cast<char>(bits & 0xFFU);
    }
  }
  return secret;
}

struct Collected {
  Counts counts;
  std::vector<std::uint64_t> true_counts;
};

Collected collect(const SimulationOptions& options, const std::vector<std::string>& names) {
  SeededRandomNotPrivate random(options.seed);
  const Population population(string_probabilities(options.distribution, options.true_strings));
  Summation summation(options.params);
  std::vector<std::uint64_t> true_counts(names.size());
  for (std::uint64_t person = 0; person < options.reports; ++person) {
    const std::size_t string = population.draw(random);
    ++true_counts[string];
    const Client client(options.params, {.secret = drawn_secret(random), .metric = "simulation"});
    summation.add(options.basic ? client.encode_category(static_cast<std::uint32_t>(string), random)
                                : client.encode(names[string], random));
  }
  return {summation.counts(), std::move(true_counts)};
}

void place_estimates(const Decoding& decoding, std::vector<SimulatedString>& strings) {
  for (const auto& estimate : decoding.estimates) {
    auto& string = strings[estimate.candidate];
    string.estimate = estimate.frequency;
    string.low = estimate.low;
    string.high = estimate.high;
    string.p_value = estimate.p_value;
    string.fitted = true;
    string.found = estimate.found;
  }
}

void compare(Simulation& simulation) {
  double difference = 0;
  for (const auto& string : simulation.strings) {
    const bool real = string.true_frequency > 0;
    simulation.true_strings += real ? 1 : 0;
    simulation.found += real && string.found ? 1 : 0;
    simulation.false_positives += !real && string.found ? 1 : 0;
    simulation.intervals += string.fitted ? 1 : 0;
    const bool covered =
        string.low <= string.true_frequency && string.true_frequency <= string.high;
    simulation.covering += string.fitted && covered ? 1 : 0;
    difference += std::abs((string.found ? string.estimate : 0) - string.true_frequency);
  }
  simulation.total_variation = difference / 2;
}

void check_options(const SimulationOptions& options) {
  check_argument(options.reports >= 1, "a simulation needs at least one report");
  check_argument(options.true_strings >= 1, "a simulation needs at least one true string");
}

}  // namespace

Distribution distribution_from_name(const std::string& name) {
  for (const auto& known : kDistributions) {
    if (name == known.name) return known.distribution;
  }
  throw InvalidArgument("distribution '" + name + "': expected one of " + distribution_names());
}

std::string_view to_string(Distribution distribution) {
  return std::find_if(kDistributions.begin(), kDistributions.end(),
                      [&](const auto& named) { return named.distribution == distribution; })
      ->name;
}

std::string distribution_names() {
  std::string names;
  for (const auto& known : kDistributions) {
    names += std::string(names.empty() ? "" : ", ") + known.name;
  }
  return names;
}

std::vector<double> string_probabilities(Distribution distribution, std::size_t strings) {
  std::vector<double> probabilities;
  for (std::size_t rank = 1; rank <= strings; ++rank) {
    probabilities.push_back(
        density(distribution, static_cast<double>(rank), static_cast<double>(strings)));
  }
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  for (auto& probability : probabilities) probability /= sum;
  return probabilities;
}

SimulationOptions default_simulation(Distribution distribution) {
  SimulationOptions options;
  options.distribution = distribution;
  options.decode.correction = Correction::kBenjaminiHochberg;
  options.decode.alpha = 0.03;
  if (distribution == Distribution::kNormal) {
    options.basic = true;
    options.true_strings = 100;
    options.false_strings = 0;
    options.params = Params({.bits = 100, .hashes = 1, .cohorts = 1, .f = 0, .p = 0.5, .q = 0.75});
  }
  return options;
}

Simulation simulate(const SimulationOptions& options) {
  check_options(options);
  std::vector<std::string> names = numbered(options.basic ? "" : "v", options.true_strings);
  const auto false_names = numbered("false", options.false_strings);
  names.insert(names.end(), false_names.begin(), false_names.end());
  const CandidateMap map = options.basic
                               ? CandidateMap::of_categories(options.params, names)
                               : CandidateMap::of_strings(options.params, Profile::kSotto, names);
  const Collected collected = collect(options, names);
  Simulation simulation;
  for (std::size_t i = 0; i < names.size(); ++i) {
    simulation.strings.push_back({.name = names[i],
                                  .true_frequency = static_cast<double>(collected.true_counts[i]) /
                                                    static_cast<double>(options.reports)});
  }
  simulation.decoding = decode(collected.counts, options.params, map, options.decode);
  place_estimates(simulation.decoding, simulation.strings);
  compare(simulation);
  return simulation;
}

}  // namespace sotto::rappor
