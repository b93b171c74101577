#include "cli/help_text.h"

#include <sstream>
#include <string_view>
#include <vector>

#include "cli/text_layout.h"

namespace sotto::cli {
namespace {

// Of a shell command: between quotes, a space separates nothing.
std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (const char letter : command) {
    if (quote == 0 && letter == ' ') {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    if (quote == letter) {
      quote = 0;
    } else if (quote == 0 && (letter == '"' || letter == '\'')) {
      quote = letter;
    }
    words.back() += letter;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// "  sotto train ... \" and, further in, what follows.
std::string continued(std::string_view line, std::size_t columns) {
  const std::string begin(line.substr(0, line.find_first_not_of(' ')));
  std::string text;
  std::string row = begin;
  const auto words = shell_words(line);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_first = row.find_first_not_of(' ') == std::string::npos;
    const std::size_t mark = i + 1 == words.size() ? 0 : 2;  // room for " \"
    if (!is_first && display_width(row) + 1 + display_width(words[i]) + mark > columns) {
      text += row + " \\\n";
      row = begin + "    " + words[i];
    } else {
      row += (is_first ? "" : " ") + words[i];
    }
  }
  return text + row;
}

// "  label     what it is": the text stays in its column, or goes below where that is narrow.
std::string fitted_item(std::string_view label, std::string_view text, std::size_t column,
                        std::size_t columns) {
  constexpr std::size_t kNarrow = 20;
  if (column + kNarrow <= columns) return padded(label, column) + wrapped(text, columns, column);
  const auto indent = label.find_first_not_of(' ') + 4;
  return std::string(label) + '\n' + std::string(indent, ' ') + wrapped(text, columns, indent);
}

std::string fitted_line(const std::string& line, std::size_t columns) {
  if (display_width(line) <= columns) return line;
  const auto begin = line.find_first_not_of(' ');
  const std::string_view rest = std::string_view(line).substr(begin);
  if (const auto gap = line.find("   ", begin); gap != std::string::npos) {
    const auto text = line.find_first_not_of(' ', gap);
    return fitted_item(line.substr(0, gap), line.substr(text), display_width(line.substr(0, text)),
                       columns);
  }
  if (rest.starts_with("sotto ") || rest.starts_with("--")) return continued(line, columns);
  const auto indent = rest.starts_with("# ") ? begin + 2 : begin;
  auto text = std::string(begin, ' ') + wrapped(rest, columns, indent);
  for (auto place = text.find('\n'); indent != begin && place != std::string::npos;
       place = text.find('\n', place + 1)) {
    text[place + 1 + begin] = '#';
  }
  return text;
}

}  // namespace

std::string fitted_footer(const std::string& text, std::size_t columns) {
  std::istringstream lines(text);
  std::string fitted;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) fitted += wrapped(paragraph, columns, 0) + '\n';
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    const bool is_prose = !line.empty() && line[0] != ' ';
    if (!is_prose) {
      end_paragraph();
      fitted += fitted_line(line, columns) + '\n';
      continue;
    }
    paragraph += (paragraph.empty() ? "" : " ") + line;
    if (line.ends_with(':')) end_paragraph();
  }
  end_paragraph();
  return fitted;
}

}  // namespace sotto::cli
