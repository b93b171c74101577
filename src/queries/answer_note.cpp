#include "queries/answer_note.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/shallow_json.h"
#include "sotto/core/error.h"

namespace sotto::queries {

namespace {

using mechanisms::Answer;
using mechanisms::Release;
using nlohmann::json;

constexpr std::string_view kNoteBegins = R"({"answer_to":)";

json json_of_answer(const Answer& answer) {
  const auto& release = answer.release;
  json entry{{"value", release.value}, {"low", release.low}, {"high", release.high}};
  if (!answer.label.empty()) entry["label"] = answer.label;
  if (std::isfinite(release.standard_error)) entry["standard_error"] = release.standard_error;
  if (release.rank_error) entry["rank_error"] = *release.rank_error;
  return entry;
}

Answer answer_in(const json& entry) {
  Release release{entry.at("value").get<double>(),
                  entry.value("standard_error", std::numeric_limits<double>::quiet_NaN()),
                  entry.at("low").get<double>(), entry.at("high").get<double>()};
  if (entry.contains("rank_error")) release.rank_error = entry.at("rank_error").get<double>();
  return {entry.value("label", ""), release};
}

}  // namespace

std::string answer_note(std::int64_t query, const std::vector<Answer>& answers) {
  json entries = json::array();
  for (const auto& answer : answers) entries.push_back(json_of_answer(answer));
  return std::string(kNoteBegins) + std::to_string(query) + ",\"answers\":" + entries.dump() + "}";
}

std::optional<AnswerNote> read_answer_note(const std::string& note, const std::string& path) {
  if (!note.starts_with(kNoteBegins)) return std::nullopt;
  constexpr int kDepth = 4;
  try {
    const json read = parse_shallow_json(note, path, kDepth);
    AnswerNote found{read.at("answer_to").get<std::int64_t>(), {}};
    for (const auto& entry : read.at("answers")) found.answers.push_back(answer_in(entry));
    if (!found.answers.empty()) return found;
  } catch (const json::exception&) {
  }
  throw InvalidArgument(path + ": holds an answer that cannot be read");
}

}  // namespace sotto::queries
