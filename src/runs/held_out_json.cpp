#include "runs/held_out_json.h"

#include <nlohmann/json.hpp>

#include "plan/ledger.h"
#include "sotto/core/error.h"

namespace sotto::runs {

bool is_held_out_ledger(const std::filesystem::path& file) {
  try {
    const auto ledger = Ledger::read(file);
    return ledger.plan.contains("release") && ledger.plan.contains("epsilon");
  } catch (const std::exception&) {
    return false;
  }
}

nlohmann::json json_of(const HeldOutRelease& release) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  auto rows = nlohmann::json::array();
  for (const auto& count : release.counts) {
    rows.push_back({{"right", count.right}, {"wrong", count.wrong}});
  }
  return {{"epsilon", release.epsilon},
          {"delta", 0},
          {"noise", "discrete Laplace"},
          {"noise_standard_deviation", release.noise_deviation()},
          {"relation", accounting::to_string(release.adjacency)},
          {"accuracy", or_null(release.accuracy())},
          {"accuracy_error", or_null(release.accuracy_error())},
          {"answers", rows}};
}

HeldOutRelease held_out_release_from_json(const nlohmann::json& json) {
  try {
    HeldOutRelease release;
    release.epsilon = json.at("epsilon").get<double>();
    release.adjacency = accounting::adjacency_from_name(json.at("relation").get<std::string>());
    for (const auto& row : json.at("answers")) {
      release.counts.push_back(
          {row.at("right").get<std::int64_t>(), row.at("wrong").get<std::int64_t>()});
    }
    check_argument(release.epsilon >= kLeastHeldOutEpsilon, "its ε is too small");
    return release;
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("held-out answers: something is missing or of the wrong type");
  }
}

nlohmann::json held_out_json(const HeldOutTerms& terms, const std::filesystem::path& folder) {
  nlohmann::json json = {{"epsilon", terms.epsilon},
                         {"delta", 0},
                         {"noise", "discrete Laplace"},
                         {"relation", accounting::to_string(terms.adjacency)},
                         {"statement", held_out_paragraph(terms)}};
  const auto ledger = folder / kHeldOutLedger;
  if (std::filesystem::exists(ledger)) json["ledger_hash"] = Ledger::read(ledger).head_hash();
  return json;
}

}  // namespace sotto::runs
