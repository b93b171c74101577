#include "runs/held_out_json.h"

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/json_number.h"
#include "plan/ledger.h"
#include "runs/json_file.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

constexpr const char* kChargeKey = "ledger_hash";

std::filesystem::path promise_file(const std::filesystem::path& folder) {
  return folder / "privacy.json";
}

}  // namespace

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

nlohmann::json json_without_epsilon(const HeldOutRelease& release) {
  auto json = json_of(release);
  json["epsilon"] = kInfinityText;
  json["delta"] = nullptr;
  return json;
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
  if (const auto named = named_held_out_charge(folder); !named.empty()) {
    json[kChargeKey] = named;
  } else if (std::filesystem::exists(ledger)) {
    json[kChargeKey] = Ledger::read(ledger).head_hash();
  }
  return json;
}

std::string named_held_out_charge(const std::filesystem::path& folder) {
  const auto path = promise_file(folder);
  if (!std::filesystem::exists(path)) return "";
  const auto privacy = read_json_object(path);
  const auto held_out = privacy.find("held_out");
  return held_out != privacy.end() && held_out->is_object() ? text_in(*held_out, kChargeKey) : "";
}

bool has_held_out_charge(const std::filesystem::path& folder, const std::string& hash) {
  const auto path = folder / kHeldOutLedger;
  return std::filesystem::exists(path) && Ledger::read(path).contains(hash);
}

void name_held_out_charge(const std::filesystem::path& folder, const std::string& hash) {
  const auto path = promise_file(folder);
  if (!std::filesystem::exists(path) || !named_held_out_charge(folder).empty()) return;
  auto privacy = read_json_object(path);
  const auto held_out = privacy.find("held_out");
  if (held_out == privacy.end() || !held_out->is_object()) return;
  (*held_out)[kChargeKey] = hash;
  write_file_atomically(path, privacy.dump(2) + "\n");
}

}  // namespace sotto::runs
