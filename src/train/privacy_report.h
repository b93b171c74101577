// What a finished run promises: for people (privacy.md) and programs (privacy.json).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sotto/accounting/privacy_cost.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/train/held_out_release.h"
#include "sotto/train/training_config.h"

namespace sotto::train {

struct PrivacyReport {
  nlohmann::json json;
  std::string markdown;
  std::string statement;  // the first sentences of it
};

// The release about held-out records that a run made, if any, and where its ledger is.
struct HeldOutCharge {
  std::optional<HeldOutTerms> terms;
  std::filesystem::path folder;
};

// `spent`: by training and held-out release, the larger of the two.
PrivacyReport private_report(const PrivacyEngine& engine, const accounting::PrivacyCost& spent,
                             const TrainingConfig& config, const HeldOutCharge& held_out);
PrivacyReport report_without_privacy();

// The number, or "Infinity".
nlohmann::json number_or_infinity(double value);
// That the number of records is public: the sentence that goes with every plan that is printed.
extern const char* const kSizeIsPublic;
// A plan as the first rows of a Markdown table.
std::string plan_table(const nlohmann::json& plan);

}  // namespace sotto::train
