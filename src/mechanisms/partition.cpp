#include "sotto/mechanisms/table_query.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/printed_number.h"
#include "mechanisms/printable.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

Bins::Bins(std::vector<double> edges) : edges_(std::move(edges)) {
  check_argument(edges_.size() >= 2, "bins need at least two edges, got ", edges_.size());
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    check_argument(std::isfinite(edges_[i]) && (i == 0 || edges_[i - 1] < edges_[i]),
                   "edges of bins must be finite and increasing, got ", edges_[i], " as number ",
                   i + 1);
  }
}

std::optional<std::size_t> Bins::part_of(double value) const {
  if (!(value >= edges_.front() && value <= edges_.back())) return std::nullopt;
  const auto above = std::upper_bound(edges_.begin(), edges_.end(), value) - edges_.begin();
  return std::min(static_cast<std::size_t>(above), size()) - 1;
}

std::string Bins::label(std::size_t part) const {
  return "[" + significant(edges_[part], 10) + ", " + significant(edges_[part + 1], 10) +
         (part + 1 == size() ? "]" : ")");
}

Categories::Categories(std::vector<std::string> names) : names_(std::move(names)) {
  check_argument(!names_.empty(), "at least one category must be named");
  std::set<std::string_view> seen;
  for (const auto& name : names_) {
    check_argument(seen.insert(name).second, "category '", printable(name), "' is named twice");
  }
}

std::optional<std::size_t> Categories::part_of(std::string_view value) const {
  const auto found = std::find(names_.begin(), names_.end(), value);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

}  // namespace sotto::mechanisms
