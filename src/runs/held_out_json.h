// Held-out releases as held_out.json and privacy.json have them.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "runs/held_out_release.h"

namespace sotto::runs {

constexpr const char* kHeldOutLedger = "held_out.jsonl";
constexpr const char* kHeldOutRelease = "held_out.json";
constexpr double kLeastHeldOutEpsilon = 1e-6;

// Whether a file can be read as the ledger of such a release.
bool is_held_out_ledger(const std::filesystem::path& file);

nlohmann::json json_of(const HeldOutRelease& release);
// Throws InvalidArgument if something is missing or of the wrong type.
HeldOutRelease held_out_release_from_json(const nlohmann::json& json);

// What privacy.json says of a release, and of its ledger if there is one in `folder`.
nlohmann::json held_out_json(const HeldOutTerms& terms, const std::filesystem::path& folder);

}  // namespace sotto::runs
