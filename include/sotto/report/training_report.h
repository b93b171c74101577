// report.html of a run: everything in its folder, on one self-contained page.
#pragma once

#include <filesystem>
#include <string>

#include "sotto/runs/run_record.h"

namespace sotto::report {

// The page. The same folder gives the same bytes.
std::string training_report_html(const runs::RunRecord& run);

// Reads the run in `folder` and writes report.html into it, whole or not at all; returns its path.
// Throws as RunRecord::read does, and FileError if it cannot be written.
std::filesystem::path write_training_report(const std::filesystem::path& folder);

}  // namespace sotto::report
