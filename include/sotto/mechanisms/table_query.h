// A question to a table of records, answered in numbers that may be published.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sotto/mechanisms/budget_account.h"
#include "sotto/mechanisms/record_filter.h"
#include "sotto/mechanisms/releases.h"

namespace sotto::mechanisms {

// Disjoint parts of the values that a column may have, declared and not found in the data: for
// histograms and groups. A record is in one part at most, so a number for each costs what one
// costs (parallel composition, McSherry 2009; under add/remove).

// [edge, next edge), the last one with its upper end.
class Bins {
 public:
  // Throws InvalidArgument unless there are at least two finite edges, in increasing order.
  explicit Bins(std::vector<double> edges);

  std::size_t size() const { return edges_.size() - 1; }
  // Nothing if the value is outside or not a number.
  std::optional<std::size_t> part_of(double value) const;
  // size() + 1 of them.
  const std::vector<double>& edges() const { return edges_; }
  // E.g. "[18, 31)".
  std::string label(std::size_t part) const;

 private:
  std::vector<double> edges_;
};

// One part per category.
class Categories {
 public:
  // Throws InvalidArgument if there are none, or one is named twice.
  explicit Categories(std::vector<std::string> names);

  std::size_t size() const { return names_.size(); }
  std::optional<std::size_t> part_of(std::string_view value) const;
  const std::string& label(std::size_t part) const { return names_[part]; }

 private:
  std::vector<std::string> names_;
};

enum class Statistic { kCount, kSum, kMean, kQuantile };

// "count", "sum", "mean" or "quantile".
std::string_view to_string(Statistic statistic);

// Parts of a column's values; none at all by default.
using Parts = std::variant<std::monostate, Bins, Categories>;

// Of each part, in order; none if there are none.
std::vector<std::string> labels(const Parts& parts);

// Everything here is public: none of it may be found by looking at the records.
struct QueryOptions {
  Statistic statistic = Statistic::kCount;
  ColumnTypes types = {};                  // of columns that are declared; the others are not
  char decimal = '.';                      // or ',': the sign in numbers of the table
  std::string column = {};                 // of a sum, a mean or a quantile
  std::optional<ValueBounds> bounds = {};  // likewise, and needed
  std::optional<double> grid = {};         // likewise; by default fine, and set by the bounds
  double quantile = 0.5;                   // of a quantile
  std::string where = {};                  // which records; all of them if empty
  // One answer for each part of another column's values; a record outside all parts is left out.
  std::string by = {};
  Parts parts = {};
  // Likewise of a second column: one answer for each pair of parts, those of the second column
  // next to each other. Needs the first.
  std::string across = {};
  Parts across_parts = {};
  NoiseKind noise = NoiseKind::kLaplace;
  accounting::EpsilonDelta budget = {0, 0};  // of all answers together
};

struct Answer {
  // Of the part, empty if there are none; of a pair, both as a line of CSV.
  std::string label;
  Release release;
};

// Neighbouring tables differ by one record more or less. A record counts in one part at most, so
// each part's answer may use the whole budget (parallel composition). Fields that do not hold a
// number are not values: a sum or a mean skips them.
class TableQuery {
 public:
  // Throws InvalidArgument, also for a question that makes no sense for a declared type, or that
  // lies outside a declared range; UndeclaredColumn if numbers are asked of a column that
  // nothing declares; NoValidAnalysis where sensitivity is unbounded (a sum, a mean or a quantile
  // without bounds).
  TableQuery(const QueryOptions& options, std::span<const std::string> columns);

  const QueryOptions& options() const { return options_; }
  // What must be charged before release() is called.
  const Charge& charge() const { return charge_; }
  // Of all answers; none if there are no parts.
  std::vector<std::string> labels() const;
  // Whether any field is taken for a number, so that it matters how those are written.
  bool reads_numbers() const;
  // How far one record can move an answer (of a mean: its sum; of a quantile: the ranks between it
  // and the one asked for).
  double sensitivity() const;

  // Counts a record.
  void add(std::span<const std::string> fields);

  // The answers, in the order of the parts. Once: a second call throws std::logic_error, since its
  // noise would be a second release.
  std::vector<Answer> release(RandomSource& random);

 private:
  struct Tally {
    std::int64_t count = 0;
    std::optional<BoundedSum> sum;
    std::vector<std::int64_t> candidates;  // of a quantile: how many values at each
  };
  // Of the columns that the query is about.
  struct Places {
    std::size_t column = 0;
    std::size_t by = 0;
    std::size_t across = 0;
  };
  using Releaser = std::variant<CountRelease, SumRelease, MeanRelease, QuantileRelease>;

  static Places places_of(const QueryOptions& options, std::span<const std::string> columns);
  static Releaser make_releaser(const QueryOptions& options);
  std::optional<std::size_t> part_of(std::span<const std::string> fields) const;
  Tally empty_tally() const;
  Release release_one(const Tally& tally, RandomSource& random) const;

  QueryOptions options_;
  RecordFilter filter_;
  Places places_;
  Releaser releaser_;
  Charge charge_;
  std::vector<Tally> tallies_;
  bool released_ = false;
};

}  // namespace sotto::mechanisms
