#include "runs/interrupted_run.h"

#include <algorithm>
#include <string>

#include "core/json_number.h"
#include "plan/plan_json.h"
#include "plan/training_ledger.h"
#include "runs/held_out_json.h"
#include "runs/priced_spend.h"
#include "runs/run_charge.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

using nlohmann::json;

constexpr const char* kNothingPublished =
    "This run was interrupted: nothing is published, and what it was charged is spent.";

json unbounded_privacy(const std::string& why) {
  return {{"private", false},
          {"epsilon", kInfinityText},
          {"statement", {{"promise", "THIS RUN IS NOT PRIVATE: " + why + "."}}}};
}

// ε of the release about held-out records, if it was charged; 0 if not.
double released_about_held_out(const std::filesystem::path& run_folder) {
  const auto path = run_folder / kHeldOutLedger;
  if (!std::filesystem::exists(path)) {
    check_argument(!std::filesystem::exists(run_folder / kHeldOutRelease), path.string(),
                   ": is gone, and ", kHeldOutRelease,
                   " beside it says that something was released");
    return 0;
  }
  const auto ledger = Ledger::read(path);
  if (ledger.events.empty()) return 0;
  const auto epsilon = ledger.plan.find("epsilon");
  check_argument(epsilon != ledger.plan.end() && epsilon->is_number(), path.string(),
                 ": says no ε that holds");
  return epsilon->get<double>();
}

json charged_privacy(const RunCharge& charge, const std::filesystem::path& run_folder) {
  const auto spend = training_spend(*charge.ledger);
  const double held_out = released_about_held_out(run_folder);
  // A record is on one side of the run.
  const double epsilon = std::max(priced(spend, charge.delta).epsilon, held_out);
  json privacy = {{"private", true},
                  {"plan", json_of(spend.plan)},
                  {"steps", spend.steps},
                  {"epsilon", json_number<json>(epsilon)},
                  {"delta", charge.delta},
                  {"ledger_hash", charge.ledger->head_hash()},
                  {"threshold_searches", spend.searches},
                  {"statement", {{"promise", kNothingPublished}}}};
  if (held_out > 0) privacy["held_out"] = {{"epsilon", held_out}};
  return privacy;
}

}  // namespace

std::optional<json> interrupted_privacy(const std::filesystem::path& run_folder) {
  const auto charge = charge_of(run_folder, Queries::kCountedApart);
  if (!charge.unbounded.empty()) return unbounded_privacy(charge.unbounded);
  if (!charge.ledger) return std::nullopt;
  try {
    return charged_privacy(charge, run_folder);
  } catch (const std::exception& error) {
    return unbounded_privacy(error.what());
  }
}

}  // namespace sotto::runs
