#include "data/image.h"

#include <gtest/gtest.h>

#include "tests/data/messages.h"
#include "tests/data/test_images.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

TEST(ImageResize, KeepsAnImageOfTheSameSize) {
  const auto image = ramp_image(7, 5, 3);
  EXPECT_EQ(resize(image, 7, 5).pixels, image.pixels);
}

TEST(ImageResize, AveragesTheAreaWhenShrinking) {
  const Image image{2, 4, 1, std::string("\x00\x10\x20\x30\x10\x20\x30\x40", 8)};
  EXPECT_EQ(resize(image, 1, 2).pixels, "\x10\x30");
  EXPECT_EQ(resize(image, 1, 1).pixels, "\x20");
  const Image thirds{1, 3, 1, std::string("\x00\x60\xC0", 3)};  // 3 -> 2: shares 1, 1/2 | 1/2, 1
  EXPECT_EQ(resize(thirds, 1, 2).pixels, "\x20\xA0");
}

TEST(ImageResize, InterpolatesWhenGrowing) {
  const Image image{1, 2, 1, std::string("\x00\x40", 2)};
  EXPECT_EQ(resize(image, 1, 4).pixels, std::string("\x00\x10\x30\x40", 4));
  EXPECT_EQ(resize(plain_image(1, 1, "abc"), 2, 2).pixels, "abcabcabcabc");
}

TEST(ImageResize, KeepsAPlainColourAtEverySize) {
  const auto image = plain_image(9, 11, "\x07\x80\xff");
  for (const std::int64_t side : {1, 2, 3, 8, 10, 13, 40}) {
    EXPECT_EQ(resize(image, side, side + 1).pixels,
              plain_image(side, side + 1, "\x07\x80\xff").pixels);
  }
}

TEST(ImageResize, ARampStaysARamp) {
  EXPECT_LE(largest_difference(resize(ramp_image(64, 64, 3), 16, 16), ramp_image(16, 16, 3)), 2);
  EXPECT_LE(largest_difference(resize(ramp_image(16, 16, 3), 64, 64), ramp_image(64, 64, 3)), 6);
}

TEST(Image, BadSizesAreRefused) {
  const auto image = plain_image(2, 2, "a");
  EXPECT_THAT(message_of([&] { resize(image, 0, 3); }), HasSubstr("3 x 0 pixels"));
  EXPECT_THAT(message_of([&] { resize(image, 3, -1); }), HasSubstr("-1 x 3 pixels"));
  EXPECT_THAT(message_of([&] { resize(image, 3, 16'385); }), HasSubstr("must be in [1, 16384]"));
  EXPECT_THAT(message_of([] { plain_image(2, 2, "ab").validate(); }), HasSubstr("2 channels"));
  EXPECT_THAT(message_of([] { Image{2, 2, 1, "abc"}.validate(); }), HasSubstr("with 3 bytes"));
}

}  // namespace
}  // namespace sotto::data
