#include "settings/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace sotto::settings {
namespace {

using testing::ElementsAre;

TEST(Values, CountsAreWholeAndPositive) {
  EXPECT_EQ(count("1e6"), 1'000'000);
  for (const auto* text : {"", "0", "-1", "1.5", "1e17", "nan", "inf", "1 ", "x"}) {
    EXPECT_THROW(count(text), NotAccepted) << text;
  }
}

TEST(Values, SharesIncludeZeroAndNotOne) {
  EXPECT_EQ(share("0"), 0);
  EXPECT_THROW(share("1"), NotAccepted);
  EXPECT_THROW(probability("0"), NotAccepted);
  EXPECT_THROW(probability("1"), NotAccepted);
  EXPECT_EQ(probability("1e-5"), 1e-5);
}

TEST(Values, SeedsMayBeZero) {
  EXPECT_EQ(seed("0"), 0U);
  EXPECT_THROW(seed("-1"), NotAccepted);
  EXPECT_THROW(seed("0.5"), NotAccepted);
}

TEST(Values, AmountsOfMemoryHaveUnits) {
  EXPECT_EQ(bytes("2GiB"), std::int64_t{2} << 30U);
  EXPECT_THROW(bytes("2 pounds"), NotAccepted);
}

TEST(Values, ListsAreOneLineOfCsv) {
  EXPECT_THAT(list("a, b,\"c, d\""), ElementsAre("a", "b", "c, d"));
  for (const auto* text : {"", "a,,b", "a\nb", "\"a"}) {
    EXPECT_THROW(list(text), NotAccepted) << text;
  }
  EXPECT_THAT(numbers("1,2e3"), ElementsAre(1, 2000));
  EXPECT_THROW(numbers("1,inf"), NotAccepted);
}

TEST(Values, ClassNamesMayStandInAFile) {
  const auto file = testing::TempDir() + "/names.txt";
  std::ofstream(file) << "rose\r\n\n tulip \n";
  EXPECT_THAT(class_names("@" + file), ElementsAre("rose", "tulip"));
  EXPECT_THROW(class_names("@" + file + ".none"), NotAccepted);
}

TEST(Values, AFileOrFolderWithoutItsKindIsRecognised) {
  const auto message_of = [](const std::string& text) -> std::string {
    try {
      dataset(text);
    } catch (const NotAccepted& error) {
      return error.what();
    }
    return "";
  };
  const auto file = testing::TempDir() + "/patients.csv";
  std::ofstream(file) << "age\n1\n";
  EXPECT_THAT(message_of(file), testing::HasSubstr("; did you mean csv:" + file + "?"));
  EXPECT_EQ(message_of("csv:" + file), "");
  const auto folder = testing::TempDir();
  EXPECT_THAT(message_of(folder), testing::HasSubstr("did you mean images:" + folder));
  EXPECT_THAT(message_of("nonsense"), testing::Not(testing::HasSubstr("did you mean")));
}

TEST(Values, RefusalsSayWhatIsAccepted) {
  try {
    image_size_by_factor("3");
    FAIL();
  } catch (const NotAccepted& error) {
    EXPECT_STREQ(error.what(), "expected 1, 2 or 4");
  }
}

}  // namespace
}  // namespace sotto::settings
