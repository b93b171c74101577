// JSON from files that others wrote.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sotto {

using Json = nlohmann::ordered_json;  // objects keep the order of the file

// Throws InvalidArgument, naming `name`, with line and column if `text` is not JSON, or if it is
// nested more than `depth` deep (a list of numbers: 1). The library's own functions recurse and
// would run out of stack.
Json parse_shallow_json(std::string_view text, const std::string& name, int depth);

// The same of a file. Throws FileError, too.
Json read_shallow_json(const std::filesystem::path& path, int depth);

}  // namespace sotto
