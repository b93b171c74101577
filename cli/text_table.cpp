#include "cli/text_table.h"

#include <algorithm>

#include "cli/text_layout.h"

namespace sotto::cli {

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

std::string TextTable::text() const {
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
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace sotto::cli
