#include "cli/status_line.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "cli/shown_text.h"
#include "cli/terminal.h"
#include "cli/text_layout.h"

namespace sotto::cli {

StatusLine::StatusLine() : possible_(redraws_lines()), escapes_(takes_escape_codes()) {}

StatusLine::~StatusLine() { clear(); }

std::size_t StatusLine::room() const {
  constexpr std::size_t kUsual = 80;
  return std::max<std::size_t>(terminal_columns(STDERR_FILENO).value_or(kUsual), 2) - 1;
}

void StatusLine::show(const std::string& text) {
  if (possible_) draw(first_characters(shown_text(text), room()));
}

void StatusLine::clear() {
  if (drawn_ > 0) draw("");
}

void StatusLine::draw(const std::string& text) {
  std::ostream terminal(exact_buffer(std::cerr));
  const auto width = display_width(text);
  if (escapes_) {
    terminal << '\r' << text << "\033[K";
  } else {
    terminal << '\r' << padded(text, drawn_);
    if (text.empty()) terminal << '\r';
  }
  terminal << std::flush;
  drawn_ = width;
}

}  // namespace sotto::cli
