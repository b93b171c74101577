// Where a text stops being JSON, for those who wrote it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sotto {

// Throws InvalidArgument for a text that a JSON parser has refused: "NAME:LINE:COLUMN: not valid
// JSON: unexpected '}'; expected string literal". Lines and columns count from 1, columns in
// characters of UTF-8. `first_line`: the number of the text's first line in the file.
[[noreturn]] void refuse_json(std::string_view text, const std::string& name,
                              std::size_t first_line = 1);

}  // namespace sotto
