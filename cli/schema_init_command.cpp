#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/schema_command.h"
#include "cli/schema_flags.h"
#include "cli/schema_questions.h"
#include "cli/terminal_questions.h"
#include "cli/text_layout.h"
#include "core/atomic_file.h"
#include "data/csv_records.h"
#include "data/header_draft.h"
#include "data/public_sample.h"
#include "data/quoted_value.h"
#include "data/shared_files.h"
#include "data/table_header.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;
using data::SchemaDraft;

constexpr const char* kSchemaInitExamples = R"(
Of the table, its first line is read and nothing else: ranges and categories are what you say, or those
of a public sample. In a terminal it asks about what the flags leave open; elsewhere such columns appear
in the schema as "?", and `sotto schema check` names them.

Examples:
  sotto schema init patients.csv -o schema.json
  sotto schema init patients.csv --id patient --integer age=0:120 --number bmi=10:60 --missing bmi \
      --category sex=f,m --date admitted=2020-01-01:2026-12-31 --label outcome=no,yes -o schema.json
  sotto schema init patients.csv --public-sample published.csv --label outcome -o schema.json
)";

struct SchemaInitRequest {
  std::string table;
  FlagText separator, sample, output;
  SchemaFlags columns;
  bool ask = false;
  bool json = false;
};

char recognised_separator(const std::string& table) {
  std::string first_line;
  auto input = data::open_csv_file(table);
  std::getline(input, first_line);
  const auto separator = data::separator_of(first_line);
  if (separator) return *separator;
  throw UsageError("TABLE '" + table + "': " +
                   (data::shows_separators(first_line)
                        ? "its first line has as many of one separator as of another; accepted: "
                          "--separator comma, semicolon or tab"
                        : "its first line is one column name, without commas, semicolons or tabs, "
                          "and a schema is about a label and inputs; accepted: more columns, or "
                          "--separator to have it all the same"));
}

void check_values_are_utf8(const SchemaDraft& draft, const SchemaInitRequest& request) {
  const auto check = [](const std::vector<std::string>& values, const std::string& whose) {
    if (std::all_of(values.begin(), values.end(), data::is_utf8)) return;
    throw UsageError(whose + " are not UTF-8; accepted: UTF-8");
  };
  check(draft.format.missing_values, "--missing-values: values");
  for (const auto& column : draft.columns) {
    const std::string flag = column.from_sample
                                 ? "--public-sample '" + request.sample.value_or("") + "'"
                             : column.role == data::ColumnRole::kLabel ? "--label"
                                                                       : "--category";
    check(column.values, flag + ": values of column " + data::quoted_value(column.name));
  }
}

void use_sample(const std::string& sample, const std::string& table, SchemaDraft& draft) {
  file_flag("--public-sample", sample);
  if (data::share_a_file(sample, table)) {
    throw UsageError("--public-sample '" + sample +
                     "': the table itself; expected rows that are public");
  }
  data::complete_from_sample_file(sample, draft);
}

// The answers are for one draft: half of them are no schema.
void ask_about_rest(SchemaDraft& draft) {
  try {
    ask_about_columns(draft);
  } catch (const UsageError& error) {
    throw UsageError(std::string("nothing was written: ") + error.what());
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void print_init_json(const SchemaInitRequest& request, const SchemaDraft& draft) {
  Json sampled = Json::array();
  for (const auto& column : draft.columns) {
    if (column.from_sample) sampled.push_back(column.name);
  }
  const Json object{{"table", request.table},
                    {"output", request.output ? Json(*request.output) : Json(nullptr)},
                    {"separator", std::string(1, draft.format.separator)},
                    {"from_public_sample", sampled},
                    {"to_declare", draft.to_declare()},
                    {"schema", Json::parse(draft.json())}};
  std::cout << object.dump(2) << '\n';
}

// The schema itself goes to standard output where no file is to hold it, and the words beside it.
void print_init(const SchemaInitRequest& request, const SchemaDraft& draft) {
  if (!request.output) std::cout << draft.json();
  auto& words = request.output ? std::cout : std::cerr;
  if (request.output) words << labelled_paragraph("Written", *request.output);
  words << labelled_paragraph("Columns", std::to_string(draft.columns.size()) + ", separated by " +
                                             data::separator_name(draft.format.separator));
  if (draft.format.separator == ';' && !draft.format.says_decimal) {
    words << labelled_paragraph("Decimals",
                                "taken to be points; declare them by --decimal comma or "
                                "--decimal point, which sotto query requires here");
  }
  if (!draft.note.empty()) words << labelled_paragraph("Sample", draft.note);
  const auto open = draft.to_declare();
  if (!open.empty()) {
    words << labelled_paragraph("To declare", joined(open) + " (\"?\" in the schema)");
  }
}

}  // namespace

int schema_init(const Arguments& arguments) {
  FlagSet app("Writes a schema from a table's column names and what you say about them.",
              "sotto schema init");
  SchemaInitRequest request;
  app.add_option("TABLE", request.table, "the CSV file; only its first line is read").required();
  request.columns.declare(app);
  app.add_option("--separator comma|semicolon|tab", request.separator,
                 "between fields (default: what the first line shows)");
  app.add_option("--public-sample FILE", request.sample,
                 "CSV file with rows that are public: what is not declared is taken from them");
  app.add_option("-o,--output FILE", request.output, "the schema file (default: print it)")
      .writes();
  app.add_flag("--ask", request.ask, "ask about the other columns even if this is not a terminal");
  app.add_flag("--json", request.json, "print one JSON object");
  app.footer(kSchemaInitExamples);
  if (!app.parse(arguments)) return 0;
  file_flag("TABLE", request.table);
  const char separator = request.separator ? separator_flag("--separator", *request.separator)
                                           : recognised_separator(request.table);
  auto draft = data::draft_from_header(request.table, separator);
  apply(request.columns, request.sample.has_value(), draft);
  if (request.sample) use_sample(*request.sample, request.table, draft);
  check_values_are_utf8(draft, request);
  const bool ask = request.ask || (can_ask() && !request.json);
  if (ask && !draft.to_declare().empty()) ask_about_rest(draft);
  const auto mistake = draft.mistake();
  if (!mistake.empty()) throw UsageError(mistake);
  if (request.output) write_file_atomically(*request.output, draft.json());
  if (request.json) {
    print_init_json(request, draft);
  } else {
    print_init(request, draft);
  }
  return 0;
}

}  // namespace sotto::cli
