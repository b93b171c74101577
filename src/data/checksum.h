// Whether files of known data sets are what they should be.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/data_source.h"

namespace sotto::data {

struct KnownFile {
  std::string name;
  std::string sha256;  // of the content; of the inflated content if it is stored as gzip
};

enum class FileState { kOk, kMissing, kDiffers };

struct FileCheck {
  std::string name;
  FileState state = FileState::kMissing;
};

// The files of fashion-mnist, mnist or cifar10. Throws InvalidArgument for other kinds: nothing is
// known about them.
const std::vector<KnownFile>& known_files(DataKind kind);

// One result for each of `files`. A file that cannot be read or inflated differs.
std::vector<FileCheck> check_files(const std::filesystem::path& folder,
                                   const std::vector<KnownFile>& files);

// check_files of known_files in source.location().
std::vector<FileCheck> check(const DataSource& source);

bool all_ok(const std::vector<FileCheck>& checks);

}  // namespace sotto::data
