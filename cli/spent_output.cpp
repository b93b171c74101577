#include "cli/spent_output.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text_layout.h"
#include "core/json_number.h"
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
  return {spender.path.string(),
          std::string(to_string(spender.kind)),
          std::string(to_string(spender.state)),
          epsilon_text(spender.epsilon),
          bounded ? accounting::rounded_up(spender.delta) : "",
          amount_of(spender)};
}

// Columns as wide as their widest cell.
std::string table_of(const std::vector<Spender>& spenders) {
  std::vector<std::vector<std::string>> rows = {{"run or ledger", "by", "state", "ε", "δ", "for"}};
  for (const auto& spender : spenders) rows.push_back(cells_of(spender));
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, display_width(other[i]));
      line += padded(row[i], width + 2);
    }
    line += row.back();
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

std::string text_of(const DataSpend& spend) {
  std::string text =
      spend.dataset.empty() ? "a table that only queries were asked of" : spend.dataset;
  if (!spend.same_by.empty()) text += " (the same data by " + spend.same_by + ")";
  return text + '\n' + table_of(spend.spenders) + labelled_paragraph("Sum", spend.sentence) + '\n';
}

Json json_of(const Spender& spender) {
  const bool bounded = std::isfinite(spender.epsilon);
  Json json;
  json["path"] = spender.path.string();
  json["by"] = to_string(spender.kind);
  json["state"] = to_string(spender.state);
  json["dataset"] = spender.data.name.empty() ? Json() : Json(spender.data.name);
  json["epsilon"] = json_number(spender.epsilon);
  json["delta"] = bounded ? Json(spender.delta) : Json();
  json["steps"] = spender.steps;
  json["queries"] = spender.queries;
  json["one_of_several"] = spender.one_of_several;
  if (!spender.problem.empty()) json["problem"] = spender.problem;
  return json;
}

Json json_of(const std::vector<Spender>& spenders) {
  Json list = Json::array();
  for (const auto& spender : spenders) list.push_back(json_of(spender));
  return list;
}

Json json_of(const DataSpend& spend) {
  const bool priced = spend.cost.has_value();
  Json json;
  json["dataset"] = spend.dataset.empty() ? Json() : Json(spend.dataset);
  json["same_data_by"] = spend.same_by.empty() ? Json() : Json(spend.same_by);
  json["epsilon"] = priced ? json_number(spend.cost->epsilon) : Json();
  json["delta"] = priced && std::isfinite(spend.cost->epsilon) ? Json(spend.cost->delta) : Json();
  json["sentence"] = spend.sentence;
  json["spent_by"] = json_of(spend.spenders);
  return json;
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
  for (const auto& spend : answer.budgets.by_data) json["by_data"].push_back(json_of(spend));
  json["unknown_data"] = json_of(answer.budgets.unknown);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sotto::cli
