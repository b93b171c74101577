// What the fields of a table become.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "data/csv_table.h"
#include "data/table_header.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string schema_with(const std::string& columns, const std::string& more = "") {
  return R"({"label": "y", "classes": ["a", "b"], )" + more + R"("columns": {)" + columns + "}}";
}

LabelledData read(const std::string& schema, const std::string& table) {
  std::istringstream input(table);
  return parse_csv_table(input, "t.csv", parse_csv_schema(schema, "s.json"));
}

std::string error_of(const std::string& schema, const std::string& table) {
  return message_of([&] { read(schema, table); });
}

TEST(TableInputs, IntegersHaveNoFraction) {
  const auto schema = schema_with(R"("n": {"type": "integer", "low": 0, "high": 10})");
  EXPECT_THAT(read(schema, "n,y\n5,a\n10.0,a\n99,b\n").features, ElementsAre(0, 1, 1));
  EXPECT_EQ(error_of(schema, "n,y\n5,a\n5.5,a\n"),
            "t.csv, line 3, column 'n': '5.5' is not a whole number");
}

TEST(TableInputs, DatesAreDaysOfTheirRange) {
  const auto schema = schema_with(
      R"("d": {"type": "date", "low": "2023-12-31", "high": "2024-12-31", "missing": "2024-07-01"})");
  const auto read_dates = read(
      schema, "d,y\n2023-12-31,a\n2024-12-31,a\n2024-07-01,a\n,a\n1999-01-01,b\n2030-01-01,b\n");
  EXPECT_THAT(read_dates.features, ElementsAre(-1, 1, 0, 0, -1, 1));  // 366 days, 183 of them
  for (const char* const date :
       {"2024-02-30", "2024-2-3", "24-02-03", "03.02.2024", "2024-02-03 ?"}) {
    EXPECT_THAT(error_of(schema, std::string("d,y\n") + date + ",a\n"),
                HasSubstr("line 2, column 'd': '" + std::string(date) + "' is not a date"));
  }
}

TEST(TableInputs, AnIndicatorSaysThatAValueIsMissing) {
  const auto schema = schema_with(
      R"("n": {"low": 0, "high": 10, "missing": true},
         "m": {"low": 0, "high": 10, "missing": 10, "indicator": true},
         "c": {"categories": ["p", "q"], "missing": true, "other": true})",
      R"("missing_values": ["NA", "-"], )");
  EXPECT_EQ(parse_csv_schema(schema, "s").feature_count(), 7);
  EXPECT_THAT(read(schema, "n,m,c,y\n10,5,q,a\n,,,a\n NA ,-,NA,b\n0,0,z,b\n").features,
              ElementsAre(1, 0, 0, 0, 0, 1, 0,  //
                          0, 1, 1, 1, 0, 0, 1,  //
                          0, 1, 1, 1, 0, 0, 1,  //
                          -1, 0, -1, 0, 0, 0, 0));
}

TEST(TableInputs, SeparatorAndDecimalSignAreDeclared) {
  const std::string column = R"("n": {"low": 0, "high": 10})";
  const auto semicolons = schema_with(column, R"("separator": ";", "decimal": ",", )");
  EXPECT_THAT(read(semicolons, "n;y\n7,5;a\n\"2,5\";\"b\"\n").features, ElementsAre(0.5F, -0.5F));
  EXPECT_THAT(error_of(semicolons, "n;y\n7.5;a\n"), HasSubstr("'7.5' is not a finite number"));
  const auto tabs = schema_with(column, R"("separator": "\t", )");
  EXPECT_THAT(read(tabs, "n\ty\n7.5\ta\n").features, ElementsAre(0.5F));
  EXPECT_EQ(error_of(tabs, "n\ty\n7,5\ta\n"),
            "t.csv, line 2, column 'n': '7,5' is not a finite number; \"decimal\": \",\" in the "
            "schema would allow it");
}

TEST(TableInputs, AnotherSeparatorIsNamed) {
  const std::string column = R"("n": {"low": 0, "high": 10})";
  EXPECT_EQ(error_of(schema_with(column), "n;y\n7;a\n"),
            "t.csv, line 1: the columns seem to be separated by semicolons, but the schema "
            "says commas; \"separator\": \";\" in the schema would allow it");
  EXPECT_THAT(error_of(schema_with(column), "n\ty\n7\ta\n"),
              HasSubstr("separated by tabs, but the schema says commas; \"separator\": "
                        "\"\\t\" in the schema"));
  EXPECT_THAT(error_of(schema_with(column, R"("separator": ";", )"), "n,y\n7,a\n"),
              HasSubstr("separated by commas, but the schema says semicolons"));
}

TEST(TableInputs, IdsAndPersonsAreNoInputs) {
  const auto schema = schema_with(R"("n": {"low": 0, "high": 10})",
                                  R"("ids": ["visit"], "person": "patient", "drop": ["x"], )");
  EXPECT_THAT(read(schema, "patient,n,visit,y\nEve,5,77,a\n").features, ElementsAre(0));
  EXPECT_THAT(read(schema, "patient,n,y\nEve,5,a\n").features, ElementsAre(0));
  EXPECT_THAT(error_of(schema, "n,visit,y\n5,77,a\n"),
              HasSubstr("has no column 'patient', which the schema needs"));
  EXPECT_THAT(message_of([] {
                parse_csv_schema(schema_with(R"("n": {"low": 0, "high": 10})", R"("ids": ["n"], )"),
                                 "s.json");
              }),
              HasSubstr("column 'n' has two roles among label, columns, ids, person and drop"));
}

TEST(TableInputs, RowsToPredictNeedTheirInputsOnly) {
  const auto schema = parse_csv_schema(
      schema_with(R"("n": {"low": 0, "high": 10})",
                  R"("ids": ["visit", "ward"], "person": "patient", "drop": ["x"], )"),
      "s.json");
  std::istringstream input("patient,n,visit\nEve, 5,\"7,7\"\nBob,10,78\n");
  const auto rows = parse_rows_to_predict(input, "t.csv", schema);
  EXPECT_EQ(rows.size(), 2);
  EXPECT_THAT(rows.features, ElementsAre(0, 1));
  EXPECT_THAT(rows.carried_names, ElementsAre("visit", "patient"));
  EXPECT_THAT(rows.carried[0], ElementsAre("7,7", "Eve"));
  std::istringstream labelled("n,y\n5,nobody knows\n");
  EXPECT_EQ(parse_rows_to_predict(labelled, "t.csv", schema).size(), 1);
  std::istringstream without("visit\n5\n");
  EXPECT_THAT(message_of([&] { parse_rows_to_predict(without, "t.csv", schema); }),
              HasSubstr("has no column 'n'"));
}

TEST(TableInputs, ValuesAreWrittenAsTheyAreRead) {
  const NumericColumn number{RangeScale{0, 1}, {}};
  const NumericColumn integer{RangeScale{0, 1}, {}, NumberKind::kInteger};
  const NumericColumn date{RangeScale{0, 1}, {}, NumberKind::kDate};
  EXPECT_EQ(number.field(12.3456, 3), "12.3");
  EXPECT_EQ(integer.field(12.6, 3), "13");
  EXPECT_EQ(integer.field(123456789, 3), "123456789");
  EXPECT_EQ(date.field(19782.4, 3), "2024-02-29");
}

TEST(TableHeader, TheSeparatorIsTheMostFrequentSign) {
  EXPECT_EQ(separator_of("a,b,c"), ',');
  EXPECT_EQ(separator_of("a;\"b,c,d\";e"), ';');
  EXPECT_EQ(separator_of("a\tb"), '\t');
  EXPECT_EQ(separator_of("a"), std::nullopt);
  EXPECT_EQ(separator_of("a,b;c"), std::nullopt);
}

TEST(TableHeader, OneKindOfSeparatorIsRecognised) {
  EXPECT_EQ(separator_without_schema("a;b;\"c,d\"", "t.csv"), ';');
  EXPECT_EQ(separator_without_schema("a\tb", "t.csv"), '\t');
  EXPECT_EQ(separator_without_schema("a", "t.csv"), ',');
  EXPECT_EQ(separator_without_schema("a;b,c,d", "t.csv"), ',');
  EXPECT_EQ(separator_without_schema("\"a;b\"", "t.csv"), ',');
  for (const char* line : {"a,b;c", "a,b;c;d", "a;b\tc", "a;b;c\td", "a,b\tc\td"}) {
    EXPECT_THAT(message_of([&] { separator_without_schema(line, "t.csv"); }),
                HasSubstr("t.csv, line 1: nobody can tell"))
        << line;
  }
}

}  // namespace
}  // namespace sotto::data
