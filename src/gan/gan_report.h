// What may be said about a generator's privacy.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gan/gan_data.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/gan/gan_config.h"
#include "sotto/plan/plan.h"
#include "sotto/train/held_out_release.h"

namespace sotto::gan {

struct GanReport {
  std::string statement;  // one sentence or two
  nlohmann::json json;    // privacy.json
  std::string markdown;   // privacy.md
};

struct Spending {
  const Plan* plan = nullptr;  // none without privacy
  std::int64_t steps = 0;
  bool seeded = false;
  accounting::PrivacyCost spent;
  std::string ledger_hash;
  std::optional<train::HeldOutTerms> held_out = {};  // of what `sotto gan evaluate` may release
};

// Sets aside what evaluating on held-out records will cost, if there are any: `spent` becomes the
// larger of that and what it was.
void reserve_held_out(const GanConfig& config, const GanData& data, Spending& spending);

// True if first weights come from the private data themselves: no ε covers them.
bool starts_from_private_data(const GanConfig& config);

GanReport report_on(const GanConfig& config, const Spending& spending);

}  // namespace sotto::gan
