#include "sweep/expansion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/distributions.h"
#include "sotto/core/error.h"
#include "sweep/unread_flags.h"

namespace sotto::sweep {
namespace {

constexpr double kMostRuns = 100'000;
constexpr double kMostCombinations = 10'000;

void require_runs(double configurations, std::int64_t repeats) {
  const double runs = configurations * static_cast<double>(repeats);
  check_argument(runs <= kMostRuns, "a sweep of ", runs, " runs: accepted are at most ", kMostRuns);
}

// Infinite if some flag has a range.
double combinations(const SweepSettings& settings) {
  double product = 1;
  for (const auto& flag : settings.flags) {
    product *= flag.range ? HUGE_VAL : static_cast<double>(flag.values.size());
  }
  return product;
}

std::vector<Configuration> grid(const SweepSettings& settings) {
  std::vector<Configuration> configurations(1);
  for (const auto& flag : settings.flags) {
    std::vector<Configuration> longer;
    for (const auto& one : configurations) {
      for (const auto& value : flag.values) {
        longer.push_back(one);
        longer.back().push_back({flag.name, value, flag.is_switch});
      }
    }
    configurations = std::move(longer);
  }
  return configurations;
}

// Six digits say enough, and keep tables legible.
std::string number_text(const ValueRange& range, double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), range.whole ? "%.0f" : "%.6g", value);
  return text.data();
}

std::string drawn_number(const ValueRange& range, RandomSource& random) {
  const auto scaled = [&](double value) { return range.logarithmic ? std::log(value) : value; };
  // A whole number has the same room as its neighbours: half a step beyond both ends.
  const double margin = range.whole ? 0.5 : 0;
  const double low = scaled(range.from - margin);
  const double share = draw_uniform(random);
  double value = low + share * (scaled(range.to + margin) - low);
  if (range.logarithmic) value = std::exp(value);
  if (range.whole) value = std::round(value);
  return number_text(range, std::clamp(value, range.from, range.to));
}

Configuration drawn(const SweepSettings& settings, RandomSource& random) {
  Configuration configuration;
  for (const auto& flag : settings.flags) {
    const auto place =
        static_cast<std::size_t>(draw_uniform(random) * static_cast<double>(flag.values.size()));
    configuration.push_back({flag.name,
                             flag.range ? drawn_number(*flag.range, random) : flag.values[place],
                             flag.is_switch});
  }
  return configuration;
}

std::vector<Configuration> distinct_samples(const SweepSettings& settings) {
  const auto samples = static_cast<std::size_t>(*settings.samples);
  check_argument(static_cast<double>(samples) <= combinations(settings), "samples ", samples,
                 ": there are only ", combinations(settings), " combinations to draw from");
  SeededRandomNotPrivate random(settings.seed.value_or(0));
  std::vector<Configuration> configurations;
  // A narrow range of whole numbers may have fewer values than samples are asked for.
  for (std::size_t tries = 0; configurations.size() < samples; ++tries) {
    check_argument(tries < 1000 * samples, "samples ", samples, ": there are only ",
                   configurations.size(), " combinations to draw from, or hardly more");
    auto one = drawn(settings, random);
    if (std::find(configurations.begin(), configurations.end(), one) == configurations.end()) {
      configurations.push_back(std::move(one));
    }
  }
  return configurations;
}

// The theorem's setting: so many independent draws, repetitions included.
std::vector<Configuration> secret_samples(const SweepSettings& settings) {
  SecureRandom random;
  const std::int64_t count = settings.draw->draw(random);
  require_runs(static_cast<double>(count), settings.repeats);
  std::vector<Configuration> configurations;
  for (std::int64_t i = 0; i < count; ++i) configurations.push_back(drawn(settings, random));
  return configurations;
}

// Both ends of a range, and a number inside that is whole only where all are.
std::vector<std::string> typical_values(const SweptFlag& flag) {
  if (!flag.range) return flag.values;
  const auto& range = *flag.range;
  const double inside = range.from + 0.6180339887 * (range.to - range.from);
  return {number_text(range, range.from), number_text(range, inside), number_text(range, range.to)};
}

// The first value of every flag, but for one flag each of its values.
std::vector<Configuration> one_flag_at_a_time(const SweepSettings& settings) {
  std::vector<Configuration> configurations;
  for (std::size_t i = 0; i < settings.flags.size(); ++i) {
    SweepSettings one = settings;
    for (std::size_t j = 0; j < one.flags.size(); ++j) {
      if (j != i) one.flags[j].values.resize(1);
    }
    for (auto& configuration : grid(one)) configurations.push_back(std::move(configuration));
  }
  return configurations;
}

// A value with which the flag is given.
std::string given_value(const SweptFlag& flag) {
  const auto on = std::find(flag.values.begin(), flag.values.end(), "true");
  return flag.is_switch && on != flag.values.end() ? *on : typical_values(flag).front();
}

}  // namespace

std::vector<Configuration> deciding_combinations(const SweepSettings& settings) {
  SweepSettings listed = settings;
  for (auto& flag : listed.flags) {
    const bool decides = decides_use(flag.name);
    flag.values = decides ? typical_values(flag) : std::vector{given_value(flag)};
    flag.range.reset();
  }
  return combinations(listed) <= kMostCombinations ? grid(listed) : std::vector<Configuration>();
}

std::vector<Configuration> drawable(const SweepSettings& settings) {
  SweepSettings listed = settings;
  for (auto& flag : listed.flags) {
    flag.values = typical_values(flag);
    flag.range.reset();
  }
  return combinations(listed) <= kMostCombinations ? grid(listed) : one_flag_at_a_time(listed);
}

std::vector<Configuration> expanded(const SweepSettings& settings) {
  if (settings.draw) return secret_samples(settings);
  const bool is_grid = settings.chosen_mode() == Mode::kGrid;
  require_runs(is_grid ? combinations(settings) : static_cast<double>(*settings.samples),
               settings.repeats);
  return is_grid ? grid(settings) : distinct_samples(settings);
}

}  // namespace sotto::sweep
