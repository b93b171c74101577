#include "core/output_file.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "core/atomic_file.h"
#include "core/file_steps.h"

namespace sotto {
namespace {

constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16U;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path, std::filesystem::path destination)
    : destination_(std::move(destination)),
      file_(open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)),
      buffer_(file_.number()),
      stream_(&buffer_) {
  if (!file_.is_open()) throw FileError(destination_, "cannot write", errno);
}

void OutputFile::finish() {
  if (stream_.flush()) return;
  throw FileError(destination_, "cannot write", buffer_.error_number());
}

OutputFile::Buffer::int_type OutputFile::Buffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof()))
    return traits_type::not_eof(character);
  const char byte = traits_type::to_char_type(character);
  return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
}

std::streamsize OutputFile::Buffer::xsputn(const char* bytes, std::streamsize count) {
  const auto size = static_cast<std::size_t>(count);
  if (waiting_.size() + size < kWrittenAtOnce) {
    waiting_.insert(waiting_.end(), bytes, bytes + count);
    return count;
  }
  return sync() == 0 && write_now({bytes, size}) ? count : 0;
}

bool OutputFile::Buffer::write_now(std::string_view bytes) {
  try {
    write_all(file_, bytes, {});
    return true;
  } catch (const FileError& error) {
    error_number_ = error.error_number();
    return false;
  }
}

int OutputFile::Buffer::sync() {
  if (error_number_ != 0 || !write_now({waiting_.data(), waiting_.size()})) return -1;
  waiting_.clear();
  return 0;
}

}  // namespace sotto
