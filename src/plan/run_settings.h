// The settings that a run leaves beside its ledger, told from other programs' files of that name.
#pragma once

#include <filesystem>
#include <optional>

#include "core/shallow_json.h"

namespace sotto {

constexpr const char* kSettingsFile = "config.json";

// What config.json in this folder says, if it names the data of a run; nothing if it does not, or
// is not there, as beside the ledger of an engine in somebody's own program. Throws as
// read_shallow_json does.
std::optional<Json> run_settings_in(const std::filesystem::path& folder);

}  // namespace sotto
