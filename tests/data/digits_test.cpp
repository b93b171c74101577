#include "data/digits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/pixel.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kPixels = 784;

TEST(Digits, AreShapedLikeMnist) {
  const auto data = make_digits({50, 20, 3});
  EXPECT_NO_THROW(data.validate());
  EXPECT_EQ(data.train.size(), 50);
  EXPECT_EQ(data.test.size(), 20);
  EXPECT_THAT(data.train.shape, ElementsAre(1, 28, 28));
  for (const float feature : data.train.features) {
    EXPECT_EQ(pixel_byte(feature) / kWhite, feature);
  }
}

TEST(Digits, RepeatAndGrowWithTheSeed) {
  const auto few = make_digits({10, 5, 7});
  const auto more = make_digits({30, 5, 7});
  EXPECT_TRUE(std::equal(few.train.features.begin(), few.train.features.end(),
                         more.train.features.begin()));
  EXPECT_EQ(few.test.features, more.test.features);
  EXPECT_NE(few.train.features, make_digits({10, 5, 8}).train.features);
  EXPECT_NE(make_digits({5, 5, 7}).train.features, few.test.features);
}

TEST(Digits, EveryClassIsDrawnAboutEquallyOften) {
  const auto data = make_digits({2'000, 1, 1});
  for (std::int64_t digit = 0; digit < 10; ++digit) {
    const auto count = std::count(data.train.labels.begin(), data.train.labels.end(), digit);
    EXPECT_NEAR(count, 200, 60) << digit;
  }
}

// Ink covers about as much of the paper as in MNIST (mean pixel 0.13), and none of it is cut off.
TEST(Digits, AreWrittenOnThePaper) {
  const auto data = make_digits({500, 1, 1});
  double ink = 0;
  double ink_on_border = 0;
  for (std::size_t i = 0; i < data.train.features.size(); ++i) {
    const auto x = i % 28;
    const auto y = i % kPixels / 28;
    const bool border = x == 0 || x == 27 || y == 0 || y == 27;
    ink += data.train.features[i];
    ink_on_border += border ? data.train.features[i] : 0;
  }
  EXPECT_NEAR(ink / static_cast<double>(data.train.features.size()), 0.12, 0.04);
  EXPECT_LT(ink_on_border, 0.002 * ink);
}

std::vector<std::vector<double>> class_means(const LabelledData& data) {
  std::vector<std::vector<double>> means(10, std::vector<double>(kPixels, 0.0));
  std::vector<double> counts(10, 0.0);
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    const auto label = static_cast<std::size_t>(data.labels[i]);
    counts[label] += 1;
    for (std::size_t p = 0; p < kPixels; ++p) means[label][p] += data.features[i * kPixels + p];
  }
  for (std::size_t c = 0; c < 10; ++c) {
    for (double& mean : means[c]) mean /= counts[c];
  }
  return means;
}

double distance(const std::vector<double>& mean, const float* image) {
  double sum = 0;
  for (std::size_t p = 0; p < kPixels; ++p) sum += (mean[p] - image[p]) * (mean[p] - image[p]);
  return sum;
}

// The nearest of ten means is a weak classifier: far above chance, far from perfect.
TEST(Digits, AreNeitherTrivialNorHopeless) {
  const auto data = make_digits({3'000, 1'000, 1});
  const auto means = class_means(data.train);
  int right = 0;
  for (std::size_t i = 0; i < data.test.labels.size(); ++i) {
    const float* image = &data.test.features[i * kPixels];
    const auto nearest = std::min_element(
        means.begin(), means.end(),
        [&](const auto& a, const auto& b) { return distance(a, image) < distance(b, image); });
    right += nearest - means.begin() == data.test.labels[i] ? 1 : 0;
  }
  EXPECT_GT(right, 650);
  EXPECT_LT(right, 930);
}

TEST(Digits, CountsHaveLimits) {
  EXPECT_THAT(message_of([] { make_digits({0, 1, 1}); }), HasSubstr("digits: 0 images"));
  EXPECT_THAT(message_of([] { make_digits({1, 1'000'001, 1}); }), HasSubstr("1000001 images"));
}

}  // namespace
}  // namespace sotto::data
