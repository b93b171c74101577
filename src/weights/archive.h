// The zip archives that PyTorch writes: records stored as they are, all in one folder.
#pragma once

#include <map>
#include <memory>
#include <string>

namespace sotto::weights {

bool looks_like_archive(std::string_view bytes);

// Reads the records of one archive in memory.
class Archive {
 public:
  using Record = std::shared_ptr<const std::string>;

  // Throws InvalidArgument, saying what is wrong, if it is not a zip archive or has no record.
  explicit Archive(std::shared_ptr<const std::string> bytes);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  bool has(const std::string& name) const;
  // The record's content, read once. Throws InvalidArgument, saying what is wrong, if there is none
  // of that name, it is compressed or encrypted, its checksum is another, or the records read so
  // far are longer than the file itself.
  Record record(const std::string& name);

 private:
  struct Handle;
  std::shared_ptr<const std::string> bytes_;
  std::unique_ptr<Handle> handle_;
  std::string folder_;
  std::map<std::string, Record> read_;
  std::size_t read_bytes_ = 0;
};

}  // namespace sotto::weights
