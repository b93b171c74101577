// The settings of a run as a list of names and values.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "report/html_elements.h"

namespace sotto::report {

using Settings = std::map<std::string, std::string>;

// Members of members as "outer.inner".
Settings flat_settings(const nlohmann::json& config);

// In as many columns as there is room for.
Html settings_list(const Settings& settings);

}  // namespace sotto::report
