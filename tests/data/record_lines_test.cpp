#include "data/record_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Records = std::vector<std::vector<std::string>>;

Records records_of(const std::string& text) {
  std::istringstream input(text);
  RecordLines lines(input, "t.csv");
  Records records;
  std::vector<std::string> fields;
  while (lines.next(fields)) records.push_back(fields);
  return records;
}

TEST(RecordLines, OtherSeparators) {
  for (const char separator : {';', '\t'}) {
    std::istringstream input("a,b" + std::string(1, separator) + "c\n1,2" + separator + "3\n4,5\n" +
                             "\"6" + separator + "\"" + separator + "7\n");
    RecordLines lines(input, "t.csv", separator);
    EXPECT_THAT(lines.columns(), ElementsAre("a,b", "c"));
    std::vector<std::string> fields;
    ASSERT_TRUE(lines.next(fields));
    EXPECT_THAT(fields, ElementsAre("1,2", "3"));
    ASSERT_TRUE(lines.next(fields));
    EXPECT_EQ(fields[1], "7");
    EXPECT_FALSE(lines.next(fields));
  }
}

TEST(RecordLines, WithoutASeparatorTheNamesShowIt) {
  std::istringstream input("\xEF\xBB\xBFid;\"a,b\"\n1,2,3\n1;2\n");
  RecordLines lines(input, "t.csv", std::nullopt);
  EXPECT_EQ(lines.separator(), ';');
  EXPECT_THAT(lines.columns(), ElementsAre("id", "a,b"));
  std::vector<std::string> fields;
  ASSERT_TRUE(lines.next(fields));
  EXPECT_THAT(fields, ElementsAre("1", "2"));
  EXPECT_FALSE(lines.next(fields));
  std::istringstream mixed("a,b;c\n1,2;3\n");
  EXPECT_THAT(message_of([&] { RecordLines(mixed, "t.csv", std::nullopt); }),
              HasSubstr("t.csv, line 1: nobody can tell"));
}

TEST(RecordLines, ReadsCsv) {
  const Records expected{{"1", ""}, {"", "2"}, {"a,b", "say \"hi\""}};
  EXPECT_EQ(records_of("a,b\n1,\n,2\n\"a,b\",\"say \"\"hi\"\"\"\n"), expected);
  EXPECT_EQ(records_of("a,b\r\n\"1\",\r\n,2\r\n\"a,b\",\"say \"\"hi\"\"\""), expected);
  std::istringstream input("\xEF\xBB\xBF\"first name\", age \n");
  EXPECT_THAT(RecordLines(input, "t.csv").columns(), ElementsAre("first name", "age"));
}

TEST(RecordLines, PassesOverWhatIsNoRecord) {
  for (const std::string& line :
       {std::string(""), std::string("1"), std::string("1,2,3"), std::string("\"1,2"),
        std::string("1,\"2"), std::string("1,2\""), std::string("1,\"2\"x"),
        std::string("1,\"\"\""), std::string("1\r,2"), std::string("1,\0", 3),
        std::string("\"\0\",2", 5), std::string(3000000, ','),
        "1," + std::string(RecordLines::kLongestLine, 'x')}) {
    EXPECT_THAT(records_of("a,b\n" + line + "\n3,4\n"), ElementsAre(ElementsAre("3", "4")))
        << line.substr(0, 20);
    EXPECT_THAT(records_of("a,b\n3,4\n" + line), ElementsAre(ElementsAre("3", "4")))
        << line.substr(0, 20);
  }
}

TEST(RecordLines, HoldsTheLongestLine) {
  const std::string longest(RecordLines::kLongestLine, 'x');
  EXPECT_THAT(records_of("a\n" + longest + "\r\n"), ElementsAre(ElementsAre(longest)));
  EXPECT_THAT(records_of("a\n" + longest + "x\r\n"), IsEmpty());
}

TEST(RecordLines, NeedsNames) {
  for (const std::string text : {"", "\n1,2\n", "\"a,b\n1,2\n", "a\"b\n1\n", "\xEF\xBB\xBF\n1\n"}) {
    EXPECT_THAT(message_of([&] { records_of(text); }), HasSubstr("t.csv: must begin with")) << text;
  }
}

// One line more or less is one record more or less at that place, whatever bytes it is made of.
RC_GTEST_PROP(RecordLinesProperties, ALineMovesItselfAlone, ()) {
  const auto line = rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("a1,\",\"\",\r\0 \xFF\xEF\xBB\xBF", 15)));
  const auto above = *rc::gen::container<std::vector<std::string>>(line);
  const auto below = *rc::gen::container<std::vector<std::string>>(line);
  const auto text_of = [](const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& each : lines) text += each + '\n';
    return text;
  };
  const std::string names = "a,b\n";
  auto expected = records_of(names + text_of(above));
  for (const auto& each : below) {
    const auto records = records_of(names + each + '\n');
    expected.insert(expected.end(), records.begin(), records.end());
  }
  RC_ASSERT(records_of(names + text_of(above) + text_of(below)) == expected);
}

}  // namespace
}  // namespace sotto::data
