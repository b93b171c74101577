#include "queries/shown_answers.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/printed_number.h"
#include "queries/answer_digits.h"
#include "sotto/core/error.h"

namespace sotto::queries {
namespace {

using mechanisms::Release;
using OrderedJson = nlohmann::ordered_json;

bool is_whole(const ShownAnswers& shown) {
  return shown.action == "count" || shown.action == "histogram" || shown.action == "table";
}

OrderedJson release_json(const ShownAnswers& shown, const Release& release) {
  if (release.rank_error) {
    return {{"value", release.value}, {"rank_error", std::llround(std::ceil(*release.rank_error))}};
  }
  const double error = release.standard_error;
  if (is_whole(shown)) {
    return {{"value", std::llround(release.value)},
            {"standard_error", near_the_error(error, error)},
            {"low", std::llround(release.low)},
            {"high", std::llround(release.high)}};
  }
  return {{"value", near_the_error(release.value, error)},
          {"standard_error", near_the_error(error, error)},
          {"low", near_the_error(release.low, error, Rounding::kDown)},
          {"high", near_the_error(release.high, error, Rounding::kUp)}};
}

OrderedJson label_json(const ShownAnswers& shown, std::size_t index) {
  if (shown.across.empty()) return {{"label", shown.answers[index].label}};
  const std::size_t across = shown.across_parts.size();
  return {{"labels", {shown.parts[index / across], shown.across_parts[index % across]}}};
}

}  // namespace

ShownAnswers shown_answers(const std::string& action, const mechanisms::QueryOptions& query,
                           std::vector<mechanisms::Answer> answers) {
  return {action,
          query.by,
          query.across,
          mechanisms::labels(query.parts),
          mechanisms::labels(query.across_parts),
          std::move(answers)};
}

ShownAnswers shown_answers(const PastQuery& past) {
  try {
    const auto& said = past.description;
    ShownAnswers shown{said.at("query").get<std::string>(),
                       said.value("by", ""),
                       said.value("across", ""),
                       said.value("parts", std::vector<std::string>()),
                       said.value("across_parts", std::vector<std::string>()),
                       *past.answers};
    const std::size_t expected = std::max<std::size_t>(1, shown.parts.size()) *
                                 std::max<std::size_t>(1, shown.across_parts.size());
    const bool fits =
        shown.answers.size() == expected && shown.across.empty() == shown.across_parts.empty();
    if (fits) return shown;
  } catch (const nlohmann::json::exception&) {
  }
  throw InvalidArgument("the ledger holds answers that do not fit their query");
}

std::string value_text(const ShownAnswers& shown, const Release& release) {
  if (release.rank_error) return significant(release.value, 15);
  if (is_whole(shown)) return with_decimals(release.value, 0);
  return to_the_error(release.value, release.standard_error);
}

std::string interval_text(const ShownAnswers& shown, const Release& release) {
  if (release.rank_error)
    return "within " + with_decimals(std::ceil(*release.rank_error), 0) + " ranks";
  if (is_whole(shown)) {
    return with_decimals(release.low, 0) + " to " + with_decimals(release.high, 0);
  }
  return to_the_error(release.low, release.standard_error, Rounding::kDown) + " to " +
         to_the_error(release.high, release.standard_error, Rounding::kUp);
}

void add_answers(const ShownAnswers& shown, OrderedJson& json) {
  if (shown.parts.empty()) {
    json["answer"] = release_json(shown, shown.answers.front().release);
    return;
  }
  if (shown.across.empty()) {
    json["by"] = shown.by;
  } else {
    json["columns"] = {shown.by, shown.across};
  }
  json["answers"] = OrderedJson::array();
  for (std::size_t i = 0; i < shown.answers.size(); ++i) {
    OrderedJson entry = label_json(shown, i);
    entry.update(release_json(shown, shown.answers[i].release));
    json["answers"].push_back(entry);
  }
}

}  // namespace sotto::queries
