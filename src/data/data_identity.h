// Which data a charge was made on: by their content, whatever path they were named by.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "data/data_source.h"

namespace sotto::data {

// HMAC-SHA-256 of the content. The key is a secret that stays with the data: `.sotto-key` in the
// folder of the file, or in the folder itself if the data are a folder; where that takes no new
// file, or is under /usr and not /usr/local (packaged sets), `.sotto-key` in data_home(). It is
// drawn when it is first needed. Without a key the hash would be a release: ledgers contain
// identities, their heads are published, and whoever knows all records but one could try out both
// neighbours.
//
// So identities can be compared as long as the key is the same: for a file, links to it and copies
// beside it. A copy in another folder has a key, and an identity, of its own.
class DataIdentity {
 public:
  // Of a file, or of a folder with the names and contents of all files in it and in its folders;
  // hidden ones are not data. Links are followed. Throws FileError if something cannot be read or
  // no key can be kept; InvalidArgument if there is nothing at `path`, or for a key that is damaged
  // or that others than its owner may read.
  static DataIdentity of(const std::filesystem::path& path);

  // Of what a source is trained on; nothing for made-up data (digits).
  static std::optional<DataIdentity> of(const DataSource& source);

  // The same, if there is a key for it: without one nothing was ever recorded of these data, and
  // none is drawn.
  static std::optional<DataIdentity> of_keyed(const std::filesystem::path& path);

  // 64 lower-case hexadecimal digits.
  const std::string& text() const { return text_; }

  bool operator==(const DataIdentity& other) const = default;

  static constexpr const char* kKeyFile = ".sotto-key";

 private:
  explicit DataIdentity(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace sotto::data
