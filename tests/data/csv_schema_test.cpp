#include "data/csv_schema.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string schema_with(const std::string& columns) {
  return R"({"label": "y", "classes": ["a", "b"], "columns": {)" + columns + "}}";
}

std::string error_of(const std::string& json) {
  return message_of([&] { parse_csv_schema(json, "s.json"); });
}

TEST(CsvSchema, ReadsEveryKindOfColumn) {
  const auto schema = parse_csv_schema(R"({
    "label": "income", "classes": ["<=50K", ">50K"], "drop": ["id"],
    "columns": {"work": {"categories": ["Private", "Gov"], "other": true, "missing": "Gov"},
                "age": {"low": 0, "high": 100, "missing": 38},
                "hours": {"mean": 40, "std": 12}}})",
                                       "s.json");
  EXPECT_EQ(schema.label, "income");
  EXPECT_THAT(schema.classes, ElementsAre("<=50K", ">50K"));
  EXPECT_THAT(schema.dropped, ElementsAre("id"));
  ASSERT_EQ(schema.columns.size(), 3U);
  EXPECT_EQ(schema.columns[0].first, "work");  // the order of the file
  EXPECT_TRUE(std::get<CategoricalColumn>(schema.columns[0].second).other);
  EXPECT_EQ(std::get<NumericColumn>(schema.columns[1].second).missing, 38);
  EXPECT_EQ(schema.feature_count(), 4);
}

TEST(CsvSchema, Scales) {
  const NumericColumn range{RangeScale{-10, 30}, {}};
  EXPECT_EQ(range.feature(-10), -1);
  EXPECT_EQ(range.feature(20), 0.5F);
  EXPECT_EQ(range.feature(1e9), 1);
  EXPECT_EQ(range.feature(-1e9), -1);
  const NumericColumn standard{StandardScale{40, 12}, {}};
  EXPECT_EQ(standard.feature(52), 1);
  EXPECT_EQ(standard.feature(-1e9), -10);
}

TEST(CsvSchema, RootMistakes) {
  EXPECT_THAT(error_of("{\n"), HasSubstr("s.json:2:1: not valid JSON: unexpected end of input"));
  EXPECT_EQ(error_of(std::string(100'000, '[')), "s.json: JSON nested more than 4 deep");
  EXPECT_EQ(error_of("[1]"), "s.json: a schema must be a JSON object");
  EXPECT_EQ(error_of("{}"), "s.json: 'label' must be given as a string");
  EXPECT_EQ(error_of(R"({"label": "y", "classes": ["a"]})"),
            "s.json: 'classes' must be a list of at least 2 strings");
  EXPECT_EQ(error_of(R"({"label": "y", "classes": ["a", "a"]})"),
            "s.json: 'classes' names a value twice");
  EXPECT_EQ(error_of(R"({"label": "y", "classes": ["a", 1]})"),
            "s.json: 'classes' holds '1', which is not a string");
  EXPECT_EQ(error_of(schema_with("")),
            "s.json: 'columns' must be an object with at least one column");
  EXPECT_EQ(error_of(R"({"labels": "y"})"),
            "s.json: unknown entry 'labels', must be one of label, classes, columns, drop, ids, "
            "person, separator, decimal, missing_values, note");
}

TEST(CsvSchema, ColumnMistakes) {
  EXPECT_EQ(error_of(schema_with(R"("x": 1)")), "s.json, column 'x': '1' must be an object");
  EXPECT_THAT(error_of(schema_with(R"("x": {})")), HasSubstr("column 'x': must give low and high"));
  EXPECT_EQ(error_of(schema_with(R"("x": {"low": 1})")),
            "s.json, column 'x': 'high' must be given as a finite number");
  EXPECT_EQ(error_of(schema_with(R"("x": {"low": 1, "high": 1})")),
            "s.json, column 'x': low 1 must be below high 1");
  EXPECT_THAT(error_of(schema_with(R"("x": {"low": -1e308, "high": 1e308})")),
              HasSubstr("must be below high"));
  EXPECT_EQ(error_of(schema_with(R"("x": {"mean": 1, "std": 0})")),
            "s.json, column 'x': std 0 must be positive");
  EXPECT_THAT(error_of(schema_with(R"("x": {"low": 1, "high": 2, "mean": 1})")),
              HasSubstr("unknown entry 'mean'"));
  EXPECT_THAT(error_of(schema_with(R"("x": {"categories": []})")), HasSubstr("at least 1"));
  EXPECT_THAT(error_of(schema_with(R"("x": {"categories": ["a"], "other": 1})")),
              HasSubstr("'other' must be true or false"));
  EXPECT_THAT(error_of(schema_with(R"("x": {"categories": ["a"], "missing": "b"})")),
              HasSubstr("'missing' is 'b', must be one of the categories"));
  EXPECT_EQ(error_of(schema_with(R"("y": {"low": 1, "high": 2})")),
            "s.json: column 'y' has two roles among label, columns, ids, person and drop");
}

TEST(CsvSchema, MistakesInTypesAndMissingValues) {
  EXPECT_EQ(
      error_of(schema_with(R"("x": {"type": "float", "low": 1, "high": 2})")),
      "s.json, column 'x': 'type' is 'float', must be one of number, integer, category, date");
  EXPECT_THAT(error_of(schema_with(R"("x": {"type": ""})")), HasSubstr("'type' is ''"));
  EXPECT_THAT(error_of(schema_with(R"("x": {"type": 7})")), HasSubstr("'type' is '7'"));
  EXPECT_EQ(error_of(schema_with(R"("x": {"type": "integer"})")),
            "s.json, column 'x': must give low and high, or mean and std");
  EXPECT_THAT(error_of(schema_with(R"("x": {"type": "number", "categories": ["a"]})")),
              HasSubstr("must give low and high"));
  EXPECT_THAT(
      error_of(schema_with(R"("x": {"type": "date", "low": "2024-01-02", "high": "2024-01-01"})")),
      HasSubstr("low 2024-01-02 must be before high 2024-01-01"));
  EXPECT_THAT(error_of(schema_with(R"("x": {"low": 1, "high": 2, "indicator": true})")),
              HasSubstr("'indicator' is for columns with 'missing'"));
  EXPECT_THAT(error_of(schema_with(R"("x": {"type": "?"})")), HasSubstr("still to declare"));
  EXPECT_THAT(error_of(R"({"label": "?", "classes": [], "columns": {"x": {"low": 0, "high": 1}}})"),
              HasSubstr("'label' is still to declare"));
  EXPECT_THAT(error_of(R"({"label": "y", "classes": ["NA", "b"], "missing_values": ["NA"],
                           "columns": {"x": {"low": 0, "high": 1}}})"),
              HasSubstr("'missing_values' holds 'NA', which is a category or a class as well"));
}

TEST(CsvSchema, FilesAreNamed) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_csv_schema(folder / "none.json"), FileError);
  write_file_atomically(folder / "s.json", "nonsense");
  EXPECT_THAT(message_of([&] { read_csv_schema(folder / "s.json"); }),
              HasSubstr((folder / "s.json").string() + ":1:2: not valid JSON"));
}

}  // namespace
}  // namespace sotto::data
