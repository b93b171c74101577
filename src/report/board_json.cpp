#include "report/board_pages.h"
#include "report/meaning_json.h"

namespace sotto::report {
namespace {

using Json = nlohmann::ordered_json;

Json claim_json(const BoardClaim& claim) {
  Json beliefs = Json::array();
  for (const auto& [before, after] : claim.beliefs) {
    beliefs.push_back({{"prior", before}, {"highest", after}});
  }
  return {{"epsilon", claim.guarantee.epsilon},
          {"delta", claim.guarantee.delta},
          {"adjacency", accounting::to_string(claim.neighbours.adjacency())},
          {"group_size", claim.neighbours.group_size()},
          {"promise", claim.promise},
          {"protects", claim.protects},
          {"verdict_rate", kVerdictRate},
          {"beliefs", beliefs},
          {"customary", claim.customary},
          {"method", claim.method},
          {"accounting", claim.accounting}};
}

}  // namespace

Json board_json(const BoardStatement& statement) {
  Json roles = Json::array();
  for (const auto& [who, sees] : statement.roles) {
    roles.push_back({{"who", who}, {"may_see", sees}});
  }
  Json commands = Json::array();
  for (const auto& command : board_commands(statement)) commands.push_back(command.command);
  return {{"standing", to_string(statement.standing)},
          {"alarms", statement.alarms},
          {"headline", headline(statement)},
          {"claim", statement.claim ? claim_json(*statement.claim) : Json(nullptr)},
          {"run", statement.run},
          {"subject", statement.subject},
          {"dataset", statement.dataset},
          {"records", statement.records ? Json(*statement.records) : Json(nullptr)},
          {"model", statement.model},
          {"method", statement.method},
          {"date", statement.day.empty() ? Json(nullptr) : Json(statement.day)},
          {"trusted", roles},
          {"limits", statement.limits},
          {"queries", statement.queries},
          {"ledger_hash", statement.ledger_hash},
          {"verify", commands}};
}

}  // namespace sotto::report
