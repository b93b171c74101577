#include "data/csv_table.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>

#include "core/atomic_file.h"
#include "data/csv.h"
#include "data/held_out_split.h"
#include "data/quoted_value.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

std::string_view trim(std::string_view value) {
  const auto first = value.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return value.substr(first, value.find_last_not_of(" \t") - first + 1);
}

// Where `value` stands in `values`, or their number.
std::size_t index_of(std::string_view value, const std::vector<std::string>& values) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

double parse_number(std::string_view value, const std::string& place) {
  const auto digits = value.starts_with('+') ? value.substr(1) : value;
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  check_argument(
      error == std::errc() && end == digits.data() + digits.size() && std::isfinite(number), place,
      ": ", quoted_value(value), " is not a finite number");
  return number;
}

void append_features(std::string_view value, const NumericColumn& column, const std::string& place,
                     std::vector<float>& features) {
  check_argument(!value.empty() || column.missing.has_value(), place,
                 ": no value; the schema may give one as \"missing\"");
  const double number = value.empty() ? *column.missing : parse_number(value, place);
  features.push_back(column.feature(number));
}

void append_features(std::string_view value, const CategoricalColumn& column,
                     const std::string& place, std::vector<float>& features) {
  if (value.empty() && column.missing) value = *column.missing;
  const std::size_t category = index_of(value, column.categories);
  check_argument(category < column.categories.size() || column.other, place, ": ",
                 quoted_value(value),
                 " is not a category of the schema; \"other\": true would allow it");
  for (std::size_t i = 0; i < column.categories.size(); ++i) {
    features.push_back(i == category ? 1.0F : 0.0F);
  }
}

// Which field of a row each column of the schema is.
struct Layout {
  std::size_t label = 0;
  std::vector<std::size_t> columns;
};

bool in_schema(const std::string& column, const CsvSchema& schema) {
  return column == schema.label || index_of(column, schema.dropped) < schema.dropped.size() ||
         std::any_of(schema.columns.begin(), schema.columns.end(),
                     [&](const auto& entry) { return entry.first == column; });
}

std::size_t position(const std::string& column, const std::vector<std::string>& header,
                     const std::string& place) {
  const auto count = std::count(header.begin(), header.end(), column);
  check_argument(count == 1, place, ": ", count, " columns are called ", quoted_value(column),
                 ", the schema needs one");
  return index_of(column, header);
}

Layout match_header(const std::vector<std::string>& header, const CsvSchema& schema,
                    const std::string& place) {
  for (const auto& column : header) {
    check_argument(in_schema(column, schema), place, ": column ", quoted_value(column),
                   " is not in the schema; statistics of private data would leak, so give "
                   "low and high or categories there, or drop the column with \"drop\"");
  }
  Layout layout{position(schema.label, header, place), {}};
  for (const auto& [column, rule] : schema.columns) {
    layout.columns.push_back(position(column, header, place));
  }
  return layout;
}

class TableReader {
 public:
  TableReader(std::istream& input, const std::string& name, const CsvSchema& schema)
      : rows_(input, name), schema_(schema) {
    check_argument(rows_.next(fields_), name, ": empty, must begin with a line of column names");
    for (auto& field : fields_) field = trim(field);
    layout_ = match_header(fields_, schema, rows_.place());
  }

  bool next() {
    if (!rows_.next(fields_)) return false;
    check_argument(!rows_.spans_lines(), rows_.place(),
                   ": a line break between quotes; a record must be one line, as queries count "
                   "them: replace the line break");
    return true;
  }
  bool is_held_out() const { return row_is_held_out(fields_); }

  void append_row_to(LabelledData& data) const {
    for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
      const auto& [column, rule] = schema_.columns[i];
      const auto value = trim(fields_[layout_.columns[i]]);
      const auto place = rows_.place() + ", column " + quoted_value(column);
      std::visit([&](const auto& kind) { append_features(value, kind, place, data.features); },
                 rule);
    }
    data.labels.push_back(label());
  }

 private:
  std::int64_t label() const {
    const auto value = trim(fields_[layout_.label]);
    const std::size_t index = index_of(value, schema_.classes);
    check_argument(index < schema_.classes.size(), rows_.place(), ", column ",
                   quoted_value(schema_.label), ": ", quoted_value(value),
                   " is not a class of the schema");
    return static_cast<std::int64_t>(index);
  }

  CsvReader rows_;
  const CsvSchema& schema_;
  Layout layout_;
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

LabelledData parse_csv_table(std::istream& input, const std::string& name,
                             const CsvSchema& schema) {
  TableReader table(input, name, schema);
  auto data = empty_table(schema);
  while (table.next()) table.append_row_to(data);
  return data;
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
