#include "plan/ledger_header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "plan/plan_json.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

constexpr const char* kNotPrivateKey = "not_private";
constexpr const char* kQueriesKind = "queries";
constexpr const char* kDataKey = "data";
constexpr const char* kQueriesAdjacency = "add-remove";

bool is_training(const nlohmann::json& plan) { return plan.contains("noise_multiplier"); }

Plan plan_in(const LedgerContents& ledger) {
  try {
    return plan_from_json(ledger.plan, std::max<std::int64_t>(1, ledger.steps_charged));
  } catch (const NoValidAnalysis&) {
    throw;
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(ledger.path.string() + ": " + error.what());
  }
}

// Whatever stands there: a run that says so is not private.
std::optional<std::string> not_private_in(const nlohmann::json& plan) {
  const auto found = plan.find(kNotPrivateKey);
  if (found == plan.end()) return std::nullopt;
  return found->is_string() ? found->get<std::string>() : found->dump();
}

}  // namespace

nlohmann::json TrainingHeader::to_json() const {
  auto json = json_of(plan);
  if (not_private) json[kNotPrivateKey] = *not_private;
  return json;
}

nlohmann::json QueriesHeader::to_json() const {
  nlohmann::json json = {{"kind", kQueriesKind},
                         {"relation", kQueriesAdjacency},
                         {"total_epsilon", terms.total.epsilon},
                         {"total_delta", terms.total.delta},
                         {"composition", to_string(terms.composing)}};
  if (data_identity) json[kDataKey] = *data_identity;
  return json;
}

QueriesHeader QueriesHeader::from_json(const nlohmann::json& json,
                                       const std::filesystem::path& path) {
  try {
    check_argument(json.at("kind") == kQueriesKind && json.at("relation") == kQueriesAdjacency,
                   path.string(), ": not a budget of queries");
    QueriesHeader header{
        {{json.at("total_epsilon").get<double>(), json.at("total_delta").get<double>()},
         mechanisms::composing_from_name(json.at("composition").get<std::string>())}};
    if (json.contains(kDataKey)) header.data_identity = json.at(kDataKey).get<std::string>();
    return header;
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument(path.string() + ": neither a ledger of queries nor of training");
  }
}

LedgerHeader header_of(const LedgerContents& ledger) {
  if (!is_training(ledger.plan)) return QueriesHeader::from_json(ledger.plan, ledger.path);
  return TrainingHeader{plan_in(ledger), not_private_in(ledger.plan)};
}

mechanisms::Charge query_charge(const LedgerEvent& event, const std::filesystem::path& path) {
  try {
    check_argument(event.name == kQueryEvent, path.string(), ": holds a release named '",
                   event.name, "', whose cost is not known here");
    mechanisms::Charge charge{{event.description.at("epsilon").get<double>(),
                               event.description.at("delta").get<double>()}};
    const auto& multiplier = event.description.at("gaussian_multiplier");
    if (!multiplier.is_null()) charge.gaussian_multiplier = multiplier.get<double>();
    return charge;
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument(path.string() + ": holds a query whose cost cannot be read");
  }
}

nlohmann::json data_change(const std::string& new_identity) { return {{kDataKey, new_identity}}; }

std::string changed_identity(const LedgerEvent& event, const std::filesystem::path& path) {
  const auto found = event.description.find(kDataKey);
  check_argument(found != event.description.end() && found->is_string(), path.string(),
                 ": holds a change of the data that does not name them");
  return found->get<std::string>();
}

TrainingHeader training_header(const LedgerContents& ledger) {
  auto header = header_of(ledger);
  auto* training = std::get_if<TrainingHeader>(&header);
  check_argument(training != nullptr, ledger.path.string(),
                 ": a ledger of queries; accepted: a training run's");
  return std::move(*training);
}

Spend training_spend(const LedgerContents& ledger) {
  Spend spend{training_header(ledger).plan, ledger.steps_charged};
  if (spend.plan.searches_thresholds()) {
    spend.searches =
        std::count_if(ledger.events.begin(), ledger.events.end(),
                      [](const auto& event) { return event.name == kThresholdSearch; });
  }
  return spend;
}

}  // namespace sotto
