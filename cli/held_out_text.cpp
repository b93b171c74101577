#include "cli/held_out_text.h"

#include <cstdio>

#include "cli/text_table.h"
#include "runs/held_out_scores.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {

std::string held_out_text(const runs::HeldOutRelease& release, bool is_proved) {
  const auto accuracy = release.accuracy();
  if (!accuracy) return "not known: there are too few held-out records for the noise";
  char text[96];
  std::snprintf(text, sizeof text, "%.2f %% on held-out records, with noise (± %.2g %%",
                100 * *accuracy, 100 * *release.accuracy_error());
  return text + (is_proved ? "; ε = " + accounting::rounded_up(release.epsilon) : "") + ")";
}

std::string held_out_table(const runs::HeldOutRelease& release,
                           const std::vector<std::string>& classes) {
  const auto recalls = runs::held_out_scores(release).recalls;
  const auto number = TextColumn::right(8);
  TextTable table({{}, number, number, number});
  table.add({"class", "right", "wrong", "recall", " (each with noise)"});
  for (std::size_t i = 0; i < release.counts.size(); ++i) {
    char recall[16] = "-";
    if (recalls[i]) std::snprintf(recall, sizeof recall, "%.1f %%", 100 * *recalls[i]);
    table.add({i < classes.size() ? classes[i] : std::to_string(i),
               std::to_string(release.counts[i].right), std::to_string(release.counts[i].wrong),
               recall});
  }
  return table.text();
}

}  // namespace sotto::cli
