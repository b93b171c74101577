#include "data/csv_table.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "core/atomic_file.h"
#include "data/column_inputs.h"
#include "data/csv.h"
#include "data/held_out_split.h"
#include "data/quoted_value.h"
#include "data/table_header.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

class TableReader {
 public:
  TableReader(std::istream& input, const std::string& name, const CsvSchema& schema,
              RowsFor purpose = RowsFor::kTraining)
      : rows_(input, name, schema.format.separator), schema_(schema) {
    check_argument(rows_.next(fields_), name, ": empty, must begin with a line of column names");
    for (auto& field : fields_) field = trimmed_field(field);
    const auto problems = header_problems(fields_, schema, purpose);
    if (!problems.empty()) throw InvalidArgument(rows_.place() + ": " + problems.front());
    layout_ = layout_of(fields_, schema);
  }

  bool next() {
    if (!rows_.next(fields_)) return false;
    check_argument(!rows_.spans_lines(), rows_.place(), ": ", kSpansLines);
    return true;
  }
  bool is_held_out() const { return row_is_held_out(fields_); }

  void append_row_to(LabelledData& data) const {
    append_features_to(data.features);
    const auto value = trimmed_field(fields_[*layout_.label]);
    const auto label = label_index(value, schema_);
    if (!label) refuse(schema_.label, not_a_class(value));
    data.labels.push_back(*label);
  }

  void append_features_to(std::vector<float>& features) const {
    for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
      const auto& [column, rule] = schema_.columns[i];
      const auto wrong = append_inputs(fields_[layout_.columns[i]], rule, schema_.format, features);
      if (wrong) refuse(column, *wrong);
    }
  }

  // Of the line read last: the names, or a row's fields.
  std::vector<std::string> carried() const {
    std::vector<std::string> values;
    for (const auto place : layout_.carried) {
      values.emplace_back(trimmed_field(fields_[place]));
    }
    return values;
  }

 private:
  [[noreturn]] void refuse(const std::string& column, const std::string& why) const {
    throw InvalidArgument(rows_.place() + ", column " + quoted_value(column) + ": " + why);
  }

  CsvReader rows_;
  const CsvSchema& schema_;
  TableLayout layout_;
  std::vector<std::string> fields_;
};

LabelledData empty_table(const CsvSchema& schema) {
  return {{}, {}, {schema.feature_count()}, schema.classes};
}

std::ifstream open_table(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw FileError(path, "a folder, must be a CSV file");
  std::ifstream input(path, std::ios::binary);
  if (!input) throw FileError(path, "cannot open", errno);
  return input;
}

}  // namespace

std::optional<std::int64_t> label_index(std::string_view field, const CsvSchema& schema) {
  const auto& classes = schema.classes;
  const auto found = std::find(classes.begin(), classes.end(), field);
  if (found == classes.end()) return std::nullopt;
  return found - classes.begin();
}

std::string not_a_class(std::string_view field) {
  return quoted_value(field) + " is not a class of the schema";
}

LabelledData parse_csv_table(std::istream& input, const std::string& name,
                             const CsvSchema& schema) {
  TableReader table(input, name, schema);
  auto data = empty_table(schema);
  while (table.next()) table.append_row_to(data);
  return data;
}

RowsToPredict parse_rows_to_predict(std::istream& input, const std::string& name,
                                    const CsvSchema& schema) {
  TableReader table(input, name, schema, RowsFor::kPrediction);
  RowsToPredict rows{{}, {schema.feature_count()}, table.carried(), {}};
  while (table.next()) {
    table.append_features_to(rows.features);
    rows.carried.push_back(table.carried());
  }
  return rows;
}

TrainTest read_csv(const std::filesystem::path& train, const std::filesystem::path& test,
                   const CsvSchema& schema) {
  auto train_input = open_table(train);
  auto test_input = open_table(test);
  TrainTest data{parse_csv_table(train_input, train.string(), schema),
                 parse_csv_table(test_input, test.string(), schema), train.string()};
  data.validate();
  return data;
}

TrainTest read_csv(const std::filesystem::path& path, const CsvSchema& schema, HeldOut held_out) {
  auto input = open_table(path);
  TableReader table(input, path.string(), schema);
  TrainTest data{empty_table(schema), empty_table(schema), path.string(), TestPart::kHeldOut};
  const bool some = held_out == HeldOut::kOneInSix;
  while (table.next()) {
    table.append_row_to(some && table.is_held_out() ? data.test : data.train);
  }
  data.validate();
  return data;
}

}  // namespace sotto::data
