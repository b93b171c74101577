#include "data/feature_columns.h"

namespace sotto::data {

std::vector<FeatureColumn> feature_columns(const CsvSchema& schema) {
  std::vector<FeatureColumn> result;
  std::int64_t first = 0;
  for (const auto& column : schema.columns) {
    CsvSchema alone = schema;
    alone.columns = {column};
    const auto count = alone.feature_count();
    if (count > 0) result.push_back({column.first, first, count});
    first += count;
  }
  return result;
}

}  // namespace sotto::data
