// What must outlive the outputs of a command: data, and the files of runs.
#pragma once

#include <filesystem>
#include <string>

namespace sotto::cli {

// Whether `file` is there and is among the data that `source` says: a folder of pictures or IDX
// files, also as "images:DIR" or by a known name ("mnist"). A table in such a folder is no datum.
bool is_in_data(const std::string& source, const std::filesystem::path& file);

// Why nothing else may be written to `file`, for the sake of a run (its folder, or a file in it):
// it is, or bears the name of, a file of the run, or it holds data that the run's config.json
// names. Empty if it is free, as the pages are that can be made again (report.html).
std::string reason_to_keep(const std::string& run, const std::filesystem::path& file);

}  // namespace sotto::cli
