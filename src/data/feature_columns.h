// Which features of a record come from which column of its table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/csv_schema.h"

namespace sotto::data {

struct FeatureColumn {
  std::string name;
  std::int64_t first = 0;  // of its features
  std::int64_t count = 0;  // at least 1
};

// In the order of the features, all of them. A column without features is left out.
std::vector<FeatureColumn> feature_columns(const CsvSchema& schema);

}  // namespace sotto::data
