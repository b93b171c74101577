#include "sotto/core/error.h"

#include <gtest/gtest.h>

namespace sotto {
namespace {

std::string flag(const std::string& key) { return "--" + key; }

TEST(InvalidSetting, NamesSettingsAsItsReaderDoes) {
  try {
    check_setting(1 > 2, the_setting("weights"), ": needs ", the_setting("freeze"), ", got ", 7);
    FAIL() << "nothing was thrown";
  } catch (const InvalidSetting& error) {
    EXPECT_STREQ(error.what(), "weights: needs freeze, got 7");
    EXPECT_EQ(error.worded(flag), "--weights: needs --freeze, got 7");
  }
  EXPECT_NO_THROW(check_setting(true, the_setting("weights")));
}

TEST(InvalidSetting, LeavesAllElseAsItIs) {
  const InvalidSetting error("csv:/tmp/{a}%s.csv: " + the_setting("classes") + " is missing");
  EXPECT_EQ(error.worded(flag), "csv:/tmp/{a}%s.csv: --classes is missing");
  EXPECT_EQ(InvalidSetting("nothing").worded(flag), "nothing");
  EXPECT_EQ(InvalidSetting("").worded(flag), "");
}

TEST(Worded, NamesSettingsInAnyMessage) {
  const auto message = the_setting("group_size") + " 2 promises more";
  EXPECT_EQ(worded(message, flag), "--group_size 2 promises more");
  EXPECT_EQ(worded(message), "group_size 2 promises more");
}

// Callers that know InvalidArgument alone go on as before.
TEST(InvalidSetting, IsAnInvalidArgument) {
  EXPECT_THROW(check_setting(false, the_setting("epochs"), " must be positive"), InvalidArgument);
}

}  // namespace
}  // namespace sotto
