// Whose a record is, as the schema of a table declares it, and what ε promises to that person.
#pragma once

#include <cstdint>
#include <string>

#include "runs/run_record.h"

namespace sotto::runs {

// Declared and public. Whether the rows agree is not looked at: a refusal would be about them.
struct DeclaredPerson {
  std::string column = {};      // empty: the schema names none, or there is no schema
  std::int64_t group_size = 1;  // records that one person has, at most
  bool takes_groups = true;     // whether a larger group size could be asked for
  bool holds_out = false;       // whether records given are held out, which groups rule out
};

// The column that the schema names as the person; empty if it names none, or there is no text.
// Throws InvalidArgument as data::parse_csv_schema does.
std::string person_column(const std::string& schema_text);

// Of a run, as its settings and its plan have it. A schema that cannot be read names nobody.
DeclaredPerson declared_person(const RunRecord& run);

// That ε is about one row of those that the column says are one person's: half a sentence.
// REQUIRES: there is a column.
std::string one_row_alone(const std::string& column);

// The same for whoever is about to train, with what could be asked for instead, by the_setting():
// advice, which a finished run has no use for. Empty if the schema names no person, or a group size
// is given.
std::string person_warning(const DeclaredPerson& person);

// What the promise leaves out, or what it rests on, if a person has several records: a sentence.
// Empty if nothing was declared.
std::string person_limit(const DeclaredPerson& person);

}  // namespace sotto::runs
