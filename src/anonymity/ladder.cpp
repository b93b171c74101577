#include "sotto/anonymity/anonymity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

#include "core/printed_number.h"
#include "mechanisms/printable.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::anonymity {

namespace {

using mechanisms::printable;

constexpr int kDoublings = 5;  // of a ladder of widths

bool is_whole(double value) { return std::floor(value) == value && std::abs(value) < 1e15; }

std::string interval(double low, double high, bool whole) {
  if (!whole) return "[" + significant(low, 10) + "; " + significant(high, 10) + ")";
  if (high == low + 1) return significant(low, 10);
  return significant(low, 10) + "-" + significant(high - 1, 10);
}

// Every 2^(level-1)-th edge counts.
std::string in_bins(const std::vector<double>& edges, const std::string& value, int level) {
  const auto number = mechanisms::field_number(value);
  if (!number) return kAnything;
  const std::size_t stride = std::size_t{1} << static_cast<unsigned>(level - 1);
  std::optional<double> low;
  for (std::size_t i = 0; i < edges.size(); i += stride) {
    if (*number >= edges[i]) {
      low = edges[i];
      continue;
    }
    if (!low) return "<" + significant(edges[i], 10);
    return interval(*low, edges[i], is_whole(*low) && is_whole(edges[i]) && is_whole(*number));
  }
  return significant(*low, 10) + "+";
}

std::string in_width(double width, const std::string& value, int level) {
  const auto number = mechanisms::field_number(value);
  if (!number) return kAnything;
  const double step = std::ldexp(width, level - 1);
  const double low = std::floor(*number / step) * step;
  return interval(low, low + step, is_whole(low) && is_whole(step) && is_whole(*number));
}

using Steps = std::map<std::string, std::vector<std::string>>;  // value to its levels

// Values that agree on a level must agree above it.
void check_tree(const Steps& steps, const std::string& name) {
  std::map<std::pair<std::size_t, std::string>, std::string> parents;
  for (const auto& [value, levels] : steps) {
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      const auto [known, is_new] = parents.try_emplace({i, levels[i]}, levels[i + 1]);
      if (is_new || known->second == levels[i + 1]) continue;
      throw InvalidArgument(name + ": '" + printable(levels[i]) + "' is part of '" +
                            printable(known->second) + "' and of '" + printable(levels[i + 1]) +
                            "'");
    }
  }
}

Steps read_steps(const std::vector<std::vector<std::string>>& rows, const std::string& name) {
  check_argument(!rows.empty() && rows.front().size() >= 2, name,
                 ": must have lines of a value and at least one less exact one");
  Steps steps;
  for (const auto& row : rows) {
    std::vector<std::string> levels;
    levels.reserve(row.size());
    for (const auto& field : row) levels.emplace_back(mechanisms::trimmed(field));
    const std::string value = levels.front();
    levels.erase(levels.begin());
    check_argument(steps.try_emplace(value, levels).second, name, ": '", printable(value),
                   "' is there twice");
  }
  check_tree(steps, name);
  return steps;
}

}  // namespace

Ladder Ladder::suppression() {
  return {1, [](const std::string& value, int) { return value; }};
}

Ladder Ladder::bins(const std::vector<double>& edges) {
  check_argument(!edges.empty(), "bins need at least one edge");
  for (std::size_t i = 0; i < edges.size(); ++i) {
    check_argument(std::isfinite(edges[i]) && (i == 0 || edges[i - 1] < edges[i]),
                   "edges of bins must be finite and increasing, got ", edges[i], " as number ",
                   i + 1);
  }
  int height = 2;
  for (std::size_t stride = 1; stride < edges.size(); stride *= 2) ++height;
  return {height,
          [edges](const std::string& value, int level) { return in_bins(edges, value, level); }};
}

Ladder Ladder::widths(double width) {
  check_argument(width > 0 && std::isfinite(width), "width must be positive, got ", width);
  return {kDoublings + 1,
          [width](const std::string& value, int level) { return in_width(width, value, level); }};
}

Ladder Ladder::hierarchy(const std::vector<std::vector<std::string>>& rows,
                         const std::string& name) {
  auto steps = read_steps(rows, name);
  const int height = static_cast<int>(rows.front().size());
  return {height, [steps, name](const std::string& value, int level) {
            const auto found = steps.find(std::string(mechanisms::trimmed(value)));
            if (found == steps.end()) {
              throw InvalidArgument(name + ": lacks the value '" + printable(value) + "'");
            }
            return found->second[static_cast<std::size_t>(level) - 1];
          }};
}

std::string Ladder::at(const std::string& value, int level) const {
  if (level == 0) return value;
  if (level == height_) return kAnything;
  return step_(value, level);
}

}  // namespace sotto::anonymity
