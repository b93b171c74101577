// What a finished run promises: for people (privacy.md) and programs (privacy.json).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sotto/accounting/privacy_cost.h"
#include "sotto/private/privacy_engine.h"
#include "sotto/train/training_config.h"

namespace sotto::train {

struct PrivacyReport {
  nlohmann::json json;
  std::string markdown;
  std::string statement;  // the first sentences of it
};

PrivacyReport private_report(const PrivacyEngine& engine, const accounting::PrivacyCost& spent,
                             const TrainingConfig& config);
PrivacyReport report_without_privacy();

// The number, or "Infinity".
nlohmann::json number_or_infinity(double value);
// A plan as the first rows of a Markdown table.
std::string plan_table(const nlohmann::json& plan);

}  // namespace sotto::train
