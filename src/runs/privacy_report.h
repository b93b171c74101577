// What a finished run promises: for people (privacy.md) and programs (privacy.json).
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runs/held_out_release.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/statement.h"
#include "sotto/plan/plan.h"

namespace sotto::runs {

// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON does not throw
struct PrivacyReport {
  nlohmann::json json;
  std::string markdown;
  std::string statement;  // the first sentences of it
};

// The release about held-out records that a run made or may make, and where its ledger is, if
// there is one.
struct HeldOutCharge {
  std::optional<HeldOutTerms> terms;
  std::filesystem::path folder;
};

// What a run that was accounted for says of itself.
struct AccountedRun {
  std::string subject;  // "model", "generator"
  Spend spend;
  accounting::PrivacyCost cost;  // of the spend and the held-out release, the larger of the two
  std::string ledger_hash;
  // In the words of this run; a run that is NOT private leaves all but the promise empty.
  accounting::Statement statement;
  bool is_private = true;
  std::string limits = {};  // of the promise, in sentences that follow it; mostly none
  std::vector<std::string> warnings;
  std::string shown;       // what was shown of records without noise, in sentences
  std::string arithmetic;  // what is proved of floating point, and what is assumed
  HeldOutCharge held_out;
};

PrivacyReport report_on(const AccountedRun& run);
// Of a run that no ε covers. `why`: a sentence without its subject.
PrivacyReport report_not_private(const std::string& subject, const std::string& why);

// "THIS GENERATOR IS NOT PRIVATE: why".
std::string not_private(const std::string& subject, const std::string& why);
// Why a seeded run is not private.
extern const char* const kNoiseFromSeed;
// Why a run without noise is not.
extern const char* const kWithoutNoise;

}  // namespace sotto::runs
