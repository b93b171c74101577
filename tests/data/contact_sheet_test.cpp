#include "data/contact_sheet.h"

#include <gtest/gtest.h>

#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

// Five samples of 1 x 2 pixels, of the classes 1 0 1 1 0.
LabelledData small_data() {
  return {{0.0F, 0.2F, 0.4F, 0.6F, 0.8F, 1.0F, 2.0F, -1.0F, 0.0F, 1.0F},
          {1, 0, 1, 1, 0},
          {1, 1, 2},
          {"a", "b"}};
}

TEST(ContactSheet, ARowForEachClass) {
  const auto sheet = contact_sheet(small_data(), {10, 2, 1, 1});
  EXPECT_EQ(sheet.height, 5);  // two samples of height 1, three margins of 1
  EXPECT_EQ(sheet.width, 7);
  EXPECT_EQ(sheet.pixels, std::string("```````"
                                      "`\x66\x99`\x00\xff`"
                                      "```````"
                                      "`\x00\x33`\xcc\xff`"
                                      "```````",
                                      35));
}

TEST(ContactSheet, LeavesRoomForMissingSamplesAndZooms) {
  const auto sheet = contact_sheet(small_data(), {1, 3, 0, 2});
  EXPECT_EQ(sheet.height, 2);
  EXPECT_EQ(sheet.pixels.substr(0, 12), std::string("\x66\x66\x99\x99\0\0\xff\xff````", 12));
  EXPECT_EQ(sheet.pixels.substr(0, 12), sheet.pixels.substr(12));
}

TEST(ContactSheet, Colours) {
  const LabelledData data{{1.0F, 0.0F, 0.2F, 0.4F, 0.6F, 0.8F}, {0}, {3, 1, 2}, {"a"}};
  EXPECT_EQ(contact_sheet(data, {1, 1, 0, 1}).pixels, std::string("\xff\x33\x99\x00\x66\xcc", 6));
}

TEST(ContactSheet, BadOptionsAreNamed) {
  auto data = small_data();
  EXPECT_THAT(message_of([&] { contact_sheet(data, {0, 1, 0, 1}); }), HasSubstr("0 x 1 samples"));
  EXPECT_THAT(message_of([&] { contact_sheet(data, {1, 1, -1, 1}); }), HasSubstr("margin of -1"));
  EXPECT_THAT(message_of([&] { contact_sheet(data, {1, 1, 0, 0}); }), HasSubstr("zoom of 0"));
  EXPECT_THAT(message_of([&] { contact_sheet(data, {1, 20'000, 1, 1}); }), HasSubstr("too large"));
  data.shape = {2};
  EXPECT_THAT(message_of([&] { contact_sheet(data); }), HasSubstr("rank 1"));
}

}  // namespace
}  // namespace sotto::data
