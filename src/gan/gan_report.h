// What may be said about a generator's privacy.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gan/gan_data.h"
#include "runs/declared_person.h"
#include "runs/privacy_report.h"
#include "runs/stopped_early.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/gan/gan.h"
#include "sotto/plan/plan.h"

namespace sotto::gan {

// Of a run with noise, secret or from a seed.
struct GanSpending {
  Spend spend;
  bool seeded = false;
  accounting::PrivacyCost cost;
  std::string ledger_hash;
  std::optional<runs::HeldOutTerms> held_out = {};  // of what `sotto gan evaluate` may release
  std::optional<runs::StoppedEarly> stopped = {};   // if it ended before its last step
};

// Sets aside what evaluating on held-out records will cost, if there are any: the cost becomes the
// larger of that and what it was.
void reserve_held_out(const GanConfig& config, const GanData& data, GanSpending& spending);

// True if first weights come from the private data themselves: no ε covers them.
bool starts_from_private_data(const GanConfig& config);

// Whose records the settings say they are.
runs::DeclaredPerson declared_person(const GanConfig& config);

// Of the run in `folder`. `spending`: nothing for a run without privacy.
runs::PrivacyReport report_on(const GanConfig& config, const std::optional<GanSpending>& spending,
                              const std::filesystem::path& folder);

}  // namespace sotto::gan
