// A file of JSON lines that grows by one line an epoch.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace sotto::runs {

// One line more. If the last one was interrupted (a full disk, a kill), it is ended first, or cut
// off if it is not whole. Throws FileError; what can be written of the line may then be there, and
// the next call puts it right.
void append_json_line(const std::filesystem::path& path, const nlohmann::json& line);

}  // namespace sotto::runs
