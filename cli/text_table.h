// Tables for a terminal: cells in columns.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace sotto::cli {

// As wide as its widest cell, within these widths.
struct TextColumn {
  std::size_t least = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();  // a longer cell shifts the rest
  bool to_the_right = false;

  static TextColumn right(std::size_t least = 0) { return {.least = least, .to_the_right = true}; }
  static TextColumn fixed(std::size_t width) { return {.least = width, .most = width}; }
};

class TextTable {
 public:
  // Columns beyond these are as wide as their cells, which stand to the left.
  explicit TextTable(std::vector<TextColumn> columns = {}, std::size_t gap = 2)
      : columns_(std::move(columns)), gap_(gap) {}

  // A line; it may have fewer cells than others. Behind its last one are no blanks.
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }

  // Lines that end in a newline: none wider than the terminal behind stdout, or the variable
  // COLUMNS, where there is either.
  std::string text() const;

  // No line wider than `most` characters. Where the table is, words of its widest columns end in
  // "…"; what does not fit even then follows below, beside the first column again. Numbers are
  // never cut: a line is wider if a single one is too long.
  std::string text_within(std::size_t most) const;

 private:
  using Line = std::vector<std::string>;

  std::vector<std::size_t> widths() const;
  std::string whole_text() const;
  TextTable without_margins() const;
  void cut_words(std::size_t most);
  TextTable part(std::size_t begin, std::size_t end) const;
  std::string text_in_parts(std::size_t most) const;

  std::vector<TextColumn> columns_;
  std::size_t gap_;
  std::vector<Line> lines_;
};

}  // namespace sotto::cli
