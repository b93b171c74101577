#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sotto/core/error.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::mechanisms {
namespace {

const std::vector<std::string> kColumns = {"age", "city", "first name", "or"};

bool matches(const std::string& condition, const std::vector<std::string>& fields) {
  return RecordFilter(condition, kColumns).matches(fields);
}

TEST(RecordFilter, ComparesNumbersAsNumbersAndTextAsText) {
  const std::vector<std::string> anna = {"41", "Besançon", "Anna", "x"};
  EXPECT_TRUE(matches("age>40", anna));
  EXPECT_TRUE(matches("age >= 41", anna));
  EXPECT_FALSE(matches("age<41", anna));
  EXPECT_TRUE(matches("age<=4.1e1", anna));
  EXPECT_TRUE(matches("age=41.0", anna));
  EXPECT_FALSE(matches("age='41.0'", anna));
  EXPECT_TRUE(matches("city == Besançon", anna));
  EXPECT_TRUE(matches("city!='Lyon'", anna));
  EXPECT_TRUE(matches("\"first name\" = 'Anna'", anna));
  EXPECT_TRUE(matches("`first name`=\"Anna\"", anna));
  EXPECT_TRUE(matches("\"or\"=x", anna));
  EXPECT_TRUE(matches("age>-1", anna));
}

TEST(RecordFilter, ComparesDatesAsDates) {
  const std::vector<std::string> columns{"admitted"};
  const auto matches = [&](const std::string& condition, const std::string& field) {
    return RecordFilter(condition, columns).matches(std::vector<std::string>{field});
  };
  EXPECT_TRUE(matches("admitted>=2024-01-01", "2024-01-01"));
  EXPECT_TRUE(matches("admitted>='2024-01-01'", " 2024-12-31 "));
  EXPECT_TRUE(matches("admitted=2024-02-29", "2024-02-29T10:30"));
  EXPECT_FALSE(matches("admitted>=2024-01-01", "2023-12-31"));
  // What is not a date is neither before nor after one.
  for (const auto* field : {"2024", "", "2023-02-29", "01.02.2024", "2024-1-1", "2024-01-01x"}) {
    EXPECT_FALSE(matches("admitted>=2024-01-01", field)) << field;
    EXPECT_FALSE(matches("not admitted>=2024-01-01", field)) << field;
  }
}

const ColumnTypes kTypes = {{"age", NumberType{}},
                            {"city", CategoryType{{"Lyon", "Besançon", "1"}}},
                            {"first name", TextType{}},
                            {"or", DateType{}}};

bool matches_typed(const std::string& condition, const std::vector<std::string>& fields) {
  return RecordFilter(condition, kColumns, kTypes).matches(fields);
}

TEST(RecordFilter, ReadsValuesAsTheDeclaredTypes) {
  const std::vector<std::string> anna = {"41.0", "1", "007", "2024-02-01"};
  EXPECT_TRUE(matches_typed("age='41'", anna));  // quotes do not make a number text
  EXPECT_TRUE(matches_typed("city=1", anna));
  EXPECT_FALSE(matches_typed("city=1", {"41", "1.0", "", ""}));  // categories are text
  EXPECT_FALSE(matches_typed("`first name`=7", anna));
  EXPECT_TRUE(matches_typed("`first name`=007", anna));
  EXPECT_TRUE(matches_typed("\"or\"<'2024-02-02'", anna));
  EXPECT_TRUE(matches_typed("city=''", {"", "", "", ""}));
}

TEST(RecordFilter, RefusesWhatCannotBeMeant) {
  for (const char* text :
       {"age>old", "age=old", "age>2024-01-01", "age=''", "city>Lyon", "city>1", "city=Paris",
        "city=2024-01-01", "`first name`<7", "`first name`>=2024-01-01", "\"or\">=2024",
        "\"or\"=yes", "\"or\"=2024-02-30", "age>40 and city=Paris"}) {
    EXPECT_THROW(RecordFilter(text, kColumns, kTypes), InvalidArgument) << text;
  }
}

TEST(RecordFilter, CategoriesMayBeOrderedNumbersOrOpen) {
  const ColumnTypes types = {{"age", CategoryType{{"1", "2", "3"}}},
                             {"city", CategoryType{{"Lyon"}, /*other=*/true}}};
  EXPECT_TRUE(
      RecordFilter("age>=2", kColumns, types).matches(std::vector<std::string>{"3", "", "", ""}));
  EXPECT_THROW(RecordFilter("age=4", kColumns, types), InvalidArgument);
  EXPECT_THROW(RecordFilter("age>two", kColumns, types), InvalidArgument);
  EXPECT_TRUE(RecordFilter("city=Paris", kColumns, types)
                  .matches(std::vector<std::string>{"3", "Paris", "", ""}));
}

TEST(RecordFilter, RefusesAnOrderByWhatMayBeAYear) {
  for (const char* text : {"age>1900", "age>=2024", "not age<2100", "age=1 or age<= 2000"}) {
    EXPECT_THROW(RecordFilter(text, kColumns), UndeclaredColumn) << text;
    EXPECT_NO_THROW(RecordFilter(text, kColumns, kTypes)) << text;
  }
  for (const char* text : {"age>1899", "age<2101", "age=2024", "age!=2024", "age>2024.0", "age>2e3",
                           "age>=2024-01-01", "age>20245"}) {
    EXPECT_NO_THROW(RecordFilter(text, kColumns)) << text;
  }
  try {
    const RecordFilter filter("\"first name\">2024", kColumns);
    FAIL();
  } catch (const UndeclaredColumn& refusal) {
    EXPECT_EQ(refusal.name(), "first name");
    EXPECT_NE(std::string(refusal.what()).find("2024-01-01"), std::string::npos) << refusal.what();
  }
}

TEST(RecordFilter, ReadsDecimalCommasWhereTheyAreDeclared) {
  const RecordFilter filter("age>40.5", kColumns, {}, ',');
  const auto matches = [&](const std::string& age) {
    return filter.matches(std::vector<std::string>{age, "", "", ""});
  };
  EXPECT_TRUE(matches("40,6"));
  EXPECT_TRUE(matches(" 41 "));
  EXPECT_FALSE(matches("40,4"));
  EXPECT_FALSE(matches("40.6"));
  EXPECT_FALSE(matches("1.040,6"));
}

TEST(RecordFilter, JoinsConditions) {
  const std::vector<std::string> bob = {"20", "Lyon", "Bob", ""};
  EXPECT_TRUE(matches("age<30 and city=Lyon", bob));
  EXPECT_TRUE(matches("age>30 OR city=Lyon", bob));
  EXPECT_FALSE(matches("not age<30", bob));
  EXPECT_TRUE(matches("not not age<30", bob));
  // "and" binds more tightly than "or", "not" most tightly.
  EXPECT_TRUE(matches("city=Lyon or age=1 and age=2", bob));
  EXPECT_FALSE(matches("(city=Lyon or age=1) and age=2", bob));
  EXPECT_TRUE(matches("not city=Paris and age=20", bob));
}

TEST(RecordFilter, WhatIsNoNumberIsAbsent) {
  for (const std::string field : {"", "n/a", "nan", "inf", "4x", "1e999"}) {
    const std::vector<std::string> record = {field, "", "", ""};
    EXPECT_FALSE(matches("age>40", record)) << field;
    EXPECT_FALSE(matches("age<=40", record)) << field;
    EXPECT_FALSE(matches("age!=40", record)) << field;
    EXPECT_FALSE(matches("not age>40", record)) << field;
    EXPECT_FALSE(matches("not (age>40 and city='')", record)) << field;
    EXPECT_FALSE(matches("age>40 or age<=40", record)) << field;
    EXPECT_TRUE(matches("age>40 or city=''", record)) << field;
    EXPECT_TRUE(matches("not (age>40 and city=Lyon)", record)) << field;
    EXPECT_FALSE(matches("not (age>40 or city='')", record)) << field;
  }
  EXPECT_TRUE(matches("age=' '", {"", "", "", ""}) || matches("age=''", {" ", "", "", ""}));
}

TEST(RecordFilter, RefusesWhatIsNoCondition) {
  for (const std::string text :
       {"", " ", "age", "age>", ">40", "age>>40", "age>40 and", "age>40 or or city=x", "(age>40",
        "age>40)", "age>40 city=x", "pay>40", "age<'x'", "city<Lyon", "city='Lyon", "'age'>40",
        "age=40; drop", "not", "age=40 age=41"}) {
    EXPECT_THROW(RecordFilter(text, kColumns), InvalidArgument) << text;
  }
  EXPECT_THROW(RecordFilter(std::string(200, '(') + "age=1" + std::string(200, ')'), kColumns),
               InvalidArgument);
  std::string chain = "not ";
  for (int i = 0; i < 12; ++i) chain += chain;
  EXPECT_THROW(RecordFilter(chain + "age=1", kColumns), InvalidArgument);
}

// Refusals are one line, whatever was typed.
RC_GTEST_PROP(RecordFilterProperties, AnyTextIsTakenOrRefusedInOneLine, (std::string noise)) {
  const auto start = *rc::gen::elementOf(
      std::vector<std::string>{"", "age>", "age=1 and ", "(", "not ", "city='", "\"first name\"="});
  try {
    const RecordFilter filter(start + noise, kColumns);
    filter.matches(std::vector<std::string>{"1", noise, "", ""});
  } catch (const InvalidArgument& refusal) {
    const std::string what = refusal.what();
    RC_ASSERT(what.find("; ") != std::string::npos);
  }
}

TEST(FieldNumber, TakesFiniteNumbersOnly) {
  EXPECT_EQ(field_number(" +12.5\t"), 12.5);
  EXPECT_EQ(field_number("-1e3"), -1000);
  for (const char* text : {"", " ", "x", "1 2", "0x10", "nan", "inf", "--1", "1,5"}) {
    EXPECT_EQ(field_number(text), std::nullopt) << text;
  }
}

TEST(FieldNumber, HasTheDecimalSignThatIsGiven) {
  EXPECT_EQ(field_number(" +12,5\t", ','), 12.5);
  EXPECT_EQ(field_number("-3", ','), -3);
  for (const char* text : {"1.5", "1,5,0", "1.000,5", "", ","}) {
    EXPECT_EQ(field_number(text, ','), std::nullopt) << text;
  }
}

TEST(ColumnIndex, NamesTheColumnsThereAre) {
  const std::vector<std::string> twice = {"a", "a", "b"};
  EXPECT_EQ(column_index("b", twice), 2U);
  EXPECT_THROW(column_index("a", twice), InvalidArgument);
  EXPECT_THROW(column_index("c", twice), InvalidArgument);
  const auto words = [&](const std::string& name) {
    try {
      column_index(name, twice);
    } catch (const NoSuchColumn& refusal) {
      EXPECT_EQ(refusal.name(), name);
      return std::string(refusal.what());
    }
    return std::string();
  };
  EXPECT_EQ(words("c"), "column 'c': the table has no such column; accepted: a, a, b");
  EXPECT_EQ(words("a"), "column 'a': the table has 2 of this name; accepted: a, a, b");
}

TEST(ColumnIndex, ShowsNoMoreOfANameThanAGlance) {
  const std::vector<std::string> columns = {std::string(3000000, 'x'),
                                            "é" + std::string(58, 'y') + "é"};
  try {
    column_index("none", columns);
    FAIL();
  } catch (const NoSuchColumn& refusal) {
    const std::string what = refusal.what();
    EXPECT_LT(what.size(), 300U);
    EXPECT_NE(what.find("xxx…, é" + std::string(58, 'y') + "…"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace sotto::mechanisms
