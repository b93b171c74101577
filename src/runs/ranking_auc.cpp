#include "runs/ranking_auc.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sotto::runs {
namespace {

// Ranks from 1, equals share the mean of theirs.
std::vector<double> midranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double rank = (static_cast<double>(first + last) + 1) / 2;
    for (; first < last; ++first) ranks[order[first]] = rank;
  }
  return ranks;
}

// One class against the rest.
struct OneAgainstRest {
  double value = 0;
  std::size_t inside = 0;
  std::size_t outside = 0;
  std::vector<double> influence = {};  // of each record on the value; sums to 0 on both sides

  std::size_t pairs() const { return std::min(inside, outside); }
};

// The records' values on one side of the class.
struct Side {
  std::vector<std::size_t> records;
  std::vector<double> values;
};

Side side_of(const ScoredRecords& records, const std::vector<double>& values, std::size_t of_class,
             bool inside) {
  Side side;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if ((records.labels[i] == static_cast<std::int64_t>(of_class)) != inside) continue;
    side.records.push_back(i);
    side.values.push_back(values[i]);
  }
  return side;
}

// A record's share of the other side below it, from its ranks among all and on its own side (Sun
// and Xu 2014).
std::vector<double> shares_below(const Side& side, const std::vector<double>& ranks,
                                 std::size_t others) {
  const auto own = midranks(side.values);
  std::vector<double> shares;
  for (std::size_t i = 0; i < own.size(); ++i) {
    shares.push_back((ranks[side.records[i]] - own[i]) / static_cast<double>(others));
  }
  return shares;
}

std::optional<OneAgainstRest> one_against_rest(const ScoredRecords& records, std::size_t of_class) {
  std::vector<double> values;
  for (std::size_t i = 0; i < records.size(); ++i) values.push_back(records.log_odds(i, of_class));
  const auto inside = side_of(records, values, of_class, true);
  const auto outside = side_of(records, values, of_class, false);
  if (inside.records.empty() || outside.records.empty()) return std::nullopt;
  const auto ranks = midranks(values);
  const auto above = shares_below(inside, ranks, outside.records.size());
  const auto below = shares_below(outside, ranks, inside.records.size());
  OneAgainstRest result{0, inside.records.size(), outside.records.size(),
                        std::vector<double>(records.size())};
  const auto m = static_cast<double>(result.inside);
  const auto n = static_cast<double>(result.outside);
  result.value = std::accumulate(above.begin(), above.end(), 0.0) / m;
  for (std::size_t i = 0; i < above.size(); ++i) {
    result.influence[inside.records[i]] = (above[i] - result.value) / m;
  }
  for (std::size_t i = 0; i < below.size(); ++i) {
    result.influence[outside.records[i]] = (1 - below[i] - result.value) / n;
  }
  return result;
}

// Of a sum of the records' influences, where it is fixed how many records each class has. Nothing
// if one has a single record.
std::optional<double> variance_of(const ScoredRecords& records,
                                  const std::vector<double>& influence) {
  struct Sums {
    double count = 0, sum = 0, squares = 0;
  };
  std::vector<Sums> by_class(records.classes);
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto& sums = by_class[static_cast<std::size_t>(records.labels[i])];
    sums.count += 1;
    sums.sum += influence[i];
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto& sums = by_class[static_cast<std::size_t>(records.labels[i])];
    const double off = influence[i] - sums.sum / sums.count;
    sums.squares += off * off;
  }
  double variance = 0;
  for (const auto& [count, sum, squares] : by_class) {
    if (count == 0) continue;
    if (count == 1) return std::nullopt;
    variance += squares * count / (count - 1);
  }
  return variance;
}

Interval interval_around(double value, double variance, std::size_t pairs) {
  constexpr double kNone = 1e-20;  // what rounding leaves where nothing varies
  if (variance <= kNone || value <= 0 || value >= 1) {
    const auto n = static_cast<std::int64_t>(pairs);
    const double right = value * static_cast<double>(pairs);
    return {clopper_pearson(static_cast<std::int64_t>(std::floor(right)), n).low,
            clopper_pearson(std::min(n, static_cast<std::int64_t>(std::ceil(right))), n).high};
  }
  const double half = kTwoSidedQuantile * std::sqrt(variance) / (value * (1 - value));
  const double centre = std::log(value / (1 - value));
  const auto share = [](double logit) { return 1 / (1 + std::exp(-logit)); };
  return {share(centre - half), share(centre + half)};
}

RankingAuc of_two_classes(const ScoredRecords& records, const OneAgainstRest& second) {
  RankingAuc result{second.value};
  if (const auto variance = variance_of(records, second.influence)) {
    result.interval = interval_around(second.value, *variance, second.pairs());
  }
  return result;
}

RankingAuc mean_of(const ScoredRecords& records,
                   const std::vector<std::optional<OneAgainstRest>>& terms) {
  RankingAuc result;
  const auto count = static_cast<double>(
      std::count_if(terms.begin(), terms.end(), [](const auto& term) { return term.has_value(); }));
  std::vector<double> influence(records.size());
  std::size_t pairs = std::numeric_limits<std::size_t>::max();
  for (const auto& term : terms) {
    result.by_class.push_back(term ? std::optional(term->value) : std::nullopt);
    if (!term) continue;
    result.value += term->value / count;
    for (std::size_t i = 0; i < records.size(); ++i) influence[i] += term->influence[i] / count;
    pairs = std::min(pairs, term->pairs());
  }
  result.value = std::clamp(result.value, 0.0, 1.0);  // of rounding
  if (const auto variance = variance_of(records, influence)) {
    result.interval = interval_around(result.value, *variance, pairs);
  }
  return result;
}

}  // namespace

std::optional<RankingAuc> ranking_auc(const ScoredRecords& records) {
  if (records.classes < 2 || !records.all_finite()) return std::nullopt;
  if (records.classes == 2) {
    const auto second = one_against_rest(records, 1);
    return second ? std::optional(of_two_classes(records, *second)) : std::nullopt;
  }
  std::vector<std::optional<OneAgainstRest>> terms;
  for (std::size_t i = 0; i < records.classes; ++i) terms.push_back(one_against_rest(records, i));
  const bool some =
      std::any_of(terms.begin(), terms.end(), [](const auto& term) { return term.has_value(); });
  return some ? std::optional(mean_of(records, terms)) : std::nullopt;
}

}  // namespace sotto::runs
