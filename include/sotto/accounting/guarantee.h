// What is promised, and between which data sets: the two numbers of a guarantee, and neighbours.
#pragma once

#include <string>
#include <string_view>

#include "sotto/core/error.h"

namespace sotto::accounting {

// (epsilon, delta)-differential privacy.
struct EpsilonDelta {
  double epsilon;
  double delta;
};

// Throws InvalidArgument unless epsilon >= 0 and 0 <= delta <= 1.
inline void check_guarantee(const EpsilonDelta& guarantee) {
  check_argument(guarantee.epsilon >= 0, "epsilon must be at least 0, got ", guarantee.epsilon);
  check_argument(guarantee.delta >= 0 && guarantee.delta <= 1, "delta must be in [0, 1], got ",
                 guarantee.delta);
}

// The exact value lies in [lower, upper]. `upper` is what may be promised. docs/numerics.md says
// what is proved about both ends.
struct Enclosure {
  double lower;
  double upper;

  double relative_width() const { return upper > 0 ? (upper - lower) / upper : 0; }
};

// What it means that two data sets differ in one record.
enum class Adjacency {
  kAddRemove,   // one data set has one more record
  kReplaceOne,  // one record has another value; the size is public
  kZeroOut,     // one record is replaced by one that contributes nothing; the size is public
};

// "add-remove", "replace-one" or "zero-out".
std::string_view to_string(Adjacency adjacency);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
Adjacency adjacency_from_name(std::string_view text);

// Two data sets are neighbours if they differ in up to `group_size` records, all in the same way:
// one data set has them all and the other lacks, blanks or replaces them all. A group larger than
// one protects a person who has several records.
class Neighbours {
 public:
  // Throws InvalidArgument unless group_size >= 1.
  explicit Neighbours(Adjacency adjacency = Adjacency::kAddRemove, int group_size = 1);

  Adjacency adjacency() const { return adjacency_; }
  int group_size() const { return group_size_; }

  // How far the sum of per-record contributions, each of norm at most 1, can move between
  // neighbours: 1 per record for add/remove and zero-out, 2 for replace-one.
  double sum_sensitivity() const;

  std::string describe() const;

 private:
  Adjacency adjacency_;
  int group_size_;
};

}  // namespace sotto::accounting
