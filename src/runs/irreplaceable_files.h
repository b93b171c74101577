// What no command may write over, since nobody could make it again.
#pragma once

#include <filesystem>
#include <string>

namespace sotto::runs {

// As training and generators name their files. Pages about a run are not among them.
bool has_run_files_name(const std::filesystem::path& file);

// Why nothing may be written over `file`, or over what it is a link to, whatever the command: it is
// a ledger, a key or a secret, or a file of some run or sweep. Empty if it is free, or not there.
std::string reason_never_to_replace(const std::filesystem::path& file);

}  // namespace sotto::runs
