#include "cli/norm_text.h"

#include <algorithm>
#include <cstdio>

namespace sotto::cli {
namespace {

// A column a bin, with a bar where clipping begins.
std::string histogram_text(const NormSummary& norms) {
  static const char* const kLevels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto most = *std::max_element(norms.histogram.begin(), norms.histogram.end());
  std::string text;
  for (std::size_t i = 0; i < norms.histogram.size(); ++i) {
    if (i > 0 && kNormBinEnds[i - 1] == 1) text += "|";
    const auto count = norms.histogram[i];
    const auto level = static_cast<std::size_t>(7 * count / std::max<std::int64_t>(1, most));
    text += count == 0 ? "·" : kLevels[level];
  }
  return text;
}

std::string samples_text(const NormSummary& norms) {
  if (!norms.quantiles) return "no samples";
  const auto& [low, median, high] = *norms.quantiles;
  char text[160];
  std::snprintf(text, sizeof text,
                "%.1f %% of samples clipped, norms %.3g / %.3g / %.3g (10 / 50 / 90 %%) around C = "
                "%.3g, ",
                100 * *norms.clipped_share(), low, median, high, norms.clipping_norm);
  return text + histogram_text(norms) + " (C/16 to 16 C)";
}

}  // namespace

std::string norm_text(const NormSummary& norms) {
  char sizes[96];
  std::snprintf(sizes, sizeof sizes, ", batches of %ld to %ld, mean %.1f",
                static_cast<long>(norms.smallest_batch), static_cast<long>(norms.largest_batch),
                norms.mean_batch);
  return samples_text(norms) + sizes;
}

}  // namespace sotto::cli
