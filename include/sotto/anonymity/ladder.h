// Generalisation: a value, step by step, replaced by less exact ones.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sotto::anonymity {

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

}  // namespace sotto::anonymity
