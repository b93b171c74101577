#include "cli/bar_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/text_layout.h"

namespace sotto::cli {

std::string bar_text(double done) {
  static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::clamp(done, 0.0, 1.0) * kBarWidth * 8);
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  return padded(text, kBarWidth);
}

std::string duration_text(double seconds) {
  const auto whole = std::lround(seconds);
  char text[32];
  if (whole >= 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  }
  return text;
}

}  // namespace sotto::cli
