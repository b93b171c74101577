#include "data/schema_check.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/counted.h"
#include "data/column_inputs.h"
#include "data/csv.h"
#include "data/csv_table.h"
#include "data/json_places.h"
#include "data/quoted_value.h"
#include "data/table_header.h"
#include "sotto/core/error.h"

namespace sotto::data {
namespace {

// The entry of the column, which is added if there is none.
template <typename Entry>
Entry& entry_of(const std::string& column, std::vector<Entry>& entries) {
  const auto known = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.column == column; });
  if (known != entries.end()) return *known;
  entries.emplace_back().column = column;
  return entries.back();
}

class TableChecker {
 public:
  explicit TableChecker(const SchemaReading& reading)
      : schema_(reading.schema), unread_(reading.unread) {}

  TableCheck check(std::istream& input) {
    std::string text;
    while (std::getline(input, text)) {
      ++line_;
      if (!input.eof()) text += '\n';
      if (!read_fields(text)) continue;
      if (width_ == 0) {
        check_header();
      } else {
        check_row();
      }
    }
    if (width_ == 0) complain({}, "empty, must begin with a line of column names");
    if (width_ != 0 && result_.rows == 0) complain({}, "no rows under the line of column names");
    return std::move(result_);
  }

 private:
  void complain(const std::string& column, const std::string& text, bool of_header = false) {
    auto entry = known_.find({column, text});
    if (entry == known_.end()) {
      if (!of_header && listed_[column]++ >= TableCheck::kMostListed) {
        ++entry_of(column, result_.unlisted).lines;
        return;
      }
      entry = known_.emplace(std::pair{column, text}, result_.problems.size()).first;
      result_.problems.push_back({column, text, {}, of_header});
    }
    result_.problems[entry->second].lines.push_back(std::max<std::int64_t>(line_, 1));
  }

  // False if the line holds no record.
  bool read_fields(const std::string& text) {
    std::istringstream input(text);
    try {
      CsvReader reader(input, "", schema_.format.separator, line_);
      return reader.next(fields_);
    } catch (const InvalidArgument& error) {
      const std::string message = error.what();
      const auto words = message.substr(message.find(": ") + 2);
      const bool open = words == "a quote that is never closed";
      complain({},
               open ? "a quote that is not closed in its line; a record must be one line" : words);
      if (width_ != 0) ++result_.rows;
      return false;
    }
  }

  void check_header() {
    width_ = fields_.size();
    for (auto& field : fields_) field = trimmed_field(field);
    for (const auto& text : header_problems(fields_, schema_, RowsFor::kTraining, unread_)) {
      complain({}, text, /*of_header=*/true);
    }
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(fields_.begin(), fields_.end(), name) -
                                      fields_.begin());
    };
    label_ = schema_.classes.empty() ? width_ : place(schema_.label);
    for (const auto& [name, rule] : schema_.columns) places_.push_back(place(name));
    person_ = schema_.person.empty() ? width_ : place(schema_.person);
    if (person_ < width_) result_.person = {.column = schema_.person};
  }

  void check_row() {
    ++result_.rows;
    if (fields_.size() != width_) {
      complain({}, detail::join_message(counted(fields_.size(), "field"), ", must be ", width_,
                                        " as in the first line"));
      return;
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i] < width_)
        check_field(schema_.columns[i].first, schema_.columns[i].second, fields_[places_[i]]);
    }
    if (result_.person) count_row_of(std::string(trimmed_field(fields_[person_])));
    if (label_ >= width_) return;
    const auto value = trimmed_field(fields_[label_]);
    if (!label_index(value, schema_)) complain(schema_.label, not_a_class(value));
  }

  void check_field(const std::string& column, const ColumnRule& rule, const std::string& field) {
    features_.clear();
    if (const auto wrong = append_inputs(field, rule, schema_.format, features_)) {
      complain(column, *wrong);
    } else if (is_clamped(field, rule, schema_.format)) {
      entry_of(column, result_.clamped).lines.push_back(line_);
    }
  }

  void count_row_of(const std::string& person) {
    if (is_missing(person, schema_.format)) {
      ++result_.person->without;
    } else {
      result_.person->most = std::max(result_.person->most, ++rows_of_[person]);
    }
  }

  const CsvSchema& schema_;
  const std::vector<std::string>& unread_;
  TableCheck result_;
  std::map<std::pair<std::string, std::string>, std::size_t> known_;
  std::map<std::string, std::size_t> listed_;  // problems of a column in its rows
  std::unordered_map<std::string, std::int64_t> rows_of_;
  std::int64_t line_ = 0;
  std::size_t width_ = 0;  // 0 before the names
  std::size_t label_ = 0;
  std::size_t person_ = 0;
  std::vector<std::size_t> places_;  // of the schema's columns; the width where there is none
  std::vector<std::string> fields_;
  std::vector<float> features_;
};

}  // namespace

SchemaCheck check_schema(std::string_view text, const std::string& name) {
  const auto json = parse_shallow_json(text, name, kSchemaDepth);
  const JsonPlaces places(text);
  SchemaCheck check{read_schema(json), {}};
  for (const auto& problem : check.reading.problems) {
    const auto place = places.of(problem.path);
    check.problems.push_back(
        {place.line, place.column, problem.column, problem.text, problem.to_declare});
  }
  for (const auto& repeated : places.repeated()) {
    check.problems.push_back({repeated.place.line,
                              repeated.place.column,
                              {},
                              quoted_value(repeated.path.back()) + " is given twice",
                              false});
  }
  std::stable_sort(
      check.problems.begin(), check.problems.end(), [](const auto& one, const auto& other) {
        return std::tie(one.line, one.character) < std::tie(other.line, other.character);
      });
  return check;
}

TableCheck check_table(std::istream& input, const SchemaReading& schema) {
  return TableChecker(schema).check(input);
}

}  // namespace sotto::data
