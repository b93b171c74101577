#include "cli/rappor_input.h"

#include <unistd.h>

#include <cerrno>
#include <vector>

#include "cli/flags.h"
#include "core/atomic_file.h"

namespace sotto::cli {
namespace {

// In large pieces. std::cin reads byte by byte, unless it is taken out of step with stdio, which
// replaces the buffers of all standard streams.
class StandardInput final : public std::streambuf {
 protected:
  int_type underflow() override {
    ssize_t got = 0;
    do {
      got = read(STDIN_FILENO, piece_.data(), piece_.size());
    } while (got < 0 && errno == EINTR);
    // Which a stream remembers as bad().
    if (got < 0) throw FileError("standard input", "cannot read", errno);
    setg(piece_.data(), piece_.data(), piece_.data() + got);
    return got == 0 ? traits_type::eof() : traits_type::to_int_type(piece_[0]);
  }

 private:
  std::vector<char> piece_ = std::vector<char>(std::size_t{1} << 16U);
};

}  // namespace

Input::Input(const std::string& path, const std::string& flag)
    : name_(path == "-" ? "standard input" : path) {
  if (path == "-") {
    standard_input_ = std::make_unique<StandardInput>();
    stream_ = std::make_unique<std::istream>(standard_input_.get());
    return;
  }
  stream_ = std::make_unique<std::ifstream>(file_flag(flag, path), std::ios::binary);
  if (!*stream_) throw FileError(path, "cannot open", errno);
}

void Input::check() const {
  if (stream_->bad()) throw FileError(name_, "cannot read");
}

}  // namespace sotto::cli
