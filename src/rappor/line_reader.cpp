#include "rappor/line_reader.h"

#include <cstring>

#include "core/byte_order_mark.h"

namespace sotto::rappor {

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = begin_;
  while (true) {
    const void* found = std::memchr(buffer_.data() + searched, '\n', end_ - searched);
    if (found != nullptr) {
      const char* start = buffer_.data() + begin_;
      std::string_view line(start,
                            static_cast<std::size_t>(static_cast<const char*>(found) - start));
      begin_ += line.size() + 1;
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      return counted_line(line);
    }
    const bool full = begin_ == 0 && end_ == buffer_.size();
    if (finished_ || full) break;
    searched = end_ - begin_;
    refill();
  }
  if (begin_ == end_) return std::nullopt;
  const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
  begin_ = end_;
  return counted_line(rest);
}

std::string_view LineReader::counted_line(std::string_view line) {
  return ++number_ == 1 ? without_byte_order_mark(line) : line;
}

void LineReader::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  in_.read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
  end_ += static_cast<std::size_t>(in_.gcount());
  finished_ = in_.gcount() == 0;
}

}  // namespace sotto::rappor
