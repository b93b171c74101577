#include "cli/spent_output.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "runs/run_json.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {
namespace {

using runs::DataSpend;
using runs::Spender;
using Json = nlohmann::ordered_json;

constexpr const char* kUnknown =
    "The data behind these cannot be identified, so no sum includes them.";

std::string epsilon_text(double epsilon) {
  return std::isfinite(epsilon) ? accounting::rounded_up(epsilon) : "∞";
}

std::string amount_of(const Spender& spender) {
  if (!std::isfinite(spender.epsilon)) return spender.problem;
  std::string text;
  if (spender.kind != runs::SpenderKind::kQueries) {
    text = std::to_string(spender.steps) + (spender.steps == 1 ? " step" : " steps");
  }
  if (spender.queries > 0) {
    text += (text.empty() ? "" : ", ") + std::to_string(spender.queries) +
            (spender.queries == 1 ? " query" : " queries");
  }
  return text + (spender.problem.empty() ? "" : "; " + spender.problem);
}

std::vector<std::string> cells_of(const Spender& spender) {
  const bool bounded = std::isfinite(spender.epsilon);
  return {"  " + spender.path.string(),
          std::string(to_string(spender.kind)),
          std::string(to_string(spender.state)),
          epsilon_text(spender.epsilon),
          bounded ? accounting::rounded_up(spender.delta) : "",
          amount_of(spender)};
}

std::string table_of(const std::vector<Spender>& spenders) {
  TextTable table;
  table.add({"  run or ledger", "by", "state", "ε", "δ", "for"});
  for (const auto& spender : spenders) {
    auto cells = cells_of(spender);
    while (cells.back().empty()) cells.pop_back();
    table.add(std::move(cells));
  }
  return table.text();
}

std::string text_of(const DataSpend& spend) {
  std::string text =
      spend.dataset.empty() ? "a table that only queries were asked of" : spend.dataset;
  if (!spend.same_by.empty()) text += " (the same data by " + spend.same_by + ")";
  return text + '\n' + table_of(spend.spenders) + labelled_paragraph("Sum", spend.sentence) + '\n';
}

std::string folder_text(const SpentAnswer& answer) {
  return answer.folder == "." ? "this folder" : answer.folder.string();
}

std::string nothing_found(const SpentAnswer& answer) {
  return "Nothing in " + folder_text(answer) + " was charged" +
         (answer.data ? " to " + *answer.data : "") + ".\n";
}

// What was charged anywhere else is in no sum.
std::string searched(const SpentAnswer& answer) {
  return labelled_paragraph("Searched", folder_text(answer) +
                                            " and all below it (--runs); a ledger of queries "
                                            "elsewhere is added by --ledger.");
}

}  // namespace

std::string spent_text(const SpentAnswer& answer) {
  const auto& [by_data, unknown] = answer.budgets;
  std::string text;
  for (const auto& spend : by_data) text += text_of(spend);
  if (by_data.empty() && unknown.empty()) text += nothing_found(answer) + '\n';
  if (!unknown.empty()) {
    text += "unknown data\n" + table_of(unknown) + labelled_paragraph("Note", kUnknown) + '\n';
  }
  return text + searched(answer);
}

std::string spent_json(const SpentAnswer& answer) {
  Json json;
  json["runs"] = answer.folder.string();
  json["data"] = answer.data ? Json(*answer.data) : Json();
  json["by_data"] = Json::array();
  for (const auto& spend : answer.budgets.by_data)
    json["by_data"].push_back(runs::spend_json(spend));
  json["unknown_data"] = runs::spenders_json(answer.budgets.unknown);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sotto::cli
