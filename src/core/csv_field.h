// Writing comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace sotto {

// The text as one field: quoted if it has to be. `separator`: what stands between fields.
std::string csv_field(std::string_view text, char separator = ',');

// The shortest text that reads back as the same number.
std::string exact_number(double value);

}  // namespace sotto
