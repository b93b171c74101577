#include "cli/shown_text.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <mutex>

namespace sotto::cli {
namespace {

// What stands at the beginning of a text.
struct Character {
  std::size_t bytes = 0;
  std::uint32_t code = 0;
  bool valid = true;  // UTF-8
};

unsigned char byte_at(std::string_view text, std::size_t place) {
  return static_cast<unsigned char>(text[place]);
}

// Of a sequence that begins with this byte; 0 for one that begins none.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return 2;
  if (first >= 0xE0U && first <= 0xEFU) return 3;
  return first >= 0xF0U && first <= 0xF4U ? 4 : 0;
}

Character first_character(std::string_view text) {
  const auto first = byte_at(text, 0);
  const auto length = sequence_length(first);
  if (length == 1) return {1, first};
  if (length == 0 || length > text.size()) return {1, first, false};
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80U) return {1, first, false};
    code = code << 6U | (byte_at(text, i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[length] || code > 0x10FFFF || is_surrogate) return {1, first, false};
  return {length, code};
}

// Controls of C1, separators of lines, and marks that change the direction of what follows.
bool is_obeyed(std::uint32_t code) {
  return (code >= 0x7F && code <= 0x9F) || code == 0x61C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

std::string code_text(const char* pattern, std::uint32_t code) {
  char text[16];
  std::snprintf(text, sizeof text, pattern, code);
  return text;
}

void append_shown(std::string_view text, const Character& character, bool keep_lines,
                  std::string& shown) {
  const auto code = character.code;
  const bool control = code < 0x20 && code != '\n' && code != '\t';
  if (code == '\n' && !keep_lines) {
    shown += "\\n";
  } else if (!character.valid || control) {
    shown += code_text("\\x%02x", code);
  } else if (is_obeyed(code)) {
    shown += code_text("\\u%04x", code);
  } else {
    shown += text.substr(0, character.bytes);
  }
}

std::string all_shown(std::string_view text, bool keep_lines) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto character = first_character(text);
    append_shown(text, character, keep_lines, shown);
    text.remove_prefix(character.bytes);
  }
  return shown;
}

// How much of a text ends in whole characters: more bytes may follow the rest.
std::size_t whole_characters(std::string_view text) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t back = 1; back < kLongest && back <= text.size(); ++back) {
    const auto byte = byte_at(text, text.size() - back);
    if ((byte & 0xC0U) == 0x80U) continue;
    return sequence_length(byte) > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

std::string shown_text(std::string_view text) { return all_shown(text, /*keep_lines=*/false); }

class ShownStream::Buffer final : public std::streambuf {
 public:
  explicit Buffer(std::streambuf* target) : target_(target) {}
  std::streambuf* target() const { return target_; }
  // errno of the first write that failed; 0 if none did.
  int failure() const { return failure_; }

  bool finish() {
    const auto rest = all_shown(pending_, /*keep_lines=*/true);
    pending_.clear();
    return put(rest);
  }

  bool put(std::string_view text) {
    const auto size = static_cast<std::streamsize>(text.size());
    errno = 0;
    return succeeds(target_->sputn(text.data(), size) == size);
  }

 protected:
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(0);
    const char byte = traits_type::to_char_type(character);
    return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
  }

  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::lock_guard lock(mutex_);
    pending_.append(text, static_cast<std::size_t>(size));
    const auto whole = whole_characters(pending_);
    const bool written =
        put(all_shown(std::string_view(pending_).substr(0, whole), /*keep_lines=*/true));
    pending_.erase(0, whole);
    return written ? size : 0;
  }

  int sync() override {
    errno = 0;
    return succeeds(target_->pubsync() == 0) ? 0 : -1;
  }

 private:
  bool succeeds(bool written) {
    if (!written && failure_ == 0) failure_ = errno == 0 ? EIO : errno;
    return written;
  }

  std::streambuf* target_;
  int failure_ = 0;
  std::mutex mutex_;     // threads may share stderr
  std::string pending_;  // the beginning of a character
};

ShownStream::ShownStream(std::ostream& stream)
    : stream_(stream), buffer_(std::make_unique<Buffer>(stream.rdbuf())) {
  stream_.rdbuf(buffer_.get());
}

ShownStream::~ShownStream() {
  buffer_->finish();
  const auto state = stream_.rdstate();
  stream_.rdbuf(buffer_->target());  // which clears it
  stream_.clear(state);
}

int ShownStream::finish() {
  if (!buffer_->finish()) stream_.setstate(std::ios::badbit);
  stream_.flush();
  if (buffer_->failure() != 0) return buffer_->failure();
  return stream_.bad() ? EIO : 0;
}

void write_exactly(std::ostream& stream, std::string_view bytes) {
  auto* buffer = dynamic_cast<ShownStream::Buffer*>(stream.rdbuf());
  if (buffer == nullptr) {
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  } else if (!buffer->put(bytes)) {
    stream.setstate(std::ios::badbit);
  }
}

std::streambuf* exact_buffer(const std::ostream& stream) {
  const auto* buffer = dynamic_cast<const ShownStream::Buffer*>(stream.rdbuf());
  return buffer == nullptr ? stream.rdbuf() : buffer->target();
}

}  // namespace sotto::cli
