// Files that are whole or absent: a crash, a full disk or a power cut never leaves half of one.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sotto {

// The operating system's fault, or the path's. The message reads "path: what failed: reason".
class FileError : public std::runtime_error {
 public:
  // `error_number` is a value of errno.
  FileError(const std::filesystem::path& path, const std::string& what_failed, int error_number);
  FileError(const std::filesystem::path& path, const std::string& what_failed);

  // errno; 0 if the fault is the path's.
  int error_number() const { return error_number_; }

 private:
  int error_number_ = 0;
};

// A new file that takes the place of `destination` only when it is complete. For writers that want
// a path; if you have the bytes, call write_file_atomically.
class AtomicFile {
 public:
  // Creates an empty temporary file in the folder of `destination`; a symbolic link is followed.
  // Throws FileError if that fails, or if `destination` exists and is not a regular file.
  explicit AtomicFile(const std::filesystem::path& destination);
  // Removes the temporary file unless it was committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Write here, and close it before commit().
  const std::filesystem::path& path() const { return temporary_; }

  // Forces the content to the disk, then renames it to the destination, then forces the folder to
  // the disk. Throws FileError; the old file is intact unless it was the last of the three that
  // failed, and then the new one is in place.
  void commit();

 private:
  std::filesystem::path destination_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

// After it returns, `path` holds exactly `bytes`, even after a power cut. If it throws (FileError),
// `path` is what it was before, except as AtomicFile::commit says.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The whole content. Throws FileError.
std::string read_file(const std::filesystem::path& path);

}  // namespace sotto
