#include "runs/declared_person.h"

#include <nlohmann/json.hpp>

#include "core/sentence.h"
#include "data/csv_schema.h"
#include "mechanisms/printable.h"
#include "runs/json_file.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

std::string named(const std::string& column) {
  return "column '" + mechanisms::printable(column) + "'";
}

std::string group_assumption(const DeclaredPerson& person) {
  const auto whom = person.column.empty()
                        ? "a person"
                        : "all records of one person (" + named(person.column) + ")";
  return "It holds for " + whom + " as long as nobody has more than " +
         std::to_string(person.group_size) +
         " records in the data, which was declared and not checked.";
}

std::string advice_on_groups(const DeclaredPerson& person) {
  const auto instead =
      " (with " + the_setting("csv_test") + " FILE or " + the_setting("held_out_epsilon") + " 0)";
  return "; " + the_setting("group_size") + " K" + (person.holds_out ? instead : "") +
         " promises it for all rows of everybody who has at most K";
}

std::string readable_person_column(const std::string& schema_text) {
  try {
    return person_column(schema_text);
  } catch (const InvalidArgument&) {
    return "";
  }
}

}  // namespace

std::string person_column(const std::string& schema_text) {
  return schema_text.empty() ? "" : data::parse_csv_schema(schema_text, "the run's schema").person;
}

DeclaredPerson declared_person(const RunRecord& run) {
  const auto plan = run.plan();
  const auto data = run.config().find("data");
  const bool apart = run.is_generator() && data != run.config().end();
  return {.column = readable_person_column(text_in(apart ? *data : run.config(), "schema_text")),
          .group_size = plan ? plan->options().group_size : 1};
}

std::string one_row_alone(const std::string& column) {
  return "the schema names " + named(column) +
         " as the person, but ε protects one row: somebody with k rows has the weaker promise of k "
         "rows";
}

std::string person_warning(const DeclaredPerson& person) {
  if (person.column.empty() || person.group_size > 1) return "";
  return one_row_alone(person.column) + (person.takes_groups ? advice_on_groups(person) : "");
}

std::string person_limit(const DeclaredPerson& person) {
  if (person.group_size > 1) return group_assumption(person);
  return person.column.empty() ? "" : as_sentence(one_row_alone(person.column));
}

}  // namespace sotto::runs
