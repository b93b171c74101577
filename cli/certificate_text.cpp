#include "cli/certificate_text.h"

#include <cmath>

namespace sotto::cli {
namespace {

std::string radius_text(double radius) {
  const double steps = radius * 255;
  char text[64];
  if (std::abs(steps - std::round(steps)) < 1e-9 && steps <= 16) {
    std::snprintf(text, sizeof text, "%.0f/255", steps);
  } else {
    std::snprintf(text, sizeof text, "%g", radius);
  }
  return text;
}

}  // namespace

std::vector<double> radii_of(const train::LoadedModel& loaded, const FlagText& chosen) {
  std::vector<double> radii;
  if (loaded.card.shape.size() == 3) {
    for (const double steps : {1, 2, 4, 8, 16}) radii.push_back(steps / 255);
  }
  if (chosen) radii.push_back(positive_flag("--radius", *chosen));
  if (radii.empty()) {
    throw UsageError("--certify: rows of a table have no natural radius; give one with --radius");
  }
  return radii;
}

std::string certificate_text(const train::Certificate& certificate) {
  std::string text =
      "\nCertified: no change of an input by at most this (Euclidean norm; pixels from 0 to 1) "
      "makes "
      "these answers wrong\n";
  for (const auto& row : certificate.accuracies) {
    char line[96];
    std::snprintf(line, sizeof line, "  %-8s %6.2f %%\n", radius_text(row.radius).c_str(),
                  100 * row.accuracy);
    text += line;
  }
  return text;
}

}  // namespace sotto::cli
