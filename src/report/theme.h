// Colours of a picture: dark ink on white, or light ink on a dark ground.
#pragma once

#include <string>
#include <string_view>

namespace sotto::report {

enum class Theme { kLight, kDark };

// "light" or "dark".
std::string_view to_string(Theme theme);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
Theme theme_from_name(std::string_view text);

}  // namespace sotto::report
