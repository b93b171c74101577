// Lines of a stream, one at a time, in constant memory.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace sotto::rappor {

// Lines come without their ends ("\n" or "\r\n"), the first without a UTF-8 byte order mark. A line
// of more than 1 MiB is returned in pieces, as no valid line is that long.
class LineReader {
 public:
  explicit LineReader(std::istream& in) : in_(in), buffer_(kBufferSize, '\0') {}

  // Valid until the next call; nothing at the end.
  std::optional<std::string_view> next();
  // Of the last line returned, from 1 on.
  std::uint64_t number() const { return number_; }

 private:
  static constexpr std::size_t kBufferSize = std::size_t{1} << 20U;

  std::string_view counted_line(std::string_view line);
  void refill();

  std::istream& in_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool finished_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace sotto::rappor
