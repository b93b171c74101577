#include "data/csv.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Records = std::vector<std::vector<std::string>>;

Records records_of(const std::string& text) {
  std::istringstream input(text);
  CsvReader reader(input, "t.csv");
  Records records;
  std::vector<std::string> fields;
  while (reader.next(fields)) records.push_back(fields);
  return records;
}

std::string error_of(const std::string& text) {
  return message_of([&] { records_of(text); });
}

TEST(Csv, PlainRecords) {
  const Records expected{{"a", "b"}, {"1", ""}, {"", "2"}};
  EXPECT_EQ(records_of("a,b\n1,\n,2\n"), expected);
  EXPECT_EQ(records_of("a,b\r\n1,\r\n,2\r\n"), expected);
  EXPECT_EQ(records_of("a,b\n1,\n,2"), expected);
  EXPECT_EQ(records_of("\xEF\xBB\xBF\"a\",b\n1,\n,2"), expected);
}

TEST(Csv, NothingAtAll) {
  EXPECT_TRUE(records_of("").empty());
  EXPECT_TRUE(records_of("\n\r\n\n").empty());
  EXPECT_TRUE(records_of("\xEF\xBB\xBF").empty());
}

TEST(Csv, QuotesHoldCommasLinesAndQuotes) {
  EXPECT_THAT(records_of("\"a,b\",\"line\r\nline\",\"say \"\"hi\"\"\",\"\"\r\n"),
              ElementsAre(ElementsAre("a,b", "line\r\nline", "say \"hi\"", "")));
  EXPECT_THAT(records_of("x,\"y\""), ElementsAre(ElementsAre("x", "y")));
}

TEST(Csv, EmptyLinesAreSkippedAndCounted) {
  std::istringstream input("a,b\n\n\"1\n1\",2\n\n3,4\n");
  CsvReader reader(input, "t.csv");
  std::vector<std::string> fields;
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(reader.line(), 1);
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(reader.line(), 3);
  ASSERT_TRUE(reader.next(fields));
  EXPECT_EQ(reader.place(), "t.csv, line 6");
  EXPECT_FALSE(reader.next(fields));
}

TEST(Csv, RaggedRows) {
  EXPECT_EQ(error_of("a,b\n1,2\n1,2,3\n"),
            "t.csv, line 3: 3 fields, must be 2 as in the first line");
  EXPECT_EQ(error_of("a,b\n1\n"), "t.csv, line 2: 1 field, must be 2 as in the first line");
}

TEST(Csv, Quotes) {
  EXPECT_EQ(error_of("a\n\"1\n2\n"), "t.csv, line 2: a quote that is never closed");
  EXPECT_EQ(error_of("a\nb\n1\"2\n"),
            "t.csv, line 3: a quote inside a field that does not begin with one");
  EXPECT_EQ(error_of("a\n\"1\"2\n"), "t.csv, line 2: text after a closing quote");
}

TEST(Csv, WhatIsNoText) {
  EXPECT_EQ(error_of(std::string("a,b\n1,\0", 7)), "t.csv, line 2: a NUL byte, this is not text");
  EXPECT_EQ(error_of(std::string("a,\"\n\0\"", 6)), "t.csv, line 2: a NUL byte, this is not text");
  EXPECT_EQ(error_of("a\rb\r"), "t.csv, line 1: a carriage return that does not end a line");
  EXPECT_THAT(error_of("\xEF\xBBx"), HasSubstr("line 1: a byte order mark"));
}

}  // namespace
}  // namespace sotto::data
