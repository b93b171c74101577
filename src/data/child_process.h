// Other programs, run without a shell.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace sotto::data {

// Runs `arguments` (the program, found on PATH, first) in `folder` and waits for it. Input is
// empty, output goes to a file child.log there. Throws std::runtime_error, with the last line of
// the output, if the program cannot be started, does not end with status 0, or is still running
// after `time_limit`; then it is killed.
void run_child(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
               std::chrono::seconds time_limit);

}  // namespace sotto::data
