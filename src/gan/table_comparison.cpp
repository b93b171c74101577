#include "gan/table_comparison.h"

#include <cmath>
#include <limits>

namespace sotto::gan {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;

// Those that are there.
Values present(const Values& values) {
  Values result;
  for (const double value : values) {
    if (!std::isnan(value)) result.push_back(value);
  }
  return result;
}

double missing_share(const Values& values) {
  if (values.empty()) return kNone;
  return 1 - static_cast<double>(present(values).size()) / static_cast<double>(values.size());
}

double mean_of(const Values& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? kNone : sum / static_cast<double>(values.size());
}

// Sum of squared distances from the mean.
double scatter_of(const Values& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

double deviation_of(const Values& values) {
  if (values.size() < 2) return kNone;
  return std::sqrt(scatter_of(values) / static_cast<double>(values.size() - 1));
}

// Rows in which both columns have a value.
struct BothPresent {
  Values first;
  Values second;

  BothPresent(const DecodedColumn& a, const DecodedColumn& b) {
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      if (std::isnan(a.values[i]) || std::isnan(b.values[i])) continue;
      first.push_back(a.values[i]);
      second.push_back(b.values[i]);
    }
  }
};

double pearson(const BothPresent& rows) {
  const double first_mean = mean_of(rows.first);
  const double second_mean = mean_of(rows.second);
  double together = 0;
  for (std::size_t i = 0; i < rows.first.size(); ++i) {
    together += (rows.first[i] - first_mean) * (rows.second[i] - second_mean);
  }
  const double scatter = std::sqrt(scatter_of(rows.first) * scatter_of(rows.second));
  return scatter > 0 ? together / scatter : kNone;
}

std::size_t occurring(const Values& counts) {
  std::size_t count = 0;
  for (const double value : counts) count += value > 0 ? 1 : 0;
  return count;
}

double cramers_v(const BothPresent& rows, std::size_t first_count, std::size_t second_count) {
  Values first(first_count);
  Values second(second_count);
  Values cells(first_count * second_count);
  for (std::size_t i = 0; i < rows.first.size(); ++i) {
    const auto a = static_cast<std::size_t>(rows.first[i]);
    const auto b = static_cast<std::size_t>(rows.second[i]);
    ++first[a];
    ++second[b];
    ++cells[a * second_count + b];
  }
  const auto least = std::min(occurring(first), occurring(second));
  if (least < 2) return kNone;
  double share_sum = 0;  // χ²/n + 1
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const double expected = first[cell / second_count] * second[cell % second_count];
    if (expected > 0) share_sum += cells[cell] * cells[cell] / expected;
  }
  return std::sqrt(std::max(0.0, share_sum - 1) / static_cast<double>(least - 1));
}

double correlation_ratio(const Values& categories, const Values& numbers, std::size_t count) {
  Values sums(count);
  Values sizes(count);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    sums[static_cast<std::size_t>(categories[i])] += numbers[i];
    ++sizes[static_cast<std::size_t>(categories[i])];
  }
  const double mean = mean_of(numbers);
  double between = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (sizes[k] > 0) between += sizes[k] * std::pow(sums[k] / sizes[k] - mean, 2);
  }
  const double scatter = scatter_of(numbers);
  return scatter > 0 ? std::sqrt(std::min(1.0, between / scatter)) : kNone;
}

Association association_of(const DecodedColumn& a, const DecodedColumn& b) {
  if (a.is_number() != b.is_number()) return Association::kCorrelationRatio;
  return a.is_number() ? Association::kPearson : Association::kCramersV;
}

double strength(const DecodedColumn& a, const DecodedColumn& b) {
  const BothPresent rows(a, b);
  switch (association_of(a, b)) {
    case Association::kPearson:
      return pearson(rows);
    case Association::kCramersV:
      return cramers_v(rows, a.categories.size(), b.categories.size());
    case Association::kCorrelationRatio:
      break;
  }
  return a.is_number() ? correlation_ratio(rows.second, rows.first, b.categories.size())
                       : correlation_ratio(rows.first, rows.second, a.categories.size());
}

NumberComparison compare_numbers(const DecodedColumn& real, const DecodedColumn& synthetic) {
  const Values ours = present(real.values);
  const Values theirs = present(synthetic.values);
  return {real.name,
          {mean_of(ours), mean_of(theirs)},
          {deviation_of(ours), deviation_of(theirs)},
          {missing_share(real.values), missing_share(synthetic.values)},
          real.is_date};
}

Values shares_of(const DecodedColumn& column) {
  Values shares(column.categories.size());
  const Values values = present(column.values);
  for (const double value : values) {
    shares[static_cast<std::size_t>(value)] += 1 / static_cast<double>(values.size());
  }
  return shares;
}

CategoryComparison compare_categories(const DecodedColumn& real, const DecodedColumn& synthetic) {
  CategoryComparison result{real.name, real.categories, {}, {}, 0};
  const Values ours = shares_of(real);
  const Values theirs = shares_of(synthetic);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    result.shares.push_back({ours[i], theirs[i]});
    result.total_variation += std::abs(ours[i] - theirs[i]) / 2;
  }
  result.missing = {missing_share(real.values), missing_share(synthetic.values)};
  return result;
}

}  // namespace

const char* to_string(Association association) {
  switch (association) {
    case Association::kPearson:
      return "pearson";
    case Association::kCramersV:
      return "cramers_v";
    case Association::kCorrelationRatio:
      break;
  }
  return "correlation_ratio";
}

double TableComparison::mean_pair_difference() const {
  Values differences;
  for (const auto& pair : pairs) {
    differences.push_back(std::abs(pair.strength.real - pair.strength.synthetic));
  }
  return mean_of(present(differences));
}

TableComparison compare_tables(const std::vector<DecodedColumn>& real,
                               const std::vector<DecodedColumn>& synthetic) {
  TableComparison result;
  result.real_rows = real.empty() ? 0 : static_cast<std::int64_t>(real.front().values.size());
  for (std::size_t i = 0; i < real.size(); ++i) {
    if (real[i].is_number()) {
      result.numbers.push_back(compare_numbers(real[i], synthetic[i]));
    } else {
      result.categories.push_back(compare_categories(real[i], synthetic[i]));
    }
    for (std::size_t k = i + 1; k < real.size(); ++k) {
      result.pairs.push_back({real[i].name,
                              real[k].name,
                              association_of(real[i], real[k]),
                              {strength(real[i], real[k]), strength(synthetic[i], synthetic[k])}});
    }
  }
  return result;
}

}  // namespace sotto::gan
