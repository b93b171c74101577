#include "data/schema_column.h"

#include <algorithm>
#include <cmath>

#include "data/quoted_value.h"

namespace sotto::data {
namespace {

// "missing": what an empty field stands for, or true. "indicator": whether an input says so.
template <typename Column, typename ReadValue>
void read_missing(const SchemaEntry& entry, Column& column, ReadValue read_value) {
  column.indicator = entry.flag("indicator");
  if (!entry.has("missing")) {
    if (column.indicator) entry.complain("indicator", "'indicator' is for columns with 'missing'");
    return;
  }
  const auto& missing = entry.json()["missing"];
  if (missing.is_boolean()) {
    column.indicator = column.indicator || missing.get<bool>();
  } else {
    column.missing = read_value();
  }
}

void read_range(const SchemaEntry& entry, NumericColumn& column) {
  const bool date = column.kind == NumberKind::kDate;
  const RangeScale range{date ? entry.date("low") : entry.number("low"),
                         date ? entry.date("high") : entry.number("high")};
  const bool fits = range.low < range.high && std::isfinite(range.high - range.low);
  if (!fits && !std::isnan(range.low) && !std::isnan(range.high)) {
    if (date) {
      entry.complain("low", "low ", entry.text("low"), " must be before high ", entry.text("high"));
    } else {
      entry.complain("low", "low ", range.low, " must be below high ", range.high);
    }
  }
  column.scale = range;
}

void read_standard(const SchemaEntry& entry, NumericColumn& column) {
  const StandardScale standard{entry.number("mean"), entry.number("std")};
  if (standard.deviation <= 0) {
    entry.complain("std", "std ", standard.deviation, " must be positive");
  }
  column.scale = standard;
}

NumericColumn read_numeric(const SchemaEntry& entry, NumberKind kind) {
  NumericColumn column{{}, {}, kind};
  if (kind == NumberKind::kDate || entry.has("low") || entry.has("high")) {
    entry.check_keys({"type", "low", "high", "missing", "indicator"});
    read_range(entry, column);
  } else {
    entry.check_keys({"type", "mean", "std", "missing", "indicator"});
    read_standard(entry, column);
  }
  read_missing(entry, column, [&] {
    return kind == NumberKind::kDate ? entry.date("missing") : entry.number("missing");
  });
  return column;
}

CategoricalColumn read_categorical(const SchemaEntry& entry) {
  entry.check_keys({"type", "categories", "other", "missing", "indicator"});
  CategoricalColumn column{entry.texts("categories", 1)};
  column.other = entry.flag("other");
  read_missing(entry, column, [&] { return entry.text("missing"); });
  const auto& known = column.categories;
  if (column.missing && std::find(known.begin(), known.end(), *column.missing) == known.end()) {
    entry.complain("missing", "'missing' is ", quoted_value(*column.missing),
                   ", must be one of the categories");
  }
  return column;
}

// Nothing, and a complaint, if there is no telling.
std::optional<std::string> type_of(const SchemaEntry& entry) {
  if (entry.has("type")) {
    const auto& type = entry.json()["type"];
    return type.is_string() ? type.get<std::string>() : type.dump();
  }
  if (entry.has("categories")) return "category";
  for (const auto* key : {"low", "high", "mean", "std"}) {
    if (entry.has(key)) return "number";
  }
  entry.complain("", "must give low and high, mean and std, or categories");
  return std::nullopt;
}

bool has_scale(const SchemaEntry& entry) {
  const auto found = [&](const char* key) { return entry.has(key); };
  if (found("low") || found("high") || found("mean") || found("std")) return true;
  entry.complain("", "must give low and high, or mean and std");
  return false;
}

}  // namespace

std::optional<ColumnRule> read_column(const SchemaEntry& entry) {
  if (!entry.json().is_object()) {
    entry.complain("", quoted_value(entry.json().dump()), " must be an object");
    return std::nullopt;
  }
  const auto type = type_of(entry);
  if (!type) return std::nullopt;
  if (type == "category") return read_categorical(entry);
  if (type == "date") return read_numeric(entry, NumberKind::kDate);
  const bool integer = type == "integer";
  if (integer || type == "number") {
    if (!has_scale(entry)) return std::nullopt;
    return read_numeric(entry, integer ? NumberKind::kInteger : NumberKind::kNumber);
  }
  constexpr const char* kTypes = "number, integer, category, date";
  if (*type == kToDeclare) {
    entry.still_to_declare("type", std::string("still to declare: give a type of ") + kTypes +
                                       ", or list the column under ids or drop");
  } else {
    entry.complain("type", "'type' is ", quoted_value(*type), ", must be one of ", kTypes);
  }
  return std::nullopt;
}

}  // namespace sotto::data
