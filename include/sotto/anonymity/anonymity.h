// k-anonymity of a table: measures how well it hides who is who, and generalises and suppresses
// until every group has what is required.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sotto::anonymity {

// Measures: k-anonymity, ℓ-diversity, t-closeness.

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
  // Each of the worst group. A table without rows hides nobody: 0, 0, 0, and 0.
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

// Generalisation: a value, step by step, replaced by less exact ones.

inline constexpr const char* kAnything = "*";

// Level 0 is the value itself, level height() is "*". Values that agree on one level agree on all
// above it.
class Ladder {
 public:
  // The value, then "*".
  static Ladder suppression();

  // Numbers to the bins between edges, "18-30" for [18, 31) if edges and value are whole, else
  // "[18; 31)"; below the first edge "<18", from the last on "60+"; then bins twice as wide, and so
  // on. What is not a number becomes "*" at once. Throws InvalidArgument unless edges are finite
  // and increasing, and there is one at least.
  static Ladder bins(const std::vector<double>& edges);

  // Numbers to bins from multiples of `width`, then 2, 4, 8 and 16 times that. Throws
  // InvalidArgument unless it is positive and finite.
  static Ladder widths(double width);

  // Value by value, from a list of rows "value, level 1, level 2, ...", all equally long. Throws
  // InvalidArgument, naming `name`, if a value is there twice, or two that agree on a level differ
  // above it.
  static Ladder hierarchy(const std::vector<std::vector<std::string>>& rows,
                          const std::string& name);

  int height() const { return height_; }
  // REQUIRES: 0 <= level <= height(). Throws InvalidArgument for a value that a hierarchy lacks.
  std::string at(const std::string& value, int level) const;

 private:
  using Step = std::function<std::string(const std::string& value, int level)>;
  Ladder(int height, Step step) : height_(height), step_(std::move(step)) {}

  int height_;
  Step step_;  // for levels strictly between 0 and height
};

struct AnonymiseOptions {
  Requirements requirements;
  std::vector<Ladder> ladders;        // one per quasi-identifier
  double largest_suppression = 0.05;  // share of rows that may be left out
};

struct Anonymised {
  // Quasi-identifiers, generalised, and the sensitive column; every other column is left out, since
  // it might identify. Rows are sorted: their order would reveal where they came from.
  Table table;
  Roles roles;              // in that table
  std::vector<int> levels;  // that each quasi-identifier was raised to
  std::int64_t suppressed = 0;
  Measures measures;
};

// The least general choice of one level per column (full-domain generalisation, Samarati 2001;
// least by the sum of level / height) for which leaving out the groups that still fail costs no
// more than `largest_suppression` of the rows. t-closeness is measured against the rows that are
// left.
//
// Throws InvalidArgument if there are no rows, or the ladders have more than 10^6 combinations;
// std::runtime_error if no choice is enough.
Anonymised anonymise(const Table& table, const Roles& roles, const AnonymiseOptions& options);

}  // namespace sotto::anonymity
