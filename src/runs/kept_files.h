// What must outlive the outputs of a command: data, and the files of runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sotto::runs {

// How a text leads to what a command reads.
enum class InputKind : std::uint8_t {
  kText,  // may name a file in any way: "a.csv", "csv:a.csv", "zip=zip.csv", "@names,b"
  kData,  // the same, or a folder of pictures or IDX files
  kMade,  // a file that is made if it is not there, and read
  kRun,   // the folder of a run, or a file in it
};

// Why nothing may be written to `file` by a command that was given this input: it is read, or there
// is a reason_to_keep() it. Empty if it is free.
std::string reason_not_to_write(const std::string& input, InputKind kind,
                                const std::filesystem::path& file);

// Whether `file` is there and is among the data that `source` says: a folder of pictures or IDX
// files, also as "images:DIR" or by a known name ("mnist"). A table in such a folder is no datum.
bool is_in_data(const std::string& source, const std::filesystem::path& file);

// Why nothing else may be written to `file`, for the sake of a run (its folder, or a file in it):
// it is, or bears the name of, a file of the run, or it holds data that the run's config.json
// names. Empty if it is free, as the pages are that can be made again (report.html).
std::string reason_to_keep(const std::string& run, const std::filesystem::path& file);

}  // namespace sotto::runs
