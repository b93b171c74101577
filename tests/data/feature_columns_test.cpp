#include "data/feature_columns.h"

#include <gtest/gtest.h>

namespace sotto::data {
namespace {

TEST(FeatureColumns, EveryFeatureBelongsToTheColumnItComesFrom) {
  const auto schema = parse_csv_schema(
      R"({"label": "y", "classes": ["no", "yes"], "drop": ["id"],
          "columns": {"age": {"low": 0, "high": 100}, "work": {"categories": ["a", "b", "c"]},
                      "hours": {"mean": 40, "std": 12}}})",
      "schema");
  const auto columns = feature_columns(schema);
  ASSERT_EQ(columns.size(), 3U);
  std::int64_t next = 0;
  for (const auto& column : columns) {
    EXPECT_EQ(column.first, next) << column.name;
    next += column.count;
  }
  EXPECT_EQ(next, schema.feature_count());
  EXPECT_EQ(columns[1].name, "work");
  EXPECT_EQ(columns[1].count, 3);
}

}  // namespace
}  // namespace sotto::data
