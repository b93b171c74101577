// Files of comma-separated fields, line by line: a broken report costs its own line alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::rappor {

// The fields, unquoted; nothing if a quote is left open or stands in the wrong place.
std::optional<std::vector<std::string>> split_fields(std::string_view line);

// Lines of a whole file, without their ends ("\n" or "\r\n"); a last line without one counts. A
// UTF-8 byte order mark at the beginning is skipped.
std::vector<std::string_view> split_lines(std::string_view text);

// The field as a number, complete; nothing otherwise.
std::optional<std::uint64_t> whole_number(std::string_view field);
std::optional<double> real_number(std::string_view field);

// Text of the input in an error message: quoted, short, on one line.
std::string shown(std::string_view text);

}  // namespace sotto::rappor
