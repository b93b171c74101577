// What a finished run's settings and models hashed to when it wrote them, so that a later edit is
// noticed. Hashes show accidents: whoever may write to the folder could forge them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sotto::runs {

constexpr const char* kFileHashes = "files.json";

// Writes files.json: SHA-256 of config.json and of the models that are there. Atomic. Throws
// FileError.
void record_files(const std::filesystem::path& run_folder);

// A sentence for every recorded file that is there and is another now. None where nothing was
// recorded, as by earlier versions. Throws InvalidArgument, naming files.json, if it is damaged.
std::vector<std::string> altered_files(const std::filesystem::path& run_folder);

// Whether files.json has another hash for this file. Throws as altered_files does.
bool is_altered(const std::filesystem::path& run_folder, const std::string& name);

// Throws InvalidArgument, naming the file, if one of these is there and is another now, or if
// files.json is gone though privacy.json names it.
void require_unaltered(const std::filesystem::path& run_folder,
                       const std::vector<std::string>& names);

}  // namespace sotto::runs
