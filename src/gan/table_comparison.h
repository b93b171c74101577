// Two tables beside each other: each column by itself, and each pair of columns.
#pragma once

#include <string>
#include <vector>

#include "gan/table_columns.h"

namespace sotto::gan {

// A number that may not exist (a correlation with a constant) is NaN.
struct RealAndSynthetic {
  double real = 0;
  double synthetic = 0;
};

struct NumberComparison {
  std::string column;
  RealAndSynthetic mean;
  RealAndSynthetic deviation;  // standard deviation
  RealAndSynthetic missing;    // share of the rows
  bool is_date = false;        // mean in days since 1970, deviation in days
};

struct CategoryComparison {
  std::string column;
  std::vector<std::string> names;
  std::vector<RealAndSynthetic> shares;  // of the rows that have a value
  RealAndSynthetic missing;              // share of the rows
  double total_variation = 0;            // half the sum of the shares' absolute differences
};

enum class Association {
  kPearson,           // of two numbers, from -1 to 1
  kCramersV,          // of two columns of categories, from 0 to 1
  kCorrelationRatio,  // η: how far categories explain a number, from 0 to 1
};
// "pearson", "cramers_v", "correlation_ratio".
const char* to_string(Association association);

struct PairComparison {
  std::string first;
  std::string second;
  Association association;
  RealAndSynthetic strength;
};

struct TableComparison {
  std::string rows;  // whose: "test" or "training"
  std::int64_t real_rows = 0;
  std::vector<NumberComparison> numbers;
  std::vector<CategoryComparison> categories;
  std::vector<PairComparison> pairs;  // every two columns, in their order

  // Mean absolute difference of the pairs' strengths, over those that exist in both; NaN if none.
  double mean_pair_difference() const;
};

// Exact: whoever may see it may see `real`. Both have the same columns.
TableComparison compare_tables(const std::vector<DecodedColumn>& real,
                               const std::vector<DecodedColumn>& synthetic);

}  // namespace sotto::gan
