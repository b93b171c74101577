#include <cctype>
#include <cstdlib>

#include "core/counted.h"
#include "core/percentage.h"
#include "report/board_pages.h"
#include "report/run_text.h"
#include "report/yaml_text.h"

namespace sotto::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kToFillIn = "TO BE FILLED IN";

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
  return text;
}

// Lower-case letters, digits and hyphens.
std::string slug_of(const BoardStatement& statement) {
  std::string slug;
  for (const char character : statement.dataset + "-" + statement.model + "-" + statement.subject +
                                  "-" + statement.day.substr(0, 4)) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x80U && std::isalnum(byte) != 0) {
      slug += static_cast<char>(std::tolower(byte));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

Json basic_fields(const BoardStatement& statement) {
  const bool generator = statement.subject == "generator";
  return {{"name", generator ? "Generator for " + statement.dataset
                             : statement.model + " model for " + statement.dataset},
          {"data_curators", {kToFillIn}},
          {"intended_use", kToFillIn},
          {"data_product_type", generator ? "Synthetic data" : "Machine learning model"},
          {"data_product_region", kToFillIn},
          {"description",
           headline(statement) + (statement.alarms.empty() ? "" : " " + joined(statement.alarms))},
          {"publication_date", statement.day.empty() ? kToFillIn : statement.day}};
}

// What the page shows, as a number: never below the promise.
double shown_number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

std::string belief_sentence(const BoardClaim& claim) {
  std::string text = claim.beliefs_explained + " Before and, at most, after:";
  for (const auto& [before, after] : claim.beliefs) {
    text += (&before == &claim.beliefs.front().before ? " " : ", ") + percentage(before, 0) +
            " and " + percentage(after, 1, Rounding::kUp);
  }
  return text + ".";
}

void add_variant(const BoardStatement& statement, Json& deployment) {
  const auto& claim = *statement.claim;
  deployment["dp_variant"] = {
      {"variant_name", claim.guarantee.delta > 0 ? "Approximate DP" : "Pure DP"},
      {"data_domain", "Lists of " + std::to_string(*statement.records) +
                          " records that the declared columns, categories and ranges allow."},
      {"unprotected_quantities",
       "The number of records; columns, categories and ranges; every setting of the run."}};
  const int group = claim.neighbours.group_size();
  deployment["privacy_loss"] = {
      {"privacy_unit",
       group == 1 ? "Record-level" : "Person-level, up to " + std::to_string(group) + " records"},
      {"privacy_unit_details", claim.protects},
      {"privacy_parameters",
       {{"epsilon", shown_number(epsilon_text(statement))},
        {"delta", shown_number(delta_text(statement))}}},
      {"privacy_parameters_details", claim.promise + " " + belief_sentence(claim)}};
}

std::string actors_text(const BoardStatement& statement) {
  std::string text;
  for (const auto& [who, sees] : statement.roles) text += "- " + who + ". May see: " + sees + "\n";
  return text;
}

void add_model(const BoardStatement& statement, Json& deployment) {
  const bool asked = statement.queries > 0;
  deployment["deployment_model"] = {
      {"model_name", "Central"},
      {"actors", actors_text(statement)},
      {"release_type", asked ? "Many releases" : "One release"},
      {"release_type_details",
       asked ? counted(statement.queries, "answer to a query was", "answers to queries were") +
                   " released besides, from the same budget."
             : "Further releases from the same records add to the privacy loss."},
      {"data_source_type", "Static"},
      {"access_type", asked ? "Interactive" : "Non-interactive"}};
}

void add_method(const BoardStatement& statement, Json& deployment) {
  const auto& claim = *statement.claim;
  deployment["accounting"] = {
      {"post_processing",
       statement.subject == "generator"
           ? "The generator and its samples are made from noised sums alone."
           : "The model is made from noised sums alone; averages and schedules are part of it."},
      {"composition", claim.accounting}};
  deployment["implementation"] = {
      {"preprocessing_and_hyperparameter_tuning",
       statement.one_of_several ? "This run is one of several on the same records. What choosing "
                                  "it costs is not in this "
                                  "ε: see the notes."
                                : "Not in this ε: settings and preprocessing must not have been "
                                  "chosen by looking at the "
                                  "records."},
      {"mechanisms", claim.method + " Implemented by sotto."}};
}

std::string sources_text(const BoardStatement& statement) {
  std::string text;
  if (!statement.ledger_hash.empty()) {
    text += "- Hash of the privacy ledger at the end of training: " + statement.ledger_hash + "\n";
  }
  for (const auto& [command, does] : board_commands(statement)) {
    text += std::string("- ") + command + ": " + does + "\n";
  }
  return text;
}

// What is wrong comes first. A comment ends with its line, so no text may end it.
std::string comment_lines(const BoardStatement& statement) {
  std::string text;
  for (const auto& alarm : statement.alarms) {
    std::string line = alarm;
    for (auto& character : line) {
      const auto byte = static_cast<unsigned char>(character);
      if (byte < 0x20U || byte == 0x7FU) character = ' ';
    }
    text += "# " + line + "\n";
  }
  return text + "# A draft for OpenDP's Deployments Registry. Replace every \"" + kToFillIn +
         "\".\n";
}

}  // namespace

std::string board_yaml(const BoardStatement& statement) {
  Json deployment = {{"basic", basic_fields(statement)}};
  if (statement.claim) {
    add_variant(statement, deployment);
    add_model(statement, deployment);
    add_method(statement, deployment);
  }
  deployment["administrative"] = {{"sources", sources_text(statement)},
                                  {"notes", joined(statement.limits)},
                                  {"registry_authors", {kToFillIn}}};
  return comment_lines(statement) + yaml_text({{"url_slug", slug_of(statement)},
                                               {"status", "Draft"},
                                               {"tier", statement.claim ? 3 : 1},
                                               {"deployment", deployment}});
}

}  // namespace sotto::report
