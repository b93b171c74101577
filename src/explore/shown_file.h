// Which files of the runs folder a browser may be shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sotto::explore {

// The media type by the ending of the name; nothing for what is not shown (models, checkpoints).
std::optional<std::string> content_type(std::string_view name);

}  // namespace sotto::explore
