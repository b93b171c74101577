// JSON as it lies in a run's folder, with errors that name the file.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sotto::runs {

// The one object in a file. Throws InvalidArgument, naming the file and the place, if it holds
// anything else; FileError if it cannot be read.
nlohmann::json read_json_object(const std::filesystem::path& path);

// One object a line. A last line that was interrupted is left out; any other that is not an object
// throws InvalidArgument, naming file and line.
std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& path);

// The member, if it is there and finite; nothing if it is not, or no number.
std::optional<double> number_in(const nlohmann::json& object, const std::string& key);
// The member if it is a text; "" if not.
std::string text_in(const nlohmann::json& object, const std::string& key);

// A value for people: texts without quotes, null as "not set".
std::string shown(const nlohmann::json& value);

}  // namespace sotto::runs
