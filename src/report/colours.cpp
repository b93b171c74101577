#include "report/colours.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "sotto/core/error.h"

namespace sotto::report {
namespace {

constexpr Colours kLightColours{"#ffffff",
                                "#1f2933",
                                "#46525e",
                                "#e4e7eb",
                                "#8792a0",
                                "#b8cbe0",
                                {"#0072b2", "#d55e00", "#00805f", "#b1579b", "#9a6f00", "#4aa3df"}};
constexpr Colours kDarkColours{"#14191f",
                               "#e6eaee",
                               "#b4bec9",
                               "#2a323b",
                               "#68747f",
                               "#3d5a78",
                               {"#56b4e9", "#f28e3c", "#3fc79a", "#d98bbd", "#e8d24a", "#c9d1d9"}};

struct Rgb {
  double red, green, blue;
};

// Lightness changes steadily along each: pale yellow, green, blue, and violet.
constexpr std::array<Rgb, 6> kHeat{{{253, 250, 205},
                                    {190, 227, 178},
                                    {108, 190, 178},
                                    {56, 138, 178},
                                    {62, 82, 156},
                                    {58, 28, 98}}};

Rgb mix(const Rgb& from, const Rgb& to, double share) {
  return {std::lerp(from.red, to.red, share), std::lerp(from.green, to.green, share),
          std::lerp(from.blue, to.blue, share)};
}

}  // namespace

std::string_view to_string(Theme theme) { return theme == Theme::kLight ? "light" : "dark"; }

Theme theme_from_name(std::string_view text) {
  for (const Theme theme : {Theme::kLight, Theme::kDark}) {
    if (text == to_string(theme)) return theme;
  }
  throw InvalidArgument("unknown theme '" + std::string(text) + "'; accepted: light, dark");
}

const Colours& colours_of(Theme theme) {
  return theme == Theme::kLight ? kLightColours : kDarkColours;
}

std::string heat_colour(Theme theme, double share) {
  const double clamped = std::clamp(share, 0.0, 1.0);
  // On a dark ground little is dark and much is light, as on a light one it is the other way round.
  const double place = (theme == Theme::kLight ? clamped : 1 - clamped) * (kHeat.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(place), kHeat.size() - 2);
  const Rgb colour = mix(kHeat[from], kHeat[from + 1], place - static_cast<double>(from));
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02lx%02lx%02lx", std::lround(colour.red),
                std::lround(colour.green), std::lround(colour.blue));
  return text.data();
}

}  // namespace sotto::report
