// What each run and each ledger of queries below a folder has cost.
#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

#include "plan/ledger_header.h"
#include "runs/combined_cost.h"
#include "runs/data_spend.h"
#include "runs/file_hashes.h"
#include "runs/json_file.h"
#include "runs/recorded_identity.h"
#include "runs/spending_places.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

void take_costs(const RunRecord& run, Spender& spender) {
  spender.releases = releases_of(run);
  spender.epsilon = run.epsilon();
  spender.delta = run.delta().value_or(0);
  spender.steps = run.steps();
  spender.queries = run.queries().size();
  if (const auto asked = cost_with_queries(run)) {
    spender.epsilon = asked->cost.epsilon;
    spender.delta = asked->cost.delta;
  }
  if (!spender.releases.unbounded) return;
  spender.epsilon = kUnbounded;
  spender.problem = why_unbounded(run);
}

SpenderState state_of(const RunRecord& run) {
  if (!run.is_finished()) return SpenderState::kInterrupted;
  return run.was_stopped_early() ? SpenderState::kEndedEarly : SpenderState::kFinished;
}

// What its settings say, even if nothing else of the run can be read.
KnownData data_in_settings(const fs::path& run_folder) {
  try {
    const auto config = read_json_object(run_folder / "config.json");
    const auto data = config.find("data");
    const bool nested = data != config.end() && data->is_object();
    KnownData known{text_in(nested ? *data : config, "dataset")};
    known.places = places_of_data(known.name, run_folder);
    const auto identity = text_in(config, "data_identity");
    if (!identity.empty()) known.identities.push_back(identity);
    return known;
  } catch (const std::exception&) {
    return {};
  }
}

Spender unreadable(const fs::path& path, SpenderKind kind, const std::string& why) {
  Spender spender{path, kind, SpenderState::kUnreadable};
  spender.releases.unbounded = true;
  spender.epsilon = kUnbounded;
  spender.problem = why;
  return spender;
}

Spender spender_of(const RunRecord& run) {
  Spender spender{run.folder(),
                  run.is_generator() ? SpenderKind::kGenerator : SpenderKind::kTraining,
                  state_of(run), data_in_settings(run.folder())};
  spender.one_of_several = run.is_one_of_several();
  take_costs(run, spender);
  if (!is_altered(run.folder(), "config.json")) return spender;
  spender.data = {};
  spender.problem += (spender.problem.empty() ? "" : "; ") +
                     std::string("its config.json, which names its data, was edited");
  return spender;
}

// Nothing if nothing was charged.
std::optional<Spender> run_spender(const fs::path& folder) {
  try {
    const auto run = RunRecord::read_charged(folder);
    return run ? std::optional(spender_of(*run)) : std::nullopt;
  } catch (const std::exception& error) {
    auto spender = unreadable(folder, SpenderKind::kTraining, error.what());
    spender.data = data_in_settings(folder);
    return spender;
  }
}

// In those lines of a damaged ledger that can still be read: its header and later changes.
std::vector<std::string> tables_named_in(const fs::path& ledger) {
  std::vector<std::string> tables;
  std::ifstream in(ledger, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (line.find("\"data\"") == std::string::npos) continue;
    const auto json = nlohmann::json::parse(line.substr(std::min(line.find('{'), line.size())),
                                            nullptr, /*allow_exceptions=*/false);
    for (const auto* key : {"plan", "description"}) {
      if (!json.is_object() || !json.contains(key) || !json.at(key).is_object()) continue;
      if (auto table = text_in(json.at(key), "data"); !table.empty()) tables.push_back(table);
    }
  }
  return tables;
}

// Nothing if nothing was charged.
std::optional<Spender> ledger_spender(const fs::path& file) {
  try {
    auto spender = queries_spender(file);
    const bool charged = spender.queries > 0 || spender.releases.unbounded;
    return charged ? std::optional(std::move(spender)) : std::nullopt;
  } catch (const std::exception& error) {
    auto spender = unreadable(file, SpenderKind::kQueries, error.what());
    spender.data.identities = tables_named_in(file);
    return spender;
  }
}

}  // namespace

std::string_view to_string(SpenderKind kind) {
  switch (kind) {
    case SpenderKind::kTraining:
      return "train";
    case SpenderKind::kGenerator:
      return "gan";
    case SpenderKind::kQueries:
      return "query";
  }
  return "";
}

std::string_view to_string(SpenderState state) {
  switch (state) {
    case SpenderState::kFinished:
      return "finished";
    case SpenderState::kEndedEarly:
      return "ended early";
    case SpenderState::kInterrupted:
      return "interrupted";
    case SpenderState::kOpen:
      return "open";
    case SpenderState::kUnreadable:
      return "unreadable";
  }
  return "";
}

std::vector<Spender> spenders_in(const fs::path& folder) {
  const auto places = spending_places_in(folder);
  std::vector<Spender> found;
  const auto add = [&](std::optional<Spender> spender) {
    if (spender) found.push_back(std::move(*spender));
  };
  for (const auto& run : places.runs) add(run_spender(run.lexically_normal()));
  for (const auto& ledger : places.ledgers) add(ledger_spender(ledger.lexically_normal()));
  std::sort(found.begin(), found.end(),
            [](const Spender& a, const Spender& b) { return a.path < b.path; });
  return found;
}

Spender queries_spender(const fs::path& ledger) {
  const auto contents = Ledger::read(ledger);
  const auto header = header_of(contents);
  const auto* terms = std::get_if<QueriesHeader>(&header);
  check_argument(terms != nullptr, ledger.string(),
                 ": a training run's ledger; what it cost is known from the run's folder");
  const auto asked = queries_in(contents);
  Spender spender{ledger, SpenderKind::kQueries, SpenderState::kOpen, {"", asked.data_identities}};
  spender.releases = releases_of(asked);
  spender.queries = asked.queries.size();
  if (spender.releases.unbounded) {
    spender.epsilon = kUnbounded;
    spender.problem =
        "holds a release named '" + asked.unknown.front() + "', whose cost is not known";
    return spender;
  }
  mechanisms::BudgetAccount account(terms->terms);
  for (const auto& query : asked.queries) account.add({query.cost, query.gaussian_multiplier});
  if (spender.queries == 0) return spender;
  spender.epsilon = account.spent().epsilon;
  spender.delta = account.spent().delta;
  return spender;
}

}  // namespace sotto::runs
