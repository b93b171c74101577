// One row of vectors.csv.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sotto/accounting/accounting.h"

namespace sotto::accounting {

struct VectorRow {
  std::string id, check, adjacency, q, noise, steps, delta, epsilon, order, rdp, tolerance, detail;

  Adjacency parsed_adjacency() const { return adjacency_from_name(adjacency); }
  // "10;4" gives {10, 4}.
  static std::vector<double> numbers(const std::string& text);
  static double number(const std::string& text) { return numbers(text).at(0); }
  // "1.25 1.5 5..63" gives {1.25, 1.5, 5, 6, ..., 63}; "default" and groups give the default grid.
  RdpOrders orders() const;
  // 10 for "group 10", else 1.
  int group_size() const;
  // "4:0.2 2:0.7" gives {{4, 0.2}, {2, 0.7}}; "inf:0.1" has an infinite first number.
  static std::vector<std::pair<double, double>> pairs(const std::string& text);

  // The Gaussian runs of the row, sampled or not, several if its fields hold several numbers.
  Composition gaussian_runs() const;

  // Half the tolerance, relative to the expected value.
  double half_tolerance(double expected) const;

  // Fails the current test unless |value - expected| is within the row's tolerance.
  void expect_near(double value, double expected) const;
};

void PrintTo(const VectorRow& row, std::ostream* out);

// All rows of tests/accounting/vectors.csv.
std::vector<VectorRow> read_vectors();

}  // namespace sotto::accounting
