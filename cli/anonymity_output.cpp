#include "cli/anonymity_output.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/text_layout.h"
#include "core/counted.h"
#include "core/csv_field.h"
#include "core/printed_number.h"
#include "mechanisms/printable.h"

namespace sotto::cli {

namespace {

using anonymity::Anonymised;
using anonymity::Group;
using anonymity::Measures;
using anonymity::Requirements;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostGroups = 20;  // listed in the text; JSON has all

constexpr const char* kNotProtected =
    "None of this is differential privacy. It does not protect against somebody who knows more "
    "about a person than the quasi-identifiers named here, who can tell which values a group "
    "excludes or makes likely, or who has another release of the same records to compare with. "
    "Where a group has one sensitive value, that value is known of everyone in it (ℓ = 1). Whether "
    "a person is in the table at all is not hidden.";

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// Values of the table, each no longer than a glance.
std::string shown_values(const std::vector<std::string>& values) {
  std::string text;
  for (const auto& value : values)
    text += (text.empty() ? "" : ", ") + mechanisms::at_a_glance(value);
  return text;
}

std::vector<const Group*> failing_groups(const Measures& measures, const Requirements& needed) {
  std::vector<const Group*> failing;
  for (const auto& group : measures.groups) {
    if (!failures(group, needed).empty()) failing.push_back(&group);
  }
  return failing;
}

std::string measures_text(const Measures& measures) {
  std::string text = labelled_paragraph("Table", counted(measures.rows, "row") + " in " +
                                                     counted(measures.groups.size(), "group") +
                                                     " of equal quasi-identifiers");
  text += labelled_paragraph("k", std::to_string(measures.k) + " (rows in the smallest group)");
  text += labelled_paragraph("ℓ", std::to_string(measures.distinct) +
                                      " (different sensitive values in the least varied group), "
                                      "by entropy " +
                                      significant(measures.entropy, 4));
  text += labelled_paragraph(
      "t", significant(measures.closeness, 4) +
               " (distance of the most unusual group from the whole table; " +
               (measures.ordered ? "ordered numbers)" : "values all equally far apart)"));
  return text;
}

std::string failing_text(const Measures& measures, const Requirements& needed) {
  if (!needed.any()) return "";
  const auto failing = failing_groups(measures, needed);
  if (failing.empty()) return labelled_paragraph("Holds", "every group has what is required");
  std::string text =
      labelled_paragraph("Fails", std::to_string(failing.size()) + " of " +
                                      counted(measures.groups.size(), "group") + ":");
  for (std::size_t i = 0; i < failing.size() && i < kMostGroups; ++i) {
    text += "            " + shown_values(failing[i]->quasi) + ": " +
            joined(failures(*failing[i], needed)) + '\n';
  }
  if (failing.size() > kMostGroups) {
    text += "            and " + std::to_string(failing.size() - kMostGroups) + " more (--json)\n";
  }
  return text;
}

Json group_json(const Group& group, const Requirements& needed) {
  return {{"quasi", group.quasi},       {"k", group.size},      {"l", group.distinct},
          {"entropy_l", group.entropy}, {"t", group.closeness}, {"lacks", failures(group, needed)}};
}

Json measures_json(const Measures& measures, const Requirements& needed) {
  Json json;
  json["rows"] = measures.rows;
  json["groups"] = measures.groups.size();
  json["k"] = measures.k;
  json["l"] = measures.distinct;
  json["entropy_l"] = measures.entropy;
  json["t"] = measures.closeness;
  json["ordered"] = measures.ordered;
  const auto failing = failing_groups(measures, needed);
  json["holds"] = failing.empty();
  json["failing"] = Json::array();
  for (const auto* group : failing) json["failing"].push_back(group_json(*group, needed));
  json["not_protected"] = kNotProtected;
  return json;
}

// Values may be any bytes; what is not UTF-8 is replaced.
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

// An empty value is quoted as well: a line of nothing else would be an empty line.
std::string released_field(const std::string& value, char separator) {
  return value.empty() ? R"("")" : csv_field(value, separator);
}

}  // namespace

std::string anonymity_text(const AnonymityRequest& request, const Measures& measures) {
  return measures_text(measures) + failing_text(measures, request.options.requirements) +
         labelled_paragraph("Beware", kNotProtected);
}

std::string anonymity_json(const AnonymityRequest& request, const Measures& measures) {
  return dumped(measures_json(measures, request.options.requirements));
}

std::string release_text(const AnonymityRequest& request, const Anonymised& released) {
  std::string how;
  for (std::size_t i = 0; i < released.levels.size(); ++i) {
    how += (i == 0 ? "" : ", ") + request.quasi[i] + " by " + std::to_string(released.levels[i]) +
           " of " + counted(request.options.ladders[i].height(), "step");
  }
  return labelled_paragraph("Written", *request.release) + labelled_paragraph("Generalised", how) +
         labelled_paragraph("Left out",
                            std::to_string(released.suppressed) + " of " +
                                counted(released.measures.rows + released.suppressed, "row") +
                                ", and every column but " + joined(released.table.columns)) +
         measures_text(released.measures) + labelled_paragraph("Beware", kNotProtected);
}

std::string release_json(const AnonymityRequest& request, const Anonymised& released) {
  Json json;
  json["release"] = *request.release;
  json["levels"] = Json::object();
  for (std::size_t i = 0; i < released.levels.size(); ++i) {
    json["levels"][request.quasi[i]] = released.levels[i];
  }
  json["suppressed"] = released.suppressed;
  json.update(measures_json(released.measures, request.options.requirements));
  return dumped(json);
}

std::string csv_text(const anonymity::Table& table, char separator) {
  std::string text;
  const auto append = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) text += separator;
      text += released_field(fields[i], separator);
    }
    text += '\n';
  };
  append(table.columns);
  for (const auto& row : table.rows) append(row);
  return text;
}

}  // namespace sotto::cli
