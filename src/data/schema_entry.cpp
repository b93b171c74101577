#include "data/schema_entry.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/calendar_date.h"
#include "data/quoted_value.h"

namespace sotto::data {

SchemaEntry SchemaEntry::column(const std::string& name, const Json& json) const {
  SchemaEntry entry(json, problems_);
  entry.column_ = name;
  return entry;
}

void SchemaEntry::check_keys(const std::vector<std::string_view>& known) const {
  for (const auto& item : json_.items()) {
    if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
    std::string names;
    for (const auto name : known) names += (names.empty() ? "" : ", ") + std::string(name);
    complain(item.key(), "unknown entry ", quoted_value(item.key()), ", must be one of ", names);
  }
}

double SchemaEntry::number(const char* key) const {
  const bool there = has(key) && json_[key].is_number();
  const double value = there ? json_[key].get<double>() : std::nan("");
  if (std::isfinite(value)) return value;
  complain(key, "'", key, "' must be given as a finite number");
  return std::nan("");
}

double SchemaEntry::date(const char* key) const {
  const bool there = has(key) && json_[key].is_string();
  const auto days = there ? days_of_date(json_[key].get<std::string>()) : std::nullopt;
  if (days) return static_cast<double>(*days);
  complain(key, "'", key, "' must be given as a date, such as \"2024-12-31\"");
  return std::nan("");
}

std::string SchemaEntry::text(const char* key) const {
  if (has(key) && json_[key].is_string()) return json_[key].get<std::string>();
  complain(key, "'", key, "' must be given as a string");
  return {};
}

std::vector<std::string> SchemaEntry::texts(const char* key, std::size_t least) const {
  std::vector<std::string> values;
  const bool there = has(key) && json_[key].is_array();
  for (std::size_t i = 0; there && i < json_[key].size(); ++i) {
    const auto& item = json_[key][i];
    if (item.is_string()) {
      values.push_back(item.get<std::string>());
      continue;
    }
    complain(key, "'", key, "' holds ", quoted_value(item.dump()), ", which is not a string");
    return {};
  }
  const std::set<std::string> distinct(values.begin(), values.end());
  if (!there || values.size() < least) {
    complain(key, "'", key, "' must be a list of at least ", least, " strings");
  } else if (distinct.size() != values.size()) {
    complain(key, "'", key, "' names a value twice");
  }
  return values;
}

bool SchemaEntry::flag(const char* key) const {
  if (!has(key)) return false;
  if (json_[key].is_boolean()) return json_[key].get<bool>();
  complain(key, "'", key, "' must be true or false");
  return false;
}

char SchemaEntry::sign(const char* key, std::string_view signs, char standard,
                       const char* accepted) const {
  if (!has(key)) return standard;
  const auto value = json_[key].is_string() ? json_[key].get<std::string>() : std::string();
  if (value.size() == 1 && signs.find(value[0]) != std::string_view::npos) return value[0];
  complain(key, "'", key, "' is ", quoted_value(json_[key].dump()), ", must be ", accepted);
  return standard;
}

void SchemaEntry::add(const std::string& key, const std::string& text, bool to_declare) const {
  SchemaProblem problem{{}, column_, text, to_declare};
  if (!column_.empty()) problem.path = {"columns", column_};
  if (!key.empty()) problem.path.push_back(key);
  problems_.push_back(std::move(problem));
}

}  // namespace sotto::data
