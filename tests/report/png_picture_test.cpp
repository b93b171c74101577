#include "report/png_picture.h"

#include <gtest/gtest.h>

#include "data/png_image.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

const std::string kHalf =
    R"(<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20">)"
    R"(<rect width="30" height="20" fill="#ffffff"/><rect width="15" height="20" fill="#c01020"/></svg>)";

TEST(PngPictureTest, ShowsWhatTheSvgSaysAtTwiceItsSize) {
  const auto image = data::decode_png(png_from_svg(kHalf), "test", 3);
  ASSERT_EQ(image.width, 60);
  ASSERT_EQ(image.height, 40);
  const auto pixel = [&](int x, int y) {
    return image.pixels.substr(static_cast<std::size_t>(y * image.row_bytes() + x * 3), 3);
  };
  EXPECT_EQ(pixel(10, 20), "\xc0\x10\x20");
  EXPECT_EQ(pixel(50, 20), "\xff\xff\xff");
}

TEST(PngPictureTest, MayHaveAnyScale) {
  const auto image = data::decode_png(png_from_svg(kHalf, 3.5), "test", 3);
  EXPECT_EQ(image.width, 105);
  EXPECT_EQ(image.height, 70);
}

TEST(PngPictureTest, RefusesWhatIsNoPicture) {
  EXPECT_THROW(png_from_svg(""), InvalidArgument);
  EXPECT_THROW(png_from_svg("<svg"), InvalidArgument);
  EXPECT_THROW(png_from_svg(kHalf.substr(0, 100)), InvalidArgument);  // cut short
  EXPECT_THROW(png_from_svg(kHalf, 1e6), InvalidArgument);
}

}  // namespace
}  // namespace sotto::report
