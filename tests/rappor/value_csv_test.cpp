#include "rappor/value_csv.h"

#include <gtest/gtest.h>

#include <sstream>
#include <utility>
#include <vector>

#include "sotto/core/error.h"
#include "sotto/rappor/rappor.h"

namespace sotto::rappor {
namespace {

std::vector<std::pair<std::string, std::string>> read(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::pair<std::string, std::string>> rows;
  read_value_csv(in, "values.csv", [&](const std::string& client, const std::string& value) {
    rows.emplace_back(client, value);
  });
  return rows;
}

TEST(ValueCsv, ColumnsAreFoundByName) {
  const auto rows = read("date,value,client\n1,\"a, \"\"b\"\"\",c1\r\n2,,c2");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], std::pair(std::string("c1"), std::string("a, \"b\"")));
  EXPECT_EQ(rows[1], std::pair(std::string("c2"), std::string()));
}

TEST(ValueCsv, SkipsAByteOrderMark) {
  const auto rows = read(
      "\xEF\xBB\xBF"
      "client,value\n\xEF\xBB\xBF"
      "c,v\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0], std::pair(std::string("\xEF\xBB\xBF"
                                           "c"),
                               std::string("v")));
}

TEST(ValueCsv, RefusesWhatWouldLeaveSomebodyOut) {
  for (const char* text : {"", "a,b\n1,2\n", "client,value\n1\n", "client,value\n1,2,3\n",
                           "client,value\n1,\"2\n", "client,value\n\n"}) {
    EXPECT_THROW(read(text), InvalidArgument) << text;
  }
}

TEST(Secret, ReadsBackAndDiffersByClient) {
  const std::string text = fresh_secret_text();
  EXPECT_NE(text, fresh_secret_text());
  const std::string master = parse_secret_text(text, "secret.txt");
  EXPECT_EQ(master.size(), 32U);
  const ClientSecrets secrets(master);
  EXPECT_EQ(secrets("a"), secrets("a"));
  EXPECT_NE(secrets("a"), secrets("b"));
  for (const char* wrong : {"", "abc", "zz"}) {
    EXPECT_THROW(parse_secret_text(wrong, "secret.txt"), InvalidArgument);
  }
}

}  // namespace
}  // namespace sotto::rappor
