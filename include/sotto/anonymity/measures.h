// How well a table hides who is who: k-anonymity, ℓ-diversity, t-closeness.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sotto::anonymity {

using Row = std::vector<std::string>;

struct Table {
  std::vector<std::string> columns;
  std::vector<Row> rows;  // each as wide as columns
};

// Which columns could be looked up elsewhere (quasi-identifiers), and which one must stay secret.
struct Roles {
  std::vector<std::size_t> quasi;
  std::size_t sensitive = 0;
};

// Columns by name. Throws InvalidArgument if one is not there, is there twice, has two roles, or if
// there is no quasi-identifier.
Roles find_roles(const std::vector<std::string>& columns, const std::vector<std::string>& quasi,
                 const std::string& sensitive);

// Rows that agree in all quasi-identifiers.
struct Group {
  Row quasi;
  std::int64_t size = 0;      // k: rows (Sweeney 2002)
  std::int64_t distinct = 0;  // ℓ: different sensitive values (Machanavajjhala et al. 2006)
  double entropy = 1;  // ℓ: e^H of the sensitive values, at most `distinct` (the same authors)
  // t: earth mover's distance between the group's sensitive values and the table's, in [0, 1] (Li,
  // Li, Venkatasubramanian 2007).
  double closeness = 0;
};

struct Measures {
  std::vector<Group> groups;  // in the order of their quasi-identifiers
  std::int64_t rows = 0;
  // Numbers are as far apart as the ranks between them; other values all equally far.
  bool ordered = false;
  // Of the worst group each. A table without rows hides nobody: 0, 0, 0, and 0.
  std::int64_t k = 0;
  std::int64_t distinct = 0;
  double entropy = 0;
  double closeness = 0;
};

Measures measure(const Table& table, const Roles& roles);

// What every group must have. Nothing is required that is not given.
struct Requirements {
  std::optional<std::int64_t> k = {};
  std::optional<double> distinct = {};
  std::optional<double> entropy = {};
  std::optional<double> closeness = {};

  bool any() const { return k || distinct || entropy || closeness; }
};

// What the group lacks, e.g. "k = 1 < 2"; empty if it has everything. Comparisons forgive a
// rounding of 1e-9.
std::vector<std::string> failures(const Group& group, const Requirements& requirements);

}  // namespace sotto::anonymity
