#include "cli/text_table.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "cli/shown_text.h"
#include "cli/terminal.h"
#include "cli/text_layout.h"

namespace sotto::cli {
namespace {

constexpr std::size_t kShortest = 8;  // characters of a word that is cut, "…" included
constexpr std::string_view kDigits = "0123456789";

// "87.2 %", "≤ 3", "(+0.1)". A name may have digits anywhere.
bool is_number(std::string_view cell) {
  const auto begin = cell.find_first_not_of(" +-.~<(");
  if (begin == std::string_view::npos) return false;
  const auto rest = cell.substr(begin);
  const auto starts = [&](std::string_view sign) { return rest.starts_with(sign); };
  return kDigits.find(rest.front()) != std::string_view::npos || starts("≤") || starts("≥") ||
         starts("≈") || starts("±");
}

// What must stay: of words a few characters, of numbers everything up to the last digit and its
// unit.
std::size_t least_characters(const std::string& cell) {
  constexpr std::size_t kUnit = 5;  // " GiB)"
  const auto width = display_width(cell);
  if (!is_number(cell)) return std::min(width, kShortest);
  const auto last = cell.find_last_of(kDigits);
  const auto behind = last == std::string::npos ? 0 : display_width(cell.substr(last + 1));
  return behind <= kUnit ? width : width - behind + 1;
}

std::string cut(const std::string& cell, std::size_t width) {
  return display_width(cell) <= width ? cell : first_characters(cell, width - 1) + "…";
}

std::size_t total(const std::vector<std::size_t>& widths, std::size_t gap) {
  std::size_t sum = widths.empty() ? 0 : gap * (widths.size() - 1);
  for (const auto width : widths) sum += width;
  return sum;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, display_width(line));
  }
  return widest;
}

// The widest of those that are wider than they must be; the number of widths if there is none.
std::size_t widest_to_cut(const std::vector<std::size_t>& widths,
                          const std::vector<std::size_t>& least) {
  std::size_t widest = widths.size();
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] <= least[i]) continue;
    if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
  }
  return widest;
}

}  // namespace

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths;
  for (const auto& line : lines_) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(line[i]));
    }
  }
  for (std::size_t i = 0; i < std::min(widths.size(), columns_.size()); ++i) {
    widths[i] = std::clamp(widths[i], columns_[i].least, columns_[i].most);
  }
  return widths;
}

std::string TextTable::whole_text() const {
  const auto widths = this->widths();
  std::string text;
  for (const auto& line : lines_) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool is_last = i + 1 == line.size();
      if (i < columns_.size() && columns_[i].to_the_right) {
        const auto used = std::min(display_width(line[i]), widths[i]);
        text += std::string(widths[i] - used, ' ') + line[i] + std::string(is_last ? 0 : gap_, ' ');
      } else {
        text += is_last ? line[i] : padded(line[i], widths[i] + gap_);
        const auto used = display_width(line[i]);
        if (!is_last && used > widths[i] && used >= widths[i] + gap_) text += "  ";
      }
    }
    text += '\n';
  }
  return text;
}

std::string TextTable::text() const {
  const auto most = terminal_columns(STDOUT_FILENO);
  return most ? text_within(*most) : whole_text();
}

std::string TextTable::text_within(std::size_t most) const {
  auto whole = whole_text();
  if (widest_line(whole) <= most) return whole;
  auto narrow = without_margins();
  narrow.cut_words(most);
  return narrow.text_in_parts(most);
}

// Columns as wide as what they hold, and cells as they will be shown.
TextTable TextTable::without_margins() const {
  constexpr std::size_t kGap = 2;
  TextTable table(columns_, gap_ == 0 ? kGap : gap_);
  for (auto& column : table.columns_) column = {.to_the_right = column.to_the_right};
  for (auto line : lines_) {
    for (auto& cell : line) cell = shown_text(cell);
    table.add(std::move(line));
  }
  return table;
}

void TextTable::cut_words(std::size_t most) {
  auto widths = this->widths();
  std::vector<std::size_t> least(widths.size());
  for (const auto& line : lines_) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      least[i] = std::max(least[i], least_characters(line[i]));
    }
  }
  while (total(widths, gap_) > most) {
    const auto widest = widest_to_cut(widths, least);
    if (widest == widths.size()) break;
    --widths[widest];
  }
  for (auto& line : lines_) {
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = cut(line[i], widths[i]);
  }
}

// The first column, and those from `begin` to `end`.
TextTable TextTable::part(std::size_t begin, std::size_t end) const {
  const auto chosen = [&](const auto& all) {
    std::decay_t<decltype(all)> some;
    for (std::size_t i = 0; i < std::min(end, all.size()); ++i) {
      if (i == 0 || i >= begin) some.push_back(all[i]);
    }
    return some;
  };
  TextTable table(chosen(columns_), gap_);
  for (const auto& line : lines_) table.add(chosen(line));
  return table;
}

std::string TextTable::text_in_parts(std::size_t most) const {
  const auto widths = this->widths();
  std::string text;
  std::size_t end = std::min<std::size_t>(1, widths.size());
  do {
    const auto begin = end;
    std::size_t used = widths.empty() ? 0 : widths[0];
    while (end < widths.size() && (end == begin || used + gap_ + widths[end] <= most)) {
      used += gap_ + widths[end++];
    }
    text += (text.empty() ? "" : "\n") + part(begin, end).whole_text();
  } while (end < widths.size());
  return text;
}

}  // namespace sotto::cli
