// What comes from outside (names of files, classes, columns, groups, keys) may hold characters that
// a terminal obeys. All that is printed passes here, and shows them instead.
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace sotto::cli {

// On one line: control characters as "\x1b" and "\n", those beyond ASCII and marks that turn the
// direction of text as "\u202e" (as in JSON), bytes that are no UTF-8 as "\xff". A tab stays.
std::string shown_text(std::string_view text);

// While it lives, a stream shows what it is given as shown_text() does, but keeps ends of lines.
class ShownStream {
 public:
  explicit ShownStream(std::ostream& stream);
  ~ShownStream();
  ShownStream(const ShownStream&) = delete;
  ShownStream& operator=(const ShownStream&) = delete;

  // Hands on what is left. Returns 0 if all that was ever written has been taken, otherwise why
  // not: the errno of the first write that failed.
  int finish();

 private:
  class Buffer;
  friend std::streambuf* exact_buffer(const std::ostream& stream);
  friend void write_exactly(std::ostream& stream, std::string_view bytes);

  std::ostream& stream_;
  std::unique_ptr<Buffer> buffer_;
};

// Data, byte by byte. A failure is one of the stream's, as of any other output.
void write_exactly(std::ostream& stream, std::string_view bytes);

// Where a stream writes when nothing is replaced: for our own control of the terminal.
std::streambuf* exact_buffer(const std::ostream& stream);

}  // namespace sotto::cli
