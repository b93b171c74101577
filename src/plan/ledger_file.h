// A ledger's open file: locked, and only ever appended to.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/file_descriptor.h"

namespace sotto {

class LedgerFile {
 public:
  // Throws FileError if it cannot be opened, or LedgerBusy if somebody else has the lock.
  explicit LedgerFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  std::string read_all() const;
  // One write(2). If not everything can be written, what was is cut off again if possible, and
  // FileError is thrown.
  void append(std::string_view bytes);
  void cut_to(std::size_t size);
  // The content reaches the disk.
  void sync() const;

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  std::size_t size_ = 0;
};

}  // namespace sotto
