#include "data/jpeg_image.h"

#include <gtest/gtest.h>

#include "tests/data/jpeg_bytes.h"
#include "tests/data/messages.h"
#include "tests/data/test_images.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

TEST(JpegImage, DecodesGreyAndColour) {
  for (const std::int64_t channels : {1, 3}) {
    const auto image = ramp_image(32, 48, channels);
    const auto decoded = decode_jpeg(encode_jpeg(image), "x.jpg", channels);
    EXPECT_EQ(decoded.height, 32);
    EXPECT_EQ(decoded.width, 48);
    EXPECT_LE(largest_difference(decoded, image), 8);
  }
}

TEST(JpegImage, ConvertsBetweenGreyAndColour) {
  const auto grey = decode_jpeg(encode_jpeg(plain_image(8, 8, "\xff\xff\xff")), "x.jpg", 1);
  EXPECT_EQ(grey.pixels, plain_image(8, 8, "\xff").pixels);
  const auto colour = decode_jpeg(encode_jpeg(plain_image(8, 8, "\x40")), "x.jpg", 3);
  EXPECT_LE(largest_difference(colour, plain_image(8, 8, "\x40\x40\x40")), 1);
}

TEST(JpegImage, OtherFilesAreNamed) {
  EXPECT_EQ(message_of([] { decode_jpeg("GIF89a", "x.jpg", 1); }), "x.jpg: not a JPEG file");
  EXPECT_THAT(message_of([] { decode_jpeg("\xff\xd8\xff\xe0zzzzzz", "x.jpg", 1); }),
              HasSubstr("x.jpg: not a readable JPEG file: "));
}

TEST(JpegImage, EveryTruncationIsAnError) {
  const auto bytes = encode_jpeg(ramp_image(16, 16, 3));
  for (std::size_t size = 0; size + 2 < bytes.size(); ++size) {
    EXPECT_THAT(message_of([&] { decode_jpeg(bytes.substr(0, size), "cut.jpg", 3); }),
                HasSubstr("cut.jpg: not a "));
  }
}

TEST(JpegImage, SizesAndChannelsAreLimited) {
  const auto bytes = encode_jpeg(plain_image(1, 9, "a"));
  EXPECT_EQ(message_of([&] { decode_jpeg(bytes, "x.jpg", 1, 8); }),
            "x.jpg: 9 x 1 pixels, must be at most 8 each way");
  EXPECT_THAT(message_of([&] { decode_jpeg(bytes, "x.jpg", 2); }), HasSubstr("must be 1 or 3"));
}

}  // namespace
}  // namespace sotto::data
