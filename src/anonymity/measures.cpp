#include "sotto/anonymity/anonymity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "anonymity/one_spelling.h"
#include "core/printed_number.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::anonymity {

namespace {

constexpr double kRounding = 1e-9;

// How often each sensitive value occurs; values by their index in the whole table's order.
using Counts = std::vector<std::int64_t>;

// The table's sensitive values, in the order in which distances are measured: by size if all are
// numbers. One number is one value, however it is spelt: 2, 2.0 and +2 do not hide each other.
class SensitiveValues {
 public:
  SensitiveValues(const Table& table, std::size_t column) {
    std::map<std::string, std::optional<double>> values;
    for (const auto& row : table.rows) {
      values.emplace(one_spelling(row[column]), mechanisms::field_number(row[column]));
    }
    ordered_ = !values.empty() && std::all_of(values.begin(), values.end(),
                                              [](const auto& value) { return value.second; });
    std::vector<std::pair<double, std::string>> order;
    order.reserve(values.size());
    for (const auto& [text, number] : values) {
      order.emplace_back(ordered_ ? *number : 0.0, text);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [number, text] : order) indices_.emplace(text, indices_.size());
  }

  bool ordered() const { return ordered_; }
  std::size_t size() const { return indices_.size(); }
  std::size_t index(const std::string& value) const { return indices_.at(one_spelling(value)); }

 private:
  std::map<std::string, std::size_t> indices_;  // by their one spelling
  bool ordered_ = false;
};

std::int64_t total(const Counts& counts) {
  std::int64_t sum = 0;
  for (const auto count : counts) sum += count;
  return sum;
}

double entropy_diversity(const Counts& counts) {
  const auto size = static_cast<double>(total(counts));
  double entropy = 0;
  for (const auto count : counts) {
    const double share = static_cast<double>(count) / size;
    if (count > 0) entropy -= share * std::log(share);
  }
  return std::exp(entropy);
}

// Li et al. 2007, section 5: over m values, Σ |cumulative difference| / (m - 1) if they are
// ordered, Σ |difference| / 2 if they are equally far apart.
double distance(const Counts& group, const Counts& table, bool ordered) {
  const auto group_size = static_cast<double>(total(group));
  const auto table_size = static_cast<double>(total(table));
  double cumulative = 0;
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double difference =
        static_cast<double>(group[i]) / group_size - static_cast<double>(table[i]) / table_size;
    cumulative += difference;
    sum += std::abs(ordered ? cumulative : difference);
  }
  if (!ordered) return sum / 2;
  return table.size() > 1 ? sum / static_cast<double>(table.size() - 1) : 0;
}

Group measure_group(const Row& quasi, const Counts& counts, const Counts& table, bool ordered) {
  Group group;
  group.quasi = quasi;
  group.size = total(counts);
  group.distinct =
      std::count_if(counts.begin(), counts.end(), [](auto count) { return count > 0; });
  group.entropy = entropy_diversity(counts);
  group.closeness = distance(counts, table, ordered);
  return group;
}

void take_worst(Measures& measures) {
  const auto& first = measures.groups.front();
  measures.k = first.size;
  measures.distinct = first.distinct;
  measures.entropy = first.entropy;
  for (const auto& group : measures.groups) {
    measures.k = std::min(measures.k, group.size);
    measures.distinct = std::min(measures.distinct, group.distinct);
    measures.entropy = std::min(measures.entropy, group.entropy);
    measures.closeness = std::max(measures.closeness, group.closeness);
  }
}

}  // namespace

Roles find_roles(const std::vector<std::string>& columns, const std::vector<std::string>& quasi,
                 const std::string& sensitive) {
  check_argument(!quasi.empty(), "at least one quasi-identifier must be named");
  Roles roles;
  roles.sensitive = mechanisms::column_index(sensitive, columns);
  std::set<std::size_t> taken{roles.sensitive};
  for (const auto& name : quasi) {
    const std::size_t column = mechanisms::column_index(name, columns);
    check_argument(taken.insert(column).second, "column '", name, "' has two roles");
    roles.quasi.push_back(column);
  }
  return roles;
}

Measures measure(const Table& table, const Roles& roles) {
  Measures measures;
  measures.rows = static_cast<std::int64_t>(table.rows.size());
  const SensitiveValues values(table, roles.sensitive);
  measures.ordered = values.ordered();
  Counts all(values.size(), 0);
  std::map<Row, Counts> groups;
  for (const auto& row : table.rows) {
    Row quasi;
    for (const auto column : roles.quasi) quasi.push_back(row[column]);
    auto& counts = groups.try_emplace(std::move(quasi), values.size(), 0).first->second;
    const std::size_t value = values.index(row[roles.sensitive]);
    ++counts[value];
    ++all[value];
  }
  for (const auto& [quasi, counts] : groups) {
    measures.groups.push_back(measure_group(quasi, counts, all, values.ordered()));
  }
  if (!measures.groups.empty()) take_worst(measures);
  return measures;
}

std::vector<std::string> failures(const Group& group, const Requirements& requirements) {
  std::vector<std::string> lacks;
  if (requirements.k && group.size < *requirements.k) {
    lacks.push_back("k = " + std::to_string(group.size) + " < " + std::to_string(*requirements.k));
  }
  if (requirements.distinct &&
      static_cast<double>(group.distinct) < *requirements.distinct - kRounding) {
    lacks.push_back("ℓ = " + std::to_string(group.distinct) + " < " +
                    significant(*requirements.distinct, 10));
  }
  if (requirements.entropy && group.entropy < *requirements.entropy - kRounding) {
    lacks.push_back("entropy ℓ = " + significant(group.entropy, 10) + " < " +
                    significant(*requirements.entropy, 10));
  }
  if (requirements.closeness && group.closeness > *requirements.closeness + kRounding) {
    lacks.push_back("t = " + significant(group.closeness, 10) + " > " +
                    significant(*requirements.closeness, 10));
  }
  return lacks;
}

}  // namespace sotto::anonymity
