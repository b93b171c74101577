// A stream into a file of its own, which remembers why a write failed.
#pragma once

#include <filesystem>
#include <ostream>
#include <streambuf>
#include <string_view>
#include <vector>

#include "core/file_descriptor.h"

namespace sotto {

class OutputFile {
 public:
  // For an existing file, which it empties. Failures are told under the name of `destination`.
  // Throws FileError.
  OutputFile(const std::filesystem::path& path, std::filesystem::path destination);

  std::ostream& stream() { return stream_; }
  // Writes what is left. Throws FileError, with the reason of the first write that failed.
  void finish();

 private:
  class Buffer final : public std::streambuf {
   public:
    explicit Buffer(int file) : file_(file) {}
    int error_number() const { return error_number_; }

   protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;
    int sync() override;

   private:
    bool write_now(std::string_view bytes);

    int file_;
    std::vector<char> waiting_;
    int error_number_ = 0;
  };

  std::filesystem::path destination_;
  FileDescriptor file_;
  Buffer buffer_;
  std::ostream stream_;
};

}  // namespace sotto
