#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sotto/core/error.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::mechanisms {
namespace {

const std::vector<std::string> kColumns = {"age", "city", "first name", "or"};

const ColumnTypes kNumericAge = {{"age", NumberType{}}};

bool matches(const std::string& condition, const std::vector<std::string>& fields) {
  return RecordFilter(condition, kColumns, kNumericAge).matches(fields);
}

TEST(RecordFilter, ComparesNumbersAsNumbersAndTextAsText) {
  const std::vector<std::string> anna = {"41", "Besançon", "Anna", "x"};
  EXPECT_TRUE(matches("age>40", anna));
  EXPECT_TRUE(matches("age >= 41", anna));
  EXPECT_FALSE(matches("age<41", anna));
  EXPECT_TRUE(matches("age<=4.1e1", anna));
  EXPECT_TRUE(matches("age=41.0", anna));
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
    return RecordFilter(condition, columns, {{"admitted", DateType{}}})
        .matches(std::vector<std::string>{field});
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

TEST(RecordFilter, TakesUndeclaredColumnsForTextAlone) {
  const std::vector<std::string> anna = {"41", "Besançon", "Anna", "2024-02-01T10:30"};
  const auto matches = [&](const char* text) { return RecordFilter(text, kColumns).matches(anna); };
  EXPECT_TRUE(matches("city=Besançon and age='41' and not age='41.0'"));
  EXPECT_TRUE(matches("\"or\"!=never and city!='3'"));
  for (const char* text :
       {"age>40", "age>=2024", "age<'2024-01-31'", "age=41", "age!=41.0", "city<=3", "not age>-1e3",
        "city=Lyon or age<50", "\"or\">=2024-01-01", "\"or\"=2024-02-01", "\"or\"='2024-02-01'"}) {
    EXPECT_THROW(RecordFilter(text, kColumns), UndeclaredColumn) << text;
  }
  EXPECT_THROW(RecordFilter("city>Lyon", kColumns), InvalidArgument);
}

TEST(RecordFilter, SaysWhichDeclarationsWouldDo) {
  const auto refusal = [](const std::string& text) {
    try {
      const RecordFilter filter(text, kColumns);
    } catch (const UndeclaredColumn& error) {
      EXPECT_EQ(error.name(), "first name");
      std::string types;
      for (const auto& type : error.accepted()) types += std::string(contents(type)) + ' ';
      return types + error.what();
    }
    return std::string();
  };
  const auto expect = [&](const char* condition, const std::string& types, const char* words) {
    const auto said = refusal(condition);
    EXPECT_EQ(said.rfind(types, 0), 0U) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  expect("\"first name\">50", "numbers condition", "declared to hold numbers");
  expect("\"first name\"=2024", "numbers text condition", "numbers or text");
  expect("\"first name\">2024", "numbers dates condition", "(then with 2024-01-01)");
  expect("\"first name\">2024-01-31", "dates condition", "declared to hold dates");
  expect("\"first name\"=2024-01-31", "dates text condition", "dates or text");
}

using std::chrono::sys_days;
using std::chrono::year;

const ColumnTypes kRanges = {
    {"age", NumberType{.range = {{0, 120}}, .whole = true}},
    {"city", CategoryType{{"1", "3"}}},
    {"first name", CategoryType{{"1", "3"}, /*other=*/true}},
    {"or", DateType{{{sys_days(year(2020) / 1 / 1), sys_days(year(2024) / 2 / 29)}}}}};

TEST(RecordFilter, RefusesWhatIsOutsideTheDeclaredRange) {
  for (const char* text :
       {"age>500", "age<-0.5", "age<=121", "age=500", "age!=121", "not age>1e300", "age=40.5",
        "city>4", "city<=0.5", "\"or\">2024-03-01", "\"or\"!='1999-12-31'", "age>1 or age>121"}) {
    EXPECT_THROW(RecordFilter(text, kColumns, kRanges), InvalidArgument) << text;
  }
  try {
    const RecordFilter filter("\"or\">2024-03-01", kColumns, kRanges);
    FAIL();
  } catch (const InvalidArgument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("a date from 2020-01-01 to 2024-02-29"),
              std::string::npos)
        << refusal.what();
  }
}

TEST(RecordFilter, TakesTheEndsOfTheDeclaredRange) {
  for (const char* text :
       {"age>=0", "age>0", "age<=120", "age=120", "age>120", "age!=0", "age>40.5", "city>=1",
        "city<=3", "`first name`>4", "\"or\"=2020-01-01", "\"or\"<=2024-02-29"}) {
    EXPECT_NO_THROW(RecordFilter(text, kColumns, kRanges)) << text;
  }
}

TEST(RecordFilter, ReadsDecimalCommasWhereTheyAreDeclared) {
  const RecordFilter filter("age>40.5", kColumns, kNumericAge, ',');
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
  EXPECT_TRUE(matches("city=''", {"", " ", "", ""}));
}

TEST(RecordFilter, RefusesWhatIsNoCondition) {
  for (const std::string text :
       {"", " ", "age", "age>", ">40", "age>>40", "age>40 and", "age>40 or or city=x", "(age>40",
        "age>40)", "age>40 city=x", "pay>40", "age<'x'", "city<Lyon", "city='Lyon", "'age'>40",
        "age=40; drop", "not", "age=40 age=41"}) {
    EXPECT_THROW(RecordFilter(text, kColumns, kNumericAge), InvalidArgument) << text;
  }
  EXPECT_THROW(
      RecordFilter(std::string(200, '(') + "age=1" + std::string(200, ')'), kColumns, kNumericAge),
      InvalidArgument);
  std::string chain = "not ";
  for (int i = 0; i < 12; ++i) chain += chain;
  EXPECT_THROW(RecordFilter(chain + "age=1", kColumns, kNumericAge), InvalidArgument);
}

// Refusals are one line, whatever was typed.
RC_GTEST_PROP(RecordFilterProperties, AnyTextIsTakenOrRefusedInOneLine, (std::string noise)) {
  const auto start = *rc::gen::elementOf(
      std::vector<std::string>{"", "age>", "age=1 and ", "(", "not ", "city='", "\"first name\"="});
  const bool declared = *rc::gen::arbitrary<bool>();
  try {
    const RecordFilter filter(start + noise, kColumns, declared ? kNumericAge : ColumnTypes{});
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
