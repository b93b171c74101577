#include "data/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "data/csv_table.h"
#include "data/json_places.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> lines_of(const SchemaCheck& check) {
  std::vector<std::string> lines;
  for (const auto& problem : check.problems) {
    lines.push_back(std::to_string(problem.line) + ":" + std::to_string(problem.character) + " " +
                    (problem.column.empty() ? "" : problem.column + ": ") + problem.text);
  }
  return lines;
}

std::vector<std::string> lines_of(const TableCheck& check) {
  std::vector<std::string> lines;
  for (const auto& problem : check.problems) {
    std::string text;
    for (const auto line : problem.lines) text += std::to_string(line) + " ";
    lines.push_back(text + (problem.column.empty() ? "" : problem.column + ": ") + problem.text);
  }
  return lines;
}

constexpr const char* kSchema = R"({
  "label": "y", "classes": ["no", "yes"], "ids": ["id"],
  "columns": {
    "age": {"type": "integer", "low": 0, "high": 120},
    "town": {"categories": ["Bonn", "Ulm"]},
    "seen": {"type": "date", "low": "2020-01-01", "high": "2020-12-31", "missing": true}
  }
})";

TableCheck check_of(const std::string& table, const std::string& schema = kSchema) {
  std::istringstream input(table);
  return check_table(input, check_schema(schema, "s.json").reading);
}

TEST(SchemaCheck, ListsEverythingWithItsPlace) {
  const auto check = check_schema(R"({
  "label": "y", "classes": ["no"],
  "columns": {
    "ä": {"low": 5, "high": 1}, "b": {"type": "date", "low": "2020-02-30", "high": "2021-01-01"},
    "c": {"categories": ["x", "x"]},
    "c": {"categories": ["x"], "colour": 1},
    "d": {"type": "?"}
  },
  "separator": "|"
})",
                                  "s.json");
  EXPECT_THAT(
      lines_of(check),
      ElementsAre("2:17 'classes' must be a list of at least 2 strings",
                  "4:11 ä: low 5 must be below high 1",
                  "4:55 b: 'low' must be given as a date, such as \"2024-12-31\"",
                  "6:5 'c' is given twice",
                  HasSubstr("6:32 c: unknown entry 'colour', must be one of"),
                  HasSubstr("7:11 d: still to declare"),
                  HasSubstr("9:3 'separator' is '\"|\"', must be \",\", \";\" or \"\\t\"")));
}

TEST(SchemaCheck, IsQuietAboutASoundSchema) {
  EXPECT_THAT(check_schema(kSchema, "s.json").problems, IsEmpty());
  EXPECT_THAT(message_of([] { check_schema("{", "s.json"); }), HasSubstr("not valid JSON"));
}

TEST(TableCheck, ListsEveryBadFieldOnce) {
  const auto check = check_of(
      "id,age,town,seen,y\n"
      "1,30,Bonn,2020-05-05,no\n"
      "2,30.5,Paris,2020-05-05,no\n"
      "3,,Bonn,05.05.2020,maybe\n"
      "\n"
      "4,31,Paris,,no\n"
      "5,31,Bonn\n"
      "6,31,\"Bonn,2020-01-01,no\n"
      "7,200,Ulm,2019-12-31,yes\n");
  EXPECT_THAT(
      lines_of(check),
      ElementsAre("3 age: '30.5' is not a whole number",
                  "3 6 town: 'Paris' is not a category of the schema; \"other\": true would allow "
                  "it",
                  "4 age: no value; the schema may give one as \"missing\"",
                  "4 seen: '05.05.2020' is not a date, written as 2024-12-31",
                  "4 y: 'maybe' is not a class of the schema",
                  "7 3 fields, must be 5 as in the first line",
                  "8 a quote that is not closed in its line; a record must be one line"));
  ASSERT_EQ(check.clamped.size(), 2U);
  EXPECT_EQ(check.clamped[0].column, "age");
  EXPECT_THAT(check.clamped[1].lines, ElementsAre(9));
  EXPECT_EQ(check.rows, 7);
}

TEST(TableCheck, ListsAllProblemsOfTheHeader) {
  EXPECT_THAT(lines_of(check_of("id,age,seen,weight,height,y\n1,2,2020-01-01,3,4,no\n")),
              ElementsAre(HasSubstr("1 column 'weight' is not in the schema"),
                          HasSubstr("1 column 'height' is not in the schema"),
                          "1 has no column 'town', which the schema needs"));
  EXPECT_THAT(lines_of(check_of("")),
              ElementsAre("1 empty, must begin with a line of column names"));
  EXPECT_THAT(lines_of(check_of("id,age,town,seen,y\n")),
              ElementsAre("1 no rows under the line of column names"));
}

TEST(TableCheck, ListsSoManyProblemsOfAColumnAndCountsTheOthers) {
  std::string table = "id,age,town,seen,y\n";
  const auto rows = static_cast<int>(TableCheck::kMostListed) + 7;
  for (int i = 0; i < rows; ++i) table += "1,x" + std::to_string(i) + ",Rom,,no\n";
  table += "1,x0,Ulm,,no\n";  // a known one
  const auto check = check_of(table);
  ASSERT_EQ(check.problems.size(), TableCheck::kMostListed + 1);
  EXPECT_THAT(check.problems[0].lines, ElementsAre(2, rows + 2));
  EXPECT_EQ(check.problems[1].column, "town");
  EXPECT_EQ(check.problems[1].lines.size(), static_cast<std::size_t>(rows));
  ASSERT_EQ(check.unlisted.size(), 1U);
  EXPECT_EQ(check.unlisted[0].column, "age");
  EXPECT_EQ(check.unlisted[0].lines, 7);
}

TEST(TableCheck, CountsTheRowsOfThePerson) {
  auto schema = std::string(kSchema);
  schema.insert(1, R"("person": "id", )");
  EXPECT_FALSE(check_of("id,age,town,seen,y\n1,2,Ulm,,no\n").person);
  const auto person = check_of(
                          "id,age,town,seen,y\n"
                          "a,2,Ulm,,no\n b ,3,Ulm,,no\nb,4,Ulm,,no\n,5,Ulm,,no\n,5,Ulm,,no\n,5,"
                          "Ulm,,no\n",
                          schema)
                          .person;
  ASSERT_TRUE(person);
  EXPECT_EQ(person->column, "id");
  EXPECT_EQ(person->most, 2);
  EXPECT_EQ(person->without, 3);
  EXPECT_FALSE(check_of("age,town,seen,y\n2,Ulm,,no\n", schema).person);
}

// What the check passes is read, and the other way round.
TEST(TableCheck, AgreesWithTheReader) {
  const auto schema = parse_csv_schema(kSchema, "s.json");
  const std::string header = "id,age,town,seen,y\n";
  for (const std::string row :
       {"1,2,Bonn,,no", "1,2,Bonn,,", "1,2.0,Bonn,2020-01-01,no", "1,2,,,no", "1,2,\"Bonn\",,no\r",
        "1,2,Bo\"nn,,no", "1,2,Bonn,,no,", "\xEF\xAC\x81,2,Bonn,,no", "1,1e1, Ulm ,,no",
        "1,nan,Ulm,,no", "1,2,Bonn,2021-02-29,no", "\"1\n2\",2,Bonn,,no"}) {
    bool is_read = true;
    std::istringstream input(header + row);
    try {
      parse_csv_table(input, "t.csv", schema);
    } catch (const InvalidArgument&) {
      is_read = false;
    }
    EXPECT_EQ(check_of(header + row).problems.empty(), is_read) << row;
  }
}

TEST(TableCheck, GoesOnWithWhatTheSchemaSaysAboutOtherColumns) {
  const auto check = check_of("a,b,y\nx,10,no\n", R"({"label": "y", "classes": ["no", "yes"],
      "columns": {"a": {"low": 0}, "b": {"categories": ["p"]}}})");
  EXPECT_THAT(lines_of(check), ElementsAre(HasSubstr("2 b: '10' is not a category")));
}

TEST(JsonPlaces, FindsKeysWhateverStandsInStrings) {
  const JsonPlaces places(
      "{\"a\\\"{\": [1, {\"b\": 2}, \"}\"],\n \"b\" : {\"c\": -1.5e3, \"d\":{}}}");
  EXPECT_EQ(places.of({"a\"{"}).column, 2);
  EXPECT_EQ(places.of({"b"}).line, 2);
  EXPECT_EQ(places.of({"b", "d"}).column, 22);
  EXPECT_EQ(places.of({"b", "none"}).column, 2);
  EXPECT_EQ(places.of({"none"}).column, 1);
  EXPECT_THAT(places.repeated(), IsEmpty());
}

}  // namespace
}  // namespace sotto::data
