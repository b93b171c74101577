#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/flags.h"
#include "cli/schema_command.h"
#include "core/atomic_file.h"
#include "core/counted.h"
#include "data/check_json.h"
#include "data/csv_records.h"
#include "data/quoted_value.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchemaCheckExamples = R"(
Status 0 if nothing is wrong, 2 otherwise. What it says about rows is private: for those who hold the data.

Examples:
  sotto schema check --schema schema.json
  sotto schema check --schema schema.json patients.csv
)";
constexpr int kProblemsFound = 2;
constexpr std::size_t kShownOfAColumn = 5;

struct CheckedFiles {
  std::string schema;
  std::string table;  // empty: none
  data::SchemaCheck schema_check;
  std::optional<data::TableCheck> table_check;

  std::size_t problems() const {
    return schema_check.problems.size() + (table_check ? table_check->problems.size() : 0);
  }
};

// "line 3", "lines 3, 7", "lines 3, 7, 9, 12, 13 and 115 more".
std::string lines_text(const std::vector<std::int64_t>& lines) {
  constexpr std::size_t kShown = 5;
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(lines[i]);
  }
  return lines.size() <= kShown ? text
                                : text + " and " + std::to_string(lines.size() - kShown) + " more";
}

std::string column_text(const std::string& column) {
  return column.empty() ? "" : ", column " + data::quoted_value(column);
}

void print_schema_problems(const CheckedFiles& files) {
  for (const auto& problem : files.schema_check.problems) {
    std::cout << files.schema << ':' << problem.line << ':' << problem.character << ": "
              << (problem.column.empty() ? ""
                                         : "column " + data::quoted_value(problem.column) + ": ")
              << problem.text << '\n';
  }
}

// The first few of each column, and on how many lines there are others.
void print_table_problems(const std::string& table, const data::TableCheck& check) {
  std::map<std::string, std::size_t> shown;  // by column
  std::map<std::string, std::int64_t> others;
  for (const auto& [column, lines] : check.unlisted) others[column] = lines;
  for (const auto& problem : check.problems) {
    if (!problem.of_header && ++shown[problem.column] > kShownOfAColumn) {
      others[problem.column] += static_cast<std::int64_t>(problem.lines.size());
      continue;
    }
    std::cout << table << ", " << lines_text(problem.lines) << column_text(problem.column) << ": "
              << problem.text << '\n';
  }
  for (const auto& [column, lines] : others) {
    std::cout << table << column_text(column) << ": ... and " << counted(lines, "more line")
              << " with other problems (--json lists up to " << data::TableCheck::kMostListed
              << " of a column)\n";
  }
}

// Nothing if there were no rows to count.
void print_person(const std::string& table, const data::TableCheck::PersonRows& person) {
  if (person.most == 0 && person.without == 0) return;
  std::cout << table << column_text(person.column) << ": at most " << counted(person.most, "row")
            << " per person";
  if (person.without > 0) std::cout << ", and " << counted(person.without, "row") << " of nobody";
  if (person.most > 1) {
    std::cout << "; --group-size K, which is published, covers everybody unless K is smaller";
  }
  std::cout << '\n';
}

void print_table_check(const std::string& table, const data::TableCheck& check) {
  print_table_problems(table, check);
  for (const auto& clamped : check.clamped) {
    std::cout << table << ", " << lines_text(clamped.lines) << column_text(clamped.column)
              << ": outside the declared range, whose end will stand for it (allowed)\n";
  }
  if (check.person) print_person(table, *check.person);
}

void print_sum(const CheckedFiles& files) {
  const auto count = files.problems();
  const bool some_unlisted = files.table_check && !files.table_check->unlisted.empty();
  std::cout << (count == 0 ? "No problems"
                           : (some_unlisted ? "More than " : "") + counted(count, "problem"));
  if (files.table_check) std::cout << " in " << counted(files.table_check->rows, "row");
  std::cout << ".\n";
}

void print_check(const CheckedFiles& files) {
  print_schema_problems(files);
  if (files.table_check) print_table_check(files.table, *files.table_check);
  print_sum(files);
  if (files.table_check) std::cout << data::kRowsArePrivate << '\n';
}

void print_check_json(const CheckedFiles& files) {
  Json object{
      {"ok", files.problems() == 0},
      {"schema", {{"file", files.schema}, {"problems", data::problems_json(files.schema_check)}}}};
  if (files.table_check) object["table"] = data::table_check_json(*files.table_check, files.table);
  std::cout << object.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

int schema_check(const Arguments& arguments) {
  FlagSet app("Lists everything that is wrong with a schema, and with a table described by it.",
              "sotto schema check");
  CheckedFiles files;
  FlagText table;
  bool json = false;
  app.add_option("--schema FILE", files.schema, "the schema file").required();
  app.add_option("TABLE", table, "a CSV file to check against it");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kSchemaCheckExamples);
  if (!app.parse(arguments)) return 0;
  files.schema_check =
      data::check_schema(read_file(file_flag("--schema", files.schema)), files.schema);
  if (table) {
    files.table = file_flag("TABLE", *table);
    auto input = data::open_csv_file(files.table);
    files.table_check = data::check_table(input, files.schema_check.reading);
  }
  if (json) {
    print_check_json(files);
  } else {
    print_check(files);
  }
  return files.problems() == 0 ? 0 : kProblemsFound;
}

}  // namespace sotto::cli
