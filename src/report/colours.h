// The colours behind a theme. Those of lines differ in lightness as well as in hue, so that people
// who see fewer hues can tell them apart.
#pragma once

#include <array>
#include <string>

#include "report/theme.h"

namespace sotto::report {

struct Colours {
  const char* background;
  const char* ink;    // titles, labels
  const char* quiet;  // numbers at ticks
  const char* grid;
  const char* axis;
  const char* bar;
  std::array<const char*, 6> lines;
};

const Colours& colours_of(Theme theme);

// Of a value in a heat map, as "#rrggbb": from the ground's lightness at share 0 away from it at 1.
// Shares beyond are clamped.
std::string heat_colour(Theme theme, double share);

}  // namespace sotto::report
