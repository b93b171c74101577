// Files that are fetched, verified, and only then put in place.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/checksum.h"

namespace sotto::data {

// Two empty folders on the disk of the destination, removed after the attempt.
struct Workspace {
  std::filesystem::path scratch;  // archives and what is extracted from them
  std::filesystem::path result;   // the files of the data set, and nothing else
};

struct Attempt {
  std::string description;
  std::function<void(const Workspace&)> fetch;  // throws if it fails
};

struct Recipe {
  std::string name;
  std::vector<KnownFile> files;
  std::vector<Attempt> attempts;
};

using Report = std::function<void(const std::string&)>;

// Makes `destination` a folder with exactly the recipe's files, by the first attempt that yields
// them all with the right content. Throws DownloadError if none does; `destination` is then as it
// was before.
void install(const Recipe& recipe, const std::filesystem::path& destination, const Report& report);

// Throws std::runtime_error unless the file has this SHA-256.
void require_sha256(const std::filesystem::path& file, const std::string& sha256);

}  // namespace sotto::data
