// Disjoint parts of the values that a column may have, declared and not found in the data: for
// histograms and groups. A record is in one part at most, so a number for each costs what one
// costs (parallel composition, McSherry 2009; under add/remove).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::mechanisms {

// [edge, next edge), the last one with its upper end.
class Bins {
 public:
  // Throws InvalidArgument unless there are at least two finite edges, in increasing order.
  explicit Bins(std::vector<double> edges);

  std::size_t size() const { return edges_.size() - 1; }
  // Nothing if the value is outside or not a number.
  std::optional<std::size_t> part_of(double value) const;
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

}  // namespace sotto::mechanisms
