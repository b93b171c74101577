// Held-out releases as held_out.json and privacy.json have them.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runs/held_out_release.h"

namespace sotto::runs {

constexpr const char* kHeldOutLedger = "held_out.jsonl";
constexpr const char* kHeldOutRelease = "held_out.json";
constexpr double kLeastHeldOutEpsilon = 1e-6;

// Whether a file can be read as the ledger of such a release.
bool is_held_out_ledger(const std::filesystem::path& file);

nlohmann::json json_of(const HeldOutRelease& release);
// The same of a run whose ε is not proved: it is infinite, and there is no δ.
nlohmann::json json_without_epsilon(const HeldOutRelease& release);
// Throws InvalidArgument if something is missing or of the wrong type.
HeldOutRelease held_out_release_from_json(const nlohmann::json& json);

// What privacy.json says of a release, and of its ledger: by the hash that privacy.json in `folder`
// names already, else by that of the ledger there; nothing of it where there is neither.
nlohmann::json held_out_json(const HeldOutTerms& terms, const std::filesystem::path& folder);

// The line of the release's ledger that privacy.json in `folder` names, by its hash; "" if none.
// Once it does, only a ledger with that line is the release's. Throws InvalidArgument, naming the
// file, if privacy.json is damaged.
std::string named_held_out_charge(const std::filesystem::path& folder);
// Whether the release's ledger is there and has this line. Throws as Ledger::read does.
bool has_held_out_charge(const std::filesystem::path& folder, const std::string& hash);
// Has privacy.json name this line, where it tells of a release and names none; atomic.
void name_held_out_charge(const std::filesystem::path& folder, const std::string& hash);

}  // namespace sotto::runs
