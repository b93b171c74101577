// The last line of a terminal, drawn again and again: how far something is.
#pragma once

#include <cstddef>
#include <string>

namespace sotto::cli {

// On stderr, and only if that is a terminal which redraws lines. Without escape codes (NO_COLOR) an
// old text is painted over with spaces.
class StatusLine {
 public:
  StatusLine();
  // Leaves nothing behind.
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // False if nothing will be shown.
  bool possible() const { return possible_; }
  // Characters that fit: one fewer than the terminal has, so that no line wraps.
  std::size_t room() const;
  // Shows the text, cut to room(), in place of what was there.
  void show(const std::string& text);
  void clear();

 private:
  void draw(const std::string& text);

  bool possible_;
  bool escapes_;
  std::size_t drawn_ = 0;  // characters
};

}  // namespace sotto::cli
