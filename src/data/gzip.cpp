#include "data/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "core/atomic_file.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

constexpr std::size_t kLargestStep = std::size_t{1} << 30U;  // zlib counts in unsigned int

class Inflater {
 public:
  explicit Inflater(std::string_view bytes) : rest_(bytes) {
    constexpr int kGzipOnly = 15 + 16;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills `output` from `filled` on as far as one step goes; returns zlib's status.
  int step(std::string& output, std::size_t& filled) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(std::min(rest_.size(), kLargestStep));
    stream_.next_out = reinterpret_cast<Bytef*>(output.data() + filled);
    stream_.avail_out = static_cast<uInt>(std::min(output.size() - filled, kLargestStep));
    const uInt room = stream_.avail_out;
    const uInt given = stream_.avail_in;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    rest_.remove_prefix(given - stream_.avail_in);
    filled += room - stream_.avail_out;
    return status;
  }

  std::string_view rest() const { return rest_; }
  void next_member() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
  std::string_view rest_;
};

// Room for more output, but never for more than one byte above the limit.
void grow(std::string& output, std::size_t limit) {
  output.resize(std::min(2 * output.size(), limit + 1));
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string inflate_gzip(std::string_view bytes, const std::string& name, std::size_t limit) {
  Inflater inflater(bytes);
  std::string output(std::min(4 * bytes.size() + 64, limit + 1), '\0');
  std::size_t filled = 0;
  while (true) {
    const int status = inflater.step(output, filled);
    check_argument(filled <= limit, name, ": inflates to more than ", limit, " bytes");
    if (status == Z_STREAM_END) {
      if (inflater.rest().empty()) break;
      check_argument(is_gzip(inflater.rest()), name, ": ", inflater.rest().size(),
                     " bytes after the end of the gzip data");
      inflater.next_member();
    } else if (filled == output.size()) {
      grow(output, limit);
    } else {
      check_argument(status == Z_OK || status == Z_BUF_ERROR, name, ": corrupt gzip data after ",
                     filled, " bytes of content");
      check_argument(!inflater.rest().empty(), name, ": gzip data cut short after ", filled,
                     " bytes of content");
    }
  }
  output.resize(filled);
  return output;
}

std::string read_inflated(const std::filesystem::path& path, std::size_t limit) {
  std::string bytes = read_file(path);
  if (is_gzip(bytes)) return inflate_gzip(bytes, path.string(), limit);
  check_argument(bytes.size() <= limit, path.string(), ": ", bytes.size(),
                 " bytes, must be at most ", limit);
  return bytes;
}

}  // namespace sotto::data
