// report.html of a run: everything in its folder, on one self-contained page.
#pragma once

#include <filesystem>

namespace sotto::report {

// Reads the run in `folder` and writes report.html into it, whole or not at all; returns its path.
// The same folder gives the same bytes. Throws InvalidArgument, naming the file and what is wrong
// with it, if privacy.json is not there or another is damaged; FileError if one cannot be read or
// the page cannot be written.
std::filesystem::path write_training_report(const std::filesystem::path& folder);

}  // namespace sotto::report
