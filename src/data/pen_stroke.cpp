#include "data/pen_stroke.h"

#include <array>

namespace sotto::data {

namespace {

const Glyph kRoundZero{{{0.50, 0.04},
                        {0.24, 0.20},
                        {0.15, 0.50},
                        {0.24, 0.80},
                        {0.50, 0.96},
                        {0.76, 0.80},
                        {0.85, 0.50},
                        {0.76, 0.20},
                        {0.50, 0.04}}};
const Glyph kPlainOne{{{0.52, 0.04}, {0.50, 0.50}, {0.48, 0.96}}};
const Glyph kFlaggedOne{{{0.28, 0.28}, {0.42, 0.18}, {0.54, 0.04}}, {{0.54, 0.04}, {0.52, 0.96}}};
const Glyph kTwo{
    {{0.17, 0.26}, {0.32, 0.07}, {0.64, 0.06}, {0.80, 0.26}, {0.66, 0.52}, {0.15, 0.94}},
    {{0.15, 0.94}, {0.50, 0.91}, {0.86, 0.93}}};
const Glyph kLoopedTwo{{{0.20, 0.22},
                        {0.40, 0.05},
                        {0.72, 0.10},
                        {0.74, 0.38},
                        {0.48, 0.72},
                        {0.24, 0.93},
                        {0.14, 0.82},
                        {0.32, 0.76},
                        {0.60, 0.92},
                        {0.88, 0.88}}};
const Glyph kThree{{{0.20, 0.15}, {0.45, 0.04}, {0.75, 0.14}, {0.74, 0.36}, {0.42, 0.47}},
                   {{0.42, 0.47}, {0.78, 0.56}, {0.82, 0.80}, {0.52, 0.96}, {0.17, 0.85}}};
const Glyph kFlatThree{{{0.20, 0.07}, {0.78, 0.07}},
                       {{0.78, 0.07}, {0.62, 0.24}, {0.46, 0.42}},
                       {{0.46, 0.42}, {0.76, 0.50}, {0.82, 0.74}, {0.54, 0.95}, {0.18, 0.86}}};
const Glyph kOpenFour{{{0.26, 0.06}, {0.20, 0.32}, {0.17, 0.54}},
                      {{0.17, 0.54}, {0.50, 0.54}, {0.84, 0.50}},
                      {{0.72, 0.08}, {0.68, 0.50}, {0.64, 0.96}}};
const Glyph kClosedFour{{{0.64, 0.04}, {0.36, 0.36}, {0.11, 0.64}},
                        {{0.11, 0.64}, {0.90, 0.62}},
                        {{0.64, 0.04}, {0.65, 0.96}}};
const Glyph kFive{
    {{0.80, 0.06}, {0.28, 0.08}},
    {{0.28, 0.08}, {0.23, 0.45}},
    {{0.23, 0.45}, {0.50, 0.37}, {0.80, 0.55}, {0.76, 0.82}, {0.46, 0.96}, {0.17, 0.86}}};
const Glyph kSix{{{0.70, 0.05},
                  {0.40, 0.24},
                  {0.20, 0.60},
                  {0.30, 0.90},
                  {0.60, 0.95},
                  {0.79, 0.75},
                  {0.66, 0.54},
                  {0.40, 0.55},
                  {0.22, 0.72}}};
const Glyph kSeven{{{0.15, 0.09}, {0.50, 0.06}, {0.83, 0.08}},
                   {{0.83, 0.08}, {0.60, 0.45}, {0.42, 0.96}}};
const Glyph kCrossedSeven{{{0.15, 0.08}, {0.84, 0.07}},
                          {{0.84, 0.07}, {0.62, 0.45}, {0.44, 0.96}},
                          {{0.34, 0.50}, {0.78, 0.48}}};
const Glyph kEight{{{0.50, 0.47},
                    {0.25, 0.32},
                    {0.28, 0.11},
                    {0.52, 0.04},
                    {0.75, 0.12},
                    {0.73, 0.32},
                    {0.50, 0.47},
                    {0.22, 0.68},
                    {0.25, 0.90},
                    {0.50, 0.97},
                    {0.77, 0.89},
                    {0.77, 0.66},
                    {0.50, 0.47}}};
const Stroke kLoopOfNine{{0.78, 0.28}, {0.60, 0.49}, {0.32, 0.46}, {0.21, 0.23},
                         {0.42, 0.05}, {0.68, 0.08}, {0.78, 0.28}};
const Glyph kNine{kLoopOfNine, {{0.78, 0.28}, {0.75, 0.65}, {0.64, 0.96}}};
const Glyph kCurledNine{kLoopOfNine, {{0.78, 0.28}, {0.77, 0.70}, {0.58, 0.95}, {0.27, 0.90}}};

double along(double a, double b, double c, double d, double t) {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

}  // namespace

const Glyphs& glyphs_of_digit(int digit) {
  static const std::array<Glyphs, 10> glyphs{Glyphs{kRoundZero},
                                             Glyphs{kPlainOne, kFlaggedOne},
                                             Glyphs{kTwo, kLoopedTwo},
                                             Glyphs{kThree, kFlatThree},
                                             Glyphs{kOpenFour, kClosedFour},
                                             Glyphs{kFive},
                                             Glyphs{kSix},
                                             Glyphs{kSeven, kCrossedSeven},
                                             Glyphs{kEight},
                                             Glyphs{kNine, kCurledNine}};
  return glyphs.at(static_cast<std::size_t>(digit));
}

Stroke smooth(const Stroke& stroke, int steps) {
  Stroke line{stroke.front()};
  const std::size_t last = stroke.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    const Point& before = stroke[i == 0 ? 0 : i - 1];
    const Point& from = stroke[i];
    const Point& to = stroke[i + 1];
    const Point& after = stroke[i + 1 == last ? last : i + 2];
    for (int step = 1; step <= steps; ++step) {
      const double t = static_cast<double>(step) / steps;
      line.push_back(
          {along(before.x, from.x, to.x, after.x, t), along(before.y, from.y, to.y, after.y, t)});
    }
  }
  return line;
}

}  // namespace sotto::data
