#include "data/labelled_data.h"

#include <gtest/gtest.h>

#include "data/pixel.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

LabelledData two_samples() { return {{1, 2, 3, 4, 5, 6}, {0, 1}, {3}, {"no", "yes"}}; }

TEST(LabelledData, Sizes) {
  const auto data = two_samples();
  EXPECT_NO_THROW(data.validate("d"));
  EXPECT_EQ(data.size(), 2);
  EXPECT_EQ(data.features_per_sample(), 3);
}

TEST(LabelledData, InconsistencyIsNamed) {
  auto data = two_samples();
  data.features.pop_back();
  EXPECT_THAT(message_of([&] { data.validate("d"); }),
              HasSubstr("d: 5 features for 2 samples of shape (3), must be 6"));
  data = two_samples();
  data.labels[1] = 2;
  EXPECT_THAT(message_of([&] { data.validate("d"); }),
              HasSubstr("d: sample 1 has label 2, must be in [0, 2)"));
  data.labels[1] = -1;
  EXPECT_THAT(message_of([&] { data.validate("d"); }), HasSubstr("label -1"));
  data = two_samples();
  data.shape = {3, 0};
  EXPECT_THAT(message_of([&] { data.validate("d"); }), HasSubstr("shape (3,0) holds no features"));
  data.shape = {};
  EXPECT_THAT(message_of([&] { data.validate("d"); }), HasSubstr("shape () holds no features"));
}

TEST(TrainTest, PartsMustAgreeAndHoldSamples) {
  TrainTest data{two_samples(), two_samples(), "d"};
  EXPECT_NO_THROW(data.validate());
  data.test.class_names = {"yes", "no"};
  EXPECT_THAT(message_of([&] { data.validate(); }), HasSubstr("the same classes"));
  data.test = {{}, {}, {3}, {"no", "yes"}};
  EXPECT_THAT(message_of([&] { data.validate(); }), HasSubstr("d: the test part holds no samples"));
}

TEST(Pixel, BytesSurviveTheWayThere) {
  std::string bytes;
  for (int b = 0; b < 256; ++b) bytes += static_cast<char>(b);
  std::vector<float> features;
  append_pixels(bytes, features);
  for (std::size_t b = 0; b < 256; ++b) EXPECT_EQ(pixel_byte(features[b]), b);
  EXPECT_EQ(pixel_byte(-3), 0);
  EXPECT_EQ(pixel_byte(7), 255);
  EXPECT_EQ(pixel_byte(std::numeric_limits<float>::quiet_NaN()), 0);
}

}  // namespace
}  // namespace sotto::data
