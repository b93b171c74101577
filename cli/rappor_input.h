// A file to read as a stream, or standard input.
#pragma once

#include <fstream>
#include <istream>
#include <memory>
#include <string>

namespace sotto::cli {

class Input {
 public:
  // "-" is standard input. Throws UsageError, naming the flag, if there is no such file, and
  // FileError if it cannot be opened.
  Input(const std::string& path, const std::string& flag);

  std::istream& stream() const { return *stream_; }
  // What errors call it.
  const std::string& name() const { return name_; }
  // After reading: throws FileError if that failed midway, which looks like an end.
  void check() const;

 private:
  std::string name_;
  std::unique_ptr<std::streambuf> standard_input_;
  std::unique_ptr<std::istream> stream_;
};

}  // namespace sotto::cli
