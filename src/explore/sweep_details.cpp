#include "explore/sweep_details.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "core/finite_number.h"
#include "explore/run_details.h"
#include "explore/run_files.h"
#include "explore/shown_file.h"

namespace sotto::explore {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSweepBytes = std::size_t{16} << 20U;

// The fields of one line. Quotes protect commas, doubled ones stand for one; a quoted line break is
// not known here.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool doubled = quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (doubled) {
      fields.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else if (line[i] != '\r') {
      fields.back() += line[i];
    }
  }
  return fields;
}

Json value_of(const std::string& field) {
  if (field.empty()) return nullptr;
  const auto number = finite_number(field);
  return number ? Json(*number) : Json(field);
}

std::vector<Json> objects_of_csv(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line)) return {};
  const auto names = fields_of(line);
  std::vector<Json> objects;
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    const auto fields = fields_of(line);
    Json object = Json::object();
    for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i) {
      object[names[i]] = value_of(fields[i]);
    }
    objects.push_back(std::move(object));
  }
  return objects;
}

// Members of objects one level down become members themselves: {"flags": {"lr": 1}} has "lr".
Json flattened(const Json& object) {
  Json flat = Json::object();
  for (const auto& [key, value] : object.items()) {
    if (!value.is_object()) {
      flat[key] = value;
      continue;
    }
    for (const auto& [inner, inner_value] : value.items()) flat[inner] = inner_value;
  }
  return flat;
}

Json plain(const Json& value) { return value.is_structured() ? Json(value.dump()) : value; }

void add_table(const std::vector<Json>& objects, Json& json) {
  std::vector<std::string> columns;
  for (const auto& object : objects) {
    for (const auto& item : object.items()) {
      if (std::find(columns.begin(), columns.end(), item.key()) == columns.end()) {
        columns.push_back(item.key());
      }
    }
  }
  json["columns"] = columns;
  json["rows"] = Json::array();
  for (const auto& object : objects) {
    Json row = Json::array();
    for (const auto& column : columns) row.push_back(plain(member(object, column.c_str())));
    json["rows"].push_back(std::move(row));
  }
}

std::vector<Json> objects_of(const RunsFolder& runs, const std::string& name,
                             const Json& description) {
  std::vector<Json> objects;
  for (const auto& run : member(description, "runs")) {
    if (run.is_object()) objects.push_back(flattened(run));
  }
  if (!objects.empty()) return objects;
  const auto csv = runs.read(name + "/results.csv", kMostSweepBytes);
  return csv ? objects_of_csv(*csv) : objects;
}

// A sweep names its runs by their folders in it. One that was never charged has an ε of 0, and
// perhaps no folder.
bool is_borne_out(const RunsFolder& runs, const std::string& sweep, const Json& row) {
  const Json epsilon = member(row, "epsilon");
  const Json run = member(row, "run");
  if (!epsilon.is_number() || epsilon == 0 || !run.is_string()) return true;
  const auto folder = sweep + "/" + run.get<std::string>();
  if (!is_acceptable_path(folder)) return false;
  const Json now = run_summary(runs, folder);
  return now["epsilon"].is_number() || now["epsilon_spent"].is_number();
}

void withhold_epsilons(Json& json) {
  for (const auto& item : json.items()) {
    if (item.key().starts_with("epsilon")) {
      item.value() = nullptr;
    } else if (item.value().is_structured()) {
      withhold_epsilons(item.value());
    }
  }
}

// What the sweep noted of a run need not hold for its folder any more, and no sum of it either.
void withhold_unproved(const RunsFolder& runs, const std::string& sweep, std::vector<Json>& rows,
                       Json& description, Problems& problems) {
  bool all_proved = true;
  for (auto& row : rows) {
    if (is_borne_out(runs, sweep, row)) continue;
    all_proved = false;
    row["epsilon"] = nullptr;
    problems.push_back(sweep + "/" + row["run"].get<std::string>() +
                       ": its files prove no ε any more; none is shown of it, nor of the choice");
  }
  if (all_proved || !description.is_object()) return;
  withhold_epsilons(description);
  description.erase("tuning");
}

}  // namespace

bool is_sweep_folder(const RunsFolder& runs, const std::string& name) {
  return runs.file_time(name + "/sweep.json") || runs.file_time(name + "/results.csv");
}

std::string sweep_file(const RunsFolder& runs, const std::string& name) {
  return runs.file_time(name + "/sweep.json") ? "sweep.json" : "results.csv";
}

std::size_t sweep_size(const RunsFolder& runs, const std::string& name) {
  Problems ignored;
  return objects_of(runs, name, json_object(runs, name + "/sweep.json", ignored)).size();
}

Json sweep_details(const RunsFolder& runs, const std::string& name) {
  Problems problems;
  Json description = json_object(runs, name + "/sweep.json", problems);
  Json json{{"name", name}};
  auto rows = objects_of(runs, name, description);
  withhold_unproved(runs, name, rows, description, problems);
  add_table(rows, json);
  if (description.is_object()) description.erase("runs");
  json["summary"] = description;
  json["files"] = Json::array();
  for (const auto& file : runs.files_in(name)) {
    if (content_type(file)) json["files"].push_back(file);
  }
  json["problems"] = problems;
  return json;
}

}  // namespace sotto::explore
