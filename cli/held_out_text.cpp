#include "cli/held_out_text.h"

#include <algorithm>
#include <cstdio>

#include "cli/text_layout.h"
#include "runs/held_out_scores.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {

std::string held_out_text(const runs::HeldOutRelease& release) {
  const auto accuracy = release.accuracy();
  if (!accuracy) return "not known: there are too few held-out records for the noise";
  char text[96];
  std::snprintf(text, sizeof text,
                "%.2f %% on held-out records, with noise (± %.2g %%; ε = ", 100 * *accuracy,
                100 * *release.accuracy_error());
  return text + accounting::rounded_up(release.epsilon) + ")";
}

std::string held_out_table(const runs::HeldOutRelease& release,
                           const std::vector<std::string>& classes) {
  std::size_t width = 5;
  for (const auto& name : classes) width = std::max(width, display_width(name));
  const auto recalls = runs::held_out_scores(release).recalls;
  std::string text =
      padded("class", width) + "     right     wrong    recall   (each with noise)\n";
  for (std::size_t i = 0; i < release.counts.size(); ++i) {
    char recall[16] = "-";
    if (recalls[i]) std::snprintf(recall, sizeof recall, "%.1f %%", 100 * *recalls[i]);
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "%10lld%10lld%10s\n",
                  static_cast<long long>(release.counts[i].right),
                  static_cast<long long>(release.counts[i].wrong), recall);
    text += padded(i < classes.size() ? classes[i] : std::to_string(i), width) + numbers;
  }
  return text;
}

}  // namespace sotto::cli
