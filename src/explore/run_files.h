// Files of a run as others wrote them: whatever is missing, damaged or too large is said, not
// fatal.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "explore/runs_folder.h"

namespace sotto::explore {

using Problems = std::vector<std::string>;  // sentences that name the file

// The one object in a file; null if there is no such file, or none that can be used.
nlohmann::ordered_json json_object(const RunsFolder& runs, const std::string& path,
                                   Problems& problems);

// The objects in a file of one a line. Lines that hold none are left out and counted in a problem;
// an unfinished last one is left out silently, as the run may be writing it.
std::vector<nlohmann::ordered_json> json_lines(const RunsFolder& runs, const std::string& path,
                                               Problems& problems);

// The object in the first line of a file; null if there is none.
nlohmann::ordered_json first_json_line(const RunsFolder& runs, const std::string& path);

// A member of an object; null if there is none, or if it is not an object.
nlohmann::ordered_json member(const nlohmann::ordered_json& object, const char* key);

}  // namespace sotto::explore
