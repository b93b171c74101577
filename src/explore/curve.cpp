#include "explore/curve.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "explore/precision.h"
#include "sotto/core/error.h"

namespace sotto::explore {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPoints = 13;

// kPoints values from low to high, evenly or by equal factors; whole numbers if these are wanted.
struct Range {
  double low;
  double high;
  bool by_factors;
  bool whole;

  std::set<double> values() const {
    std::set<double> all;
    for (int i = 0; i < kPoints; ++i) {
      const double share = static_cast<double>(i) / (kPoints - 1);
      const double value =
          by_factors ? low * std::pow(high / low, share) : low + (high - low) * share;
      all.insert(whole ? std::round(value) : value);
    }
    return all;
  }
};

Range range_of(const Settings& settings, Along along) {
  constexpr double kLeastShownNoise = 0.2;
  switch (along) {
    case Along::kEpochs:
      return {1, std::max(10.0, std::min(2.0 * static_cast<double>(settings.epochs), kMostEpochs)),
              false, true};
    case Along::kNoise: {
      const double centre = std::clamp(settings.noise_multiplier, 2 * kLeastShownNoise, 1e5);
      return {std::max(kLeastShownNoise, centre / 3), centre * 3, true, false};
    }
    case Along::kBatchSize: {
      const auto most = static_cast<double>(settings.dataset_size);
      const auto present = static_cast<double>(settings.batch_size);
      return {std::max(1.0, present / 16), std::min(most, present * 16), true, true};
    }
  }
  throw std::logic_error("unknown setting");
}

double present_value(const Settings& settings, Along along) {
  if (along == Along::kEpochs) return static_cast<double>(settings.epochs);
  if (along == Along::kNoise) return settings.noise_multiplier;
  return static_cast<double>(settings.batch_size);
}

Settings with(Settings settings, Along along, double x) {
  if (along == Along::kEpochs) settings.epochs = static_cast<std::int64_t>(x);
  if (along == Along::kNoise) settings.noise_multiplier = x;
  if (along == Along::kBatchSize) settings.batch_size = static_cast<std::int64_t>(x);
  return settings;
}

CurvePoint point(const Settings& settings, double x) {
  const auto cost = settings.planned(Precision::kCurve).cost();
  return {x, cost.epsilon, cost.epsilon_lower.value_or(0)};
}

// Both ends, then the middle, then the middles of the halves, and so on.
std::vector<double> coarse_to_fine(const std::vector<double>& ascending) {
  std::vector<double> ordered{ascending.front()};
  if (ascending.size() > 1) ordered.push_back(ascending.back());
  std::deque<std::pair<std::size_t, std::size_t>> gaps{{0, ascending.size() - 1}};
  while (!gaps.empty()) {
    const auto [low, high] = gaps.front();
    gaps.pop_front();
    if (high - low < 2) continue;
    const std::size_t middle = (low + high) / 2;
    ordered.push_back(ascending[middle]);
    gaps.emplace_back(low, middle);
    gaps.emplace_back(middle, high);
  }
  return ordered;
}

}  // namespace

Along along_from_name(std::string_view text) {
  if (text == "epochs") return Along::kEpochs;
  if (text == "noise_multiplier") return Along::kNoise;
  check_argument(text == "batch_size", "along: expected epochs, noise_multiplier or batch_size");
  return Along::kBatchSize;
}

std::vector<CurvePoint> curve(const Settings& settings, Along along,
                              std::chrono::milliseconds time_limit) {
  const auto end = Clock::now() + time_limit;
  const std::set<double> values = range_of(settings, along).values();
  const std::vector<double> order = coarse_to_fine({values.begin(), values.end()});
  std::map<double, CurvePoint> points;
  const auto add = [&](double x) {
    if (!points.contains(x)) points.emplace(x, point(with(settings, along, x), x));
  };
  const double present = present_value(settings, along);
  if (present > 0) add(present);
  constexpr std::size_t kAlways = 2;  // the ends
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i >= kAlways && Clock::now() >= end) break;
    add(order[i]);
  }
  std::vector<CurvePoint> ascending;
  ascending.reserve(points.size());
  for (const auto& [x, found] : points) ascending.push_back(found);
  return ascending;
}

nlohmann::ordered_json curve_json(const std::vector<CurvePoint>& points) {
  nlohmann::ordered_json json{{"points", nlohmann::ordered_json::array()}};
  double excess = 0;
  for (const auto& [x, epsilon, lower] : points) {
    const bool bounded = std::isfinite(epsilon);
    json["points"].push_back({x, bounded ? nlohmann::ordered_json(epsilon) : nullptr});
    if (bounded && epsilon > 0) excess = std::max(excess, epsilon / lower - 1);
  }
  json["excess"] = std::isfinite(excess) ? nlohmann::ordered_json(excess) : nullptr;
  return json;
}

}  // namespace sotto::explore
