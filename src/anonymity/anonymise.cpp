#include "sotto/anonymity/anonymity.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "sotto/core/error.h"

namespace sotto::anonymity {

namespace {

using Levels = std::vector<int>;

constexpr std::size_t kMostCombinations = 1000000;

double loss(const Levels& levels, const std::vector<Ladder>& ladders) {
  double sum = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    sum += static_cast<double>(levels[i]) / ladders[i].height();
  }
  return sum;
}

// All combinations, the least general first.
std::vector<Levels> combinations(const std::vector<Ladder>& ladders) {
  std::vector<Levels> all{{}};
  for (const auto& ladder : ladders) {
    const auto choices = static_cast<std::size_t>(ladder.height()) + 1;
    check_argument(all.size() * choices <= kMostCombinations,
                   "too many quasi-identifiers: more than 1000000 ways to generalise them");
    std::vector<Levels> longer;
    for (const auto& levels : all) {
      for (int level = 0; level <= ladder.height(); ++level) {
        longer.push_back(levels);
        longer.back().push_back(level);
      }
    }
    all = std::move(longer);
  }
  std::stable_sort(all.begin(), all.end(), [&](const Levels& a, const Levels& b) {
    return loss(a, ladders) < loss(b, ladders);
  });
  return all;
}

Table generalised(const Table& table, const Roles& roles, const std::vector<Ladder>& ladders,
                  const Levels& levels) {
  Table result;
  for (const auto column : roles.quasi) result.columns.push_back(table.columns[column]);
  result.columns.push_back(table.columns[roles.sensitive]);
  for (const auto& row : table.rows) {
    Row less;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      less.push_back(ladders[i].at(row[roles.quasi[i]], levels[i]));
    }
    less.push_back(row[roles.sensitive]);
    result.rows.push_back(std::move(less));
  }
  return result;
}

Roles roles_of_release(std::size_t quasi) {
  Roles roles;
  roles.quasi.resize(quasi);
  std::iota(roles.quasi.begin(), roles.quasi.end(), std::size_t{0});
  roles.sensitive = quasi;
  return roles;
}

// Leaves out failing groups until none fails: t-closeness may change for those that are left.
Measures suppress(Table& table, const Roles& roles, const Requirements& requirements) {
  while (true) {
    auto measures = measure(table, roles);
    std::set<Row> failing;
    for (const auto& group : measures.groups) {
      if (!failures(group, requirements).empty()) failing.insert(group.quasi);
    }
    if (failing.empty()) return measures;
    std::erase_if(table.rows, [&](const Row& row) {
      return failing.contains(Row(row.begin(), row.end() - 1));
    });
  }
}

}  // namespace

Anonymised anonymise(const Table& table, const Roles& roles, const AnonymiseOptions& options) {
  check_argument(!table.rows.empty(), "the table has no rows");
  check_argument(options.ladders.size() == roles.quasi.size(),
                 "ladders must number as many as quasi-identifiers");
  const auto rows = static_cast<std::int64_t>(table.rows.size());
  const double allowed = options.largest_suppression * static_cast<double>(rows);
  for (const auto& levels : combinations(options.ladders)) {
    Anonymised result;
    result.table = generalised(table, roles, options.ladders, levels);
    result.roles = roles_of_release(levels.size());
    result.measures = suppress(result.table, result.roles, options.requirements);
    result.suppressed = rows - result.measures.rows;
    if (result.measures.rows == 0 || static_cast<double>(result.suppressed) > allowed) continue;
    result.levels = levels;
    std::sort(result.table.rows.begin(), result.table.rows.end());
    return result;
  }
  throw std::runtime_error(
      "no generalisation meets the requirements, not even all quasi-identifiers replaced by *; "
      "nothing was written");
}

}  // namespace sotto::anonymity
