#include "data/png_image.h"

#include <gtest/gtest.h>

#include "tests/data/messages.h"
#include "tests/data/test_images.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

TEST(PngImage, SurvivesTheWayThereAndBack) {
  for (const std::int64_t channels : {1, 3}) {
    const auto image = ramp_image(13, 31, channels);
    const auto decoded = decode_png(encode_png(image), "x.png", channels);
    EXPECT_EQ(decoded.height, 13);
    EXPECT_EQ(decoded.width, 31);
    EXPECT_EQ(decoded.channels, channels);
    EXPECT_EQ(decoded.pixels, image.pixels);
  }
}

TEST(PngImage, ConvertsBetweenGreyAndColour) {
  const auto grey = plain_image(2, 2, "\x80");
  EXPECT_EQ(decode_png(encode_png(grey), "x.png", 3).pixels,
            plain_image(2, 2, "\x80\x80\x80").pixels);
  const auto colour = plain_image(2, 2, "\xff\xff\xff");
  EXPECT_EQ(decode_png(encode_png(colour), "x.png", 1).pixels, plain_image(2, 2, "\xff").pixels);
}

TEST(PngImage, OtherFilesAreNamed) {
  EXPECT_EQ(message_of([] { decode_png("GIF89a", "x.png", 1); }), "x.png: not a PNG file");
  EXPECT_EQ(message_of([] { decode_png("", "x.png", 1); }), "x.png: not a PNG file");
  EXPECT_THAT(message_of([] { decode_png("\x89PNG\r\n\x1a\n", "x.png", 1); }),
              HasSubstr("x.png: not a readable PNG file: "));
}

TEST(PngImage, EveryTruncationBeforeTheEndIsAnError) {
  const auto bytes = encode_png(ramp_image(8, 8, 3));
  for (std::size_t size = 0; size + 16 < bytes.size(); ++size) {  // 12 bytes of IEND, 4 of CRC
    EXPECT_THAT(message_of([&] { decode_png(bytes.substr(0, size), "cut.png", 3); }),
                HasSubstr("cut.png: not a "));
  }
}

TEST(PngImage, CorruptPixelsAreAnError) {
  auto bytes = encode_png(ramp_image(40, 40, 3));
  bytes[bytes.size() / 2] ^= 0x55;
  EXPECT_THAT(message_of([&] { decode_png(bytes, "bad.png", 3); }),
              HasSubstr("bad.png: not a readable PNG file"));
}

TEST(PngImage, SizesAndChannelsAreLimited) {
  const auto bytes = encode_png(plain_image(1, 9, "a"));
  EXPECT_EQ(message_of([&] { decode_png(bytes, "x.png", 1, 8); }),
            "x.png: 9 x 1 pixels, must be at most 8 each way");
  EXPECT_THAT(message_of([&] { decode_png(bytes, "x.png", 4); }), HasSubstr("must be 1 or 3"));
  EXPECT_THROW(encode_png({2, 2, 1, "abc"}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::data
