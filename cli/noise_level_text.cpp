#include "cli/noise_level_text.h"

#include <algorithm>

#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "core/printed_number.h"

namespace sotto::cli {

std::string noise_levels_text(const std::vector<lipschitz::SignalToNoise>& parameters) {
  std::size_t widest = 8;
  for (const auto& one : parameters) widest = std::max(widest, display_width(one.parameter));
  TextTable table({TextColumn::fixed(widest), TextColumn::fixed(15)});
  table.add({"parameter", "entry by entry", "as a whole"});
  for (const auto& one : parameters) {
    table.add({one.parameter, significant(one.elementwise, 3), significant(one.average, 3)});
  }
  return "\n" + table.text() + "\n" +
         labelled_paragraph(
             "Signal",
             "The mean gradient of one batch relative to the noise of a step: the "
             "size of an entry to its noise, and norm to norm. From training records without "
             "noise: NOT covered by ε, not for publication.");
}

}  // namespace sotto::cli
