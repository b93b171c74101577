#include "cli/query_answers.h"

#include <algorithm>
#include <cmath>

#include "cli/query_digits.h"
#include "cli/text_layout.h"
#include "core/printed_number.h"

namespace sotto::cli {

namespace {

using mechanisms::Release;
using Json = nlohmann::ordered_json;

bool is_whole(const ShownAnswers& shown) {
  return shown.action == "count" || shown.action == "histogram" || shown.action == "table";
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

std::string single_text(const ShownAnswers& shown) {
  const auto& release = shown.answers.front().release;
  return labelled_paragraph(
      "Answer", value_text(shown, release) + " (" + interval_text(shown, release) + " with 95 %)");
}

std::size_t widest(const std::vector<std::string>& texts, const std::string& heading) {
  std::size_t width = display_width(heading);
  for (const auto& text : texts) width = std::max(width, display_width(text));
  return width;
}

std::string list_text(const ShownAnswers& shown) {
  const std::size_t width = widest(shown.parts, shown.by);
  std::string text = padded(shown.by, width) + "  " + padded(shown.action, 14) + "  with 95 %\n";
  for (const auto& [label, release] : shown.answers) {
    text += padded(label, width) + "  " + padded(value_text(shown, release), 14) + "  " +
            interval_text(shown, release) + '\n';
  }
  return text + '\n';
}

std::string line_of(const std::string& label, std::size_t width,
                    const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line = padded(label, width);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += "  " + (i + 1 < cells.size() ? padded(cells[i], widths[i]) : cells[i]);
  }
  return line + '\n';
}

// A line for each part of the first column, with the parts of the second beside each other.
std::string table_text(const ShownAnswers& shown) {
  const std::size_t across = shown.across_parts.size();
  const std::string corner = shown.by + " \\ " + shown.across;
  std::vector<std::size_t> widths;
  for (const auto& name : shown.across_parts)
    widths.push_back(std::max<std::size_t>(8, display_width(name)));
  const std::size_t width = widest(shown.parts, corner);
  std::string text = line_of(corner, width, shown.across_parts, widths);
  for (std::size_t row = 0; row < shown.parts.size(); ++row) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < across; ++i) {
      cells.push_back(value_text(shown, shown.answers[row * across + i].release));
    }
    text += line_of(shown.parts[row], width, cells, widths);
  }
  const auto& first = shown.answers.front().release;
  return text + '\n' +
         labelled_paragraph("Each",
                            "± " + with_decimals(first.high - first.value, 0) + " with 95 %");
}

Json release_json(const ShownAnswers& shown, const Release& release) {
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

Json label_json(const ShownAnswers& shown, std::size_t index) {
  if (shown.across.empty()) return {{"label", shown.answers[index].label}};
  const std::size_t across = shown.across_parts.size();
  return {{"labels", {shown.parts[index / across], shown.across_parts[index % across]}}};
}

}  // namespace

ShownAnswers shown_answers(const QueryRequest& request, std::vector<mechanisms::Answer> answers) {
  return {request.action,
          request.query.by,
          request.query.across,
          mechanisms::labels(request.query.parts),
          mechanisms::labels(request.query.across_parts),
          std::move(answers)};
}

ShownAnswers shown_answers(const queries::PastQuery& past) {
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

std::string answers_text(const ShownAnswers& shown) {
  if (shown.parts.empty()) return single_text(shown);
  return shown.across.empty() ? list_text(shown) : table_text(shown);
}

void add_answers(const ShownAnswers& shown, Json& json) {
  if (shown.parts.empty()) {
    json["answer"] = release_json(shown, shown.answers.front().release);
    return;
  }
  if (shown.across.empty()) {
    json["by"] = shown.by;
  } else {
    json["columns"] = {shown.by, shown.across};
  }
  json["answers"] = Json::array();
  for (std::size_t i = 0; i < shown.answers.size(); ++i) {
    Json entry = label_json(shown, i);
    entry.update(release_json(shown, shown.answers[i].release));
    json["answers"].push_back(entry);
  }
}

}  // namespace sotto::cli
