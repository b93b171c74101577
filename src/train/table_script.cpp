#include "train/table_script.h"

#include <vector>

#include "core/csv_field.h"
#include "sotto/core/error.h"

namespace sotto::train {
namespace {

constexpr char kUnit = '\x1f';
constexpr char kRecord = '\x1e';

using Fields = std::vector<std::string>;

const char* bit(bool value) { return value ? "1" : "0"; }

// offset, factor, shift and bound of (x - offset) * factor + shift, clamped to ±bound.
Fields scale_fields(const data::RangeScale& scale) {
  return {exact_number(scale.low), exact_number(2 / (scale.high - scale.low)), "-1", "1"};
}

Fields scale_fields(const data::StandardScale& scale) {
  return {exact_number(scale.mean), exact_number(1 / scale.deviation), "0", "10"};
}

const char* kind_name(data::NumberKind kind) {
  switch (kind) {
    case data::NumberKind::kNumber:
      return "number";
    case data::NumberKind::kInteger:
      return "integer";
    case data::NumberKind::kDate:
      return "date";
  }
  return "";
}

Fields fields_of_column(const data::NumericColumn& column) {
  Fields fields{kind_name(column.kind), bit(column.indicator), bit(column.missing.has_value()),
                exact_number(column.missing.value_or(0))};
  const auto scale = std::visit([](const auto& one) { return scale_fields(one); }, column.scale);
  fields.insert(fields.end(), scale.begin(), scale.end());
  return fields;
}

Fields fields_of_column(const data::CategoricalColumn& column) {
  Fields fields{"category", bit(column.indicator), bit(column.missing.has_value()),
                column.missing.value_or(""), bit(column.other)};
  fields.insert(fields.end(), column.categories.begin(), column.categories.end());
  return fields;
}

std::string joined(const Fields& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    check_argument(
        fields[i].find(kUnit) == std::string::npos && fields[i].find(kRecord) == std::string::npos,
        "a name in the schema holds a control character");
    text += (i == 0 ? "" : std::string(1, kUnit)) + fields[i];
  }
  return text;
}

}  // namespace

std::string table_text(const data::CsvSchema& schema) {
  Fields head{std::string(1, schema.format.decimal)};
  head.insert(head.end(), schema.format.missing_values.begin(), schema.format.missing_values.end());
  std::string text{kUnit, kRecord};
  text += joined(head);
  for (const auto& [name, rule] : schema.columns) {
    Fields fields{name};
    const auto rest = std::visit([](const auto& one) { return fields_of_column(one); }, rule);
    fields.insert(fields.end(), rest.begin(), rest.end());
    text += kRecord + joined(fields);
  }
  return text;
}

// The calendar's arithmetic counts years from March, in eras of 400. No name may begin with "in":
// some releases of LibTorch read "not indicator" as "not in dicator".
const char* const kTableScript = R"(
def field_days(self, text: str) -> float:
    good = len(text) == 10 and text[4:5] == "-" and text[7:8] == "-" and text.replace("-", "").isdigit()
    if not good:
        assert False, "'" + text + "' is not a date, written as 2024-12-31"
    year = int(text[0:4])
    month = int(text[5:7])
    day = int(text[8:10])
    days = 31
    if month == 2:
        days = 28
        if (year % 4 == 0 and year % 100 != 0) or year % 400 == 0:
            days = 29
    if month == 4 or month == 6 or month == 9 or month == 11:
        days = 30
    if month < 1 or month > 12 or day < 1 or day > days:
        assert False, "'" + text + "' is not a date, written as 2024-12-31"
    if month <= 2:
        year = year - 1
        month = month + 12
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month - 3) + 2) // 5 + day - 1
    return float(era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468)

def field_number(self, text: str, kind: str, decimal: str) -> float:
    if kind == "date":
        return self.field_days(text)
    plain = text
    if decimal != ".":
        plain = text.replace(".", "?").replace(decimal, ".")
    body = plain.lower()
    if body.startswith("+") or body.startswith("-"):
        body = body[1:]
    parts = body.split("e")
    good = len(parts) <= 2 and parts[0].replace(".", "", 1).isdigit()
    if len(parts) == 2:
        power = parts[1]
        if power.startswith("+") or power.startswith("-"):
            power = power[1:]
        good = good and power.isdigit()
    if not good:
        assert False, "'" + text + "' is not a number"
    number = float(plain)
    if kind == "integer" and number != float(int(number)):
        assert False, "'" + text + "' is not a whole number"
    return number

def row_inputs(self, row: Dict[str, str]) -> List[float]:
    unit = self.table_text[0:1]
    columns = self.table_text[2:].split(self.table_text[1:2])
    head = columns[0].split(unit)
    inputs: List[float] = []
    for i in range(1, len(columns)):
        column = columns[i].split(unit)
        name = column[0]
        kind = column[1]
        if not (name in row):
            assert False, "the row has no column '" + name + "'"
        text = row[name].strip(" \t")
        missing = text == ""
        for j in range(1, len(head)):
            if text == head[j]:
                missing = True
        marked = column[2] == "1"
        has_value = column[3] == "1"
        if kind == "category":
            missing = missing and (marked or has_value)
            if missing:
                text = column[4]
            listed = False
            for j in range(6, len(column)):
                if column[j] == text:
                    listed = True
                    inputs.append(1.0)
                else:
                    inputs.append(0.0)
            if not listed and column[5] != "1" and not missing:
                assert False, "column '" + name + "': '" + text + "' is not a category"
        else:
            if missing and not marked and not has_value:
                assert False, "column '" + name + "': no value"
            if missing and not has_value:
                inputs.append(0.0)
            else:
                number = float(column[4])
                if not missing:
                    number = self.field_number(text, kind, head[0])
                bound = float(column[8])
                scaled = (number - float(column[5])) * float(column[6]) + float(column[7])
                inputs.append(min(max(scaled, -bound), bound))
        if marked:
            if missing:
                inputs.append(1.0)
            else:
                inputs.append(0.0)
    return inputs

def predict_rows(self, rows: List[Dict[str, str]]):
    inputs: List[List[float]] = []
    for row in rows:
        inputs.append(self.row_inputs(row))
    return torch.softmax(self.forward(torch.tensor(inputs)), 1)
)";

}  // namespace sotto::train
