#include "data/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "data/pen_stroke.h"
#include "data/pixel.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

constexpr int kSide = 28;
using Ink = std::array<float, std::size_t{kSide} * kSide>;  // (height, width), 1 is full

// The standard's distributions differ between libraries; these do not. Public data, so the engine
// need not be secure.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
  }
  int below(std::size_t count) { return static_cast<int>(uniform(0, static_cast<double>(count))); }
  double normal(double standard_deviation) {  // Box and Muller
    const double radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
    return standard_deviation * radius * std::cos(uniform(0, 2 * std::numbers::pi));
  }

 private:
  std::mt19937_64 engine_;
};

// From the unit square of a glyph to pixels.
struct Hand {
  std::array<double, 4> matrix{};
  Point centre;
  double unsteadiness = 0;

  static Hand draw(Dice& dice) {
    const double angle = dice.normal(0.16);
    const double slant = dice.normal(0.24);
    const double width = 15 * dice.uniform(0.68, 1.15);
    const double height = 20 * dice.uniform(0.76, 1.05);
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return {{c * width, (-c * slant - s) * height, s * width, (c - s * slant) * height},
            {13.5 + dice.normal(1.1), 13.5 + dice.normal(1.1)},
            dice.uniform(0.01, 0.05)};
  }

  Point place(const Point& point, Dice& dice) const {
    const double x = point.x - 0.5 + dice.normal(unsteadiness);
    const double y = point.y - 0.5 + dice.normal(unsteadiness);
    return {centre.x + matrix[0] * x + matrix[1] * y, centre.y + matrix[2] * x + matrix[3] * y};
  }
};

struct Pen {
  double half_width = 1;  // pixels
  double softness = 1;    // pixels over which the ink fades at the edge

  static Pen draw(Dice& dice) { return {dice.uniform(0.55, 1.55), dice.uniform(0.8, 1.5)}; }
  double reach() const { return half_width + softness / 2; }
  float ink_at(double distance) const {
    return static_cast<float>(std::clamp((reach() - distance) / softness, 0.0, 1.0));
  }
};

double distance_to_segment(const Point& point, const Point& a, const Point& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length_squared = std::max(dx * dx + dy * dy, 1e-12);
  const double t =
      std::clamp(((point.x - a.x) * dx + (point.y - a.y) * dy) / length_squared, 0.0, 1.0);
  const double x = point.x - a.x - t * dx;
  const double y = point.y - a.y - t * dy;
  return std::sqrt(x * x + y * y);
}

int first_pixel(double a, double b, double reach) {
  return static_cast<int>(std::clamp(std::ceil(std::min(a, b) - reach), 0.0, double{kSide}));
}

int last_pixel(double a, double b, double reach) {
  return static_cast<int>(std::clamp(std::floor(std::max(a, b) + reach), -1.0, kSide - 1.0));
}

void ink_segment(const Point& a, const Point& b, const Pen& pen, Ink& ink) {
  const int right = last_pixel(a.x, b.x, pen.reach());
  const int bottom = last_pixel(a.y, b.y, pen.reach());
  for (int y = first_pixel(a.y, b.y, pen.reach()); y <= bottom; ++y) {
    for (int x = first_pixel(a.x, b.x, pen.reach()); x <= right; ++x) {
      float& pixel = ink[static_cast<std::size_t>(y) * kSide + static_cast<std::size_t>(x)];
      pixel = std::max(pixel, pen.ink_at(distance_to_segment({double(x), double(y)}, a, b)));
    }
  }
}

void write_stroke(const Stroke& stroke, const Hand& hand, const Pen& pen, Dice& dice, Ink& ink) {
  Stroke placed;
  for (const auto& point : stroke) placed.push_back(hand.place(point, dice));
  const auto line = smooth(placed, 4);
  for (std::size_t i = 1; i < line.size(); ++i) ink_segment(line[i - 1], line[i], pen, ink);
}

// Grain in the ink; the paper stays white (0), as in MNIST.
void add_grain(Dice& dice, Ink& ink) {
  const double strength = dice.uniform(0, 0.25);
  for (float& pixel : ink) {
    if (pixel > 0) pixel *= static_cast<float>(1 - dice.uniform(0, strength));
  }
}

void append_digit(int digit, Dice& dice, LabelledData& data) {
  const auto& glyphs = glyphs_of_digit(digit);
  const auto& glyph = glyphs[static_cast<std::size_t>(dice.below(glyphs.size()))];
  const Hand hand = Hand::draw(dice);
  const Pen pen = Pen::draw(dice);
  Ink ink{};
  for (const auto& stroke : glyph) write_stroke(stroke, hand, pen, dice, ink);
  add_grain(dice, ink);
  // Bytes on the way: the last bits of sine and cosine differ between machines, these do not.
  for (const float pixel : ink) data.features.push_back(pixel_byte(pixel) / kWhite);
  data.labels.push_back(digit);
}

LabelledData draw_digits(std::int64_t count, std::uint64_t seed) {
  LabelledData data{{}, {}, {1, kSide, kSide}, numbered_classes(10)};
  data.features.reserve(static_cast<std::size_t>(count) * kSide * kSide);
  Dice dice(seed);
  for (std::int64_t i = 0; i < count; ++i) append_digit(dice.below(10), dice, data);
  return data;
}

}  // namespace

TrainTest make_digits(const DigitsOptions& options) {
  for (const auto count : {options.train_count, options.test_count}) {
    check_argument(count >= 1 && count <= 1'000'000, "digits: ", count,
                   " images asked for, must be in [1, 1000000]");
  }
  return {draw_digits(options.train_count, options.seed),
          draw_digits(options.test_count, ~options.seed), "digits"};
}

}  // namespace sotto::data
