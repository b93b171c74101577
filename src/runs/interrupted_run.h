// What a run has cost that did not come to its end.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace sotto::runs {

// In the form of a finished run's privacy.json: everything that its ledger has charged so far, and
// what was released about held-out records. Not private if no finite ε holds, with the reason.
// Nothing if the run has not touched the data. Queries that were answered from the ledger are not
// in it.
std::optional<nlohmann::json> interrupted_privacy(const std::filesystem::path& run_folder);

}  // namespace sotto::runs
