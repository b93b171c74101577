#include "runs/run_charge.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "plan/training_ledger.h"
#include "runs/ledger_queries.h"
#include "runs/priced_spend.h"
#include "runs/stopped_early.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

RunCharge unbounded(const std::string& why) { return {.unbounded = why}; }

RunCharge charge_in(const std::filesystem::path& run_folder, const nlohmann::json& config,
                    Queries queries) {
  LedgerContents contents = Ledger::read(run_folder / "ledger.jsonl");
  if (!training_header(contents).is_private()) {
    return unbounded("its noise came from a known seed");
  }
  const auto other = queries_in(contents);
  if (!other.unknown.empty() || (queries == Queries::kDoNotAddUp && other.budget)) {
    return unbounded("its ledger has charges other than training, which do not add up with it");
  }
  const bool trained = !training_spend(contents).composition().parts().empty();
  if (!trained && other.queries.empty()) return {};
  return {.ledger = std::move(contents),
          .delta = config.at("delta").get<double>(),
          .ended_early = std::filesystem::exists(run_folder / kStoppedEarlyFile)};
}

// A generator that was pre-trained without public data.
bool begins_with_private_data(const nlohmann::json& config) {
  if (config.value("pretrain_epochs", 0) <= 0) return false;
  const auto public_data = config.find("public_data");
  return public_data == config.end() || public_data->value("dataset", std::string()).empty();
}

}  // namespace

bool has_trained(const std::filesystem::path& run_folder) {
  for (const char* name :
       {"checkpoint.pt", "model.pt", "model.safetensors", "generator.pt", "embedding.pt",
        "metrics.jsonl", "evaluation.json", "held_out.jsonl", "files.json"}) {
    std::error_code unknown;
    if (std::filesystem::exists(run_folder / name, unknown) || unknown) return true;
  }
  return false;
}

void require_ledger(const std::filesystem::path& run_folder) {
  const auto ledger = run_folder / "ledger.jsonl";
  if (std::filesystem::exists(ledger)) return;
  check_argument(!std::filesystem::exists(run_folder / "privacy.json") && !has_trained(run_folder),
                 ledger.string(),
                 ": is missing, though the run has trained: nobody can tell what was charged to "
                 "it, so it neither goes on nor is published; accepted: the run's own ledger");
}

RunCharge charge_of(const std::filesystem::path& run_folder, Queries queries) {
  const auto ledger = run_folder / "ledger.jsonl";
  const auto config_file = run_folder / "config.json";
  try {
    const bool has_ledger = std::filesystem::is_regular_file(ledger);
    if (!has_ledger && !std::filesystem::is_regular_file(config_file)) {
      return has_trained(run_folder) ? unbounded("it has trained, but has no ledger") : RunCharge{};
    }
    const auto text = read_file(config_file);
    if (!has_ledger && text.empty()) return {};  // interrupted before it had begun
    const auto config = nlohmann::json::parse(text);
    if (config.at("disable_dp").get<bool>()) {
      return unbounded("it was trained without privacy");
    }
    if (begins_with_private_data(config)) {
      return unbounded("its first weights were trained on the private data themselves");
    }
    if (!has_ledger && has_trained(run_folder)) {
      return unbounded("it has trained, but has no ledger");
    }
    return has_ledger ? charge_in(run_folder, config, queries) : RunCharge{};
  } catch (const nlohmann::json::exception&) {
    return unbounded(config_file.string() + " cannot be understood");
  } catch (const std::exception& error) {
    return unbounded(error.what());
  }
}

double epsilon_of(const RunCharge& charge) {
  if (!charge.unbounded.empty()) return std::numeric_limits<double>::infinity();
  if (!charge.ledger) return 0;
  return priced(training_spend(*charge.ledger), charge.delta).epsilon;
}

}  // namespace sotto::runs
