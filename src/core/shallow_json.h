// JSON from files that others wrote.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sotto {

using Json = nlohmann::ordered_json;  // objects keep the order of the file

// Throws InvalidArgument, naming `name`, if `text` is not JSON or nested more than `depth` deep (a
// list of numbers: 1). The library's own functions recurse and would run out of stack.
Json parse_shallow_json(std::string_view text, const std::string& name, int depth);

}  // namespace sotto
