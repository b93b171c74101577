// One line of comma-separated values, read by itself (RFC 4180 without quoted line breaks): a
// broken quote spoils its own line and no other. Where a record may span lines, see data/csv.h.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace sotto {

// The line's fields, unquoted, in `fields`, whose memory is used again; an empty line is one empty
// field. False, and `fields` holds anything, if a quote is left open or stands in the wrong place,
// or there are more than `most` fields. A carriage return is a character like any other.
bool split_csv_line(std::string_view line, std::vector<std::string>& fields, char separator = ',',
                    std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace sotto
