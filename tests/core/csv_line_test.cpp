#include "core/csv_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sotto {
namespace {

using Fields = std::vector<std::string>;

Fields fields_of(std::string_view line, char separator = ',') {
  Fields fields{"left", "over", "from", "before"};
  EXPECT_TRUE(split_csv_line(line, fields, separator)) << line;
  return fields;
}

TEST(CsvLine, IsSplitAtSeparators) {
  EXPECT_EQ(fields_of("a,b"), (Fields{"a", "b"}));
  EXPECT_EQ(fields_of(",b,"), (Fields{"", "b", ""}));
  EXPECT_EQ(fields_of(""), (Fields{""}));
  EXPECT_EQ(fields_of("a,b;c", ';'), (Fields{"a,b", "c"}));
  EXPECT_EQ(fields_of("1,2,3,4,5"), (Fields{"1", "2", "3", "4", "5"}));
}

TEST(CsvLine, QuotesProtectSeparatorsAndQuotes) {
  EXPECT_EQ(fields_of("\"a,b\",\"say \"\"hi\"\"\",\"\""), (Fields{"a,b", "say \"hi\"", ""}));
  EXPECT_EQ(fields_of("\"\"\"\""), (Fields{"\""}));
}

TEST(CsvLine, CarriageReturnsAreCharacters) {
  EXPECT_EQ(fields_of("a\r,\"\r\""), (Fields{"a\r", "\r"}));
}

TEST(CsvLine, BrokenQuotesAreRefused) {
  Fields fields;
  for (const auto* line : {"\"a", "a,\"b", "a\"b", "\"a\"b", "\"a\" ,b", "\"\"\"", "a\""}) {
    EXPECT_FALSE(split_csv_line(line, fields)) << line;
  }
}

TEST(CsvLine, NoMoreFieldsAreMadeThanAskedFor) {
  Fields fields;
  EXPECT_TRUE(split_csv_line("a,b,c", fields, ',', 3));
  EXPECT_FALSE(split_csv_line("a,b,c", fields, ',', 2));
  EXPECT_EQ(fields.size(), 2);
}

}  // namespace
}  // namespace sotto
