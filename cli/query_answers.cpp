#include "cli/query_answers.h"

#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "core/printed_number.h"

namespace sotto::cli {
namespace {

using queries::ShownAnswers;
using queries::value_text;

std::string single_text(const ShownAnswers& shown) {
  const auto& release = shown.answers.front().release;
  return labelled_paragraph(
      "Answer", value_text(shown, release) + " (" + interval_text(shown, release) + " with 95 %)");
}

std::string list_text(const ShownAnswers& shown) {
  constexpr std::size_t kValues = 14;  // a longer one shifts what follows
  TextTable table;
  table.add({shown.by, padded(shown.action, kValues) + "  with 95 %"});
  for (const auto& [label, release] : shown.answers) {
    table.add({label,
               padded(value_text(shown, release), kValues) + "  " + interval_text(shown, release)});
  }
  return table.text() + '\n';
}

// A line for each part of the first column, with the parts of the second beside each other.
std::string table_text(const ShownAnswers& shown) {
  const std::size_t across = shown.across_parts.size();
  std::vector<TextColumn> columns(1 + across, TextColumn{.least = 8});
  columns.front().least = 0;
  TextTable table(columns);
  std::vector<std::string> cells{shown.by + " \\ " + shown.across};
  cells.insert(cells.end(), shown.across_parts.begin(), shown.across_parts.end());
  table.add(cells);
  for (std::size_t row = 0; row < shown.parts.size(); ++row) {
    cells = {shown.parts[row]};
    for (std::size_t i = 0; i < across; ++i) {
      cells.push_back(value_text(shown, shown.answers[row * across + i].release));
    }
    table.add(cells);
  }
  const auto& first = shown.answers.front().release;
  return table.text() + '\n' +
         labelled_paragraph("Each",
                            "± " + with_decimals(first.high - first.value, 0) + " with 95 %");
}

}  // namespace

std::string answers_text(const ShownAnswers& shown) {
  if (shown.parts.empty()) return single_text(shown);
  return shown.across.empty() ? list_text(shown) : table_text(shown);
}

}  // namespace sotto::cli
