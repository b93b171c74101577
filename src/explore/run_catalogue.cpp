#include "explore/run_catalogue.h"

#include <algorithm>
#include <ctime>

#include "explore/run_details.h"
#include "explore/run_files.h"
#include "explore/sweep_details.h"

namespace sotto::explore {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 3;  // runs/sweep/run, and one to spare

std::string iso_date(std::time_t time) {
  char text[32];
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// When the run began, as its ledger says, else when this file was written.
Json date_of(const RunsFolder& runs, const std::string& name, const std::string& file) {
  Json created = member(first_json_line(runs, name + "/ledger.jsonl"), "created");
  if (created.is_string()) return created;
  const auto written = runs.file_time(name + "/" + file);
  return written ? Json(iso_date(*written)) : Json(nullptr);
}

struct Walk {
  const RunsFolder& runs;
  std::vector<Json> found_runs = {};
  std::vector<Json> found_sweeps = {};

  void visit(const std::string& folder, const Json& sweep, int depth) {
    for (const auto& name : runs.folders_in(folder)) {
      const std::string path = folder.empty() ? name : folder + "/" + name;
      look_at(path, sweep, depth);
    }
  }

  void look_at(const std::string& path, const Json& sweep, int depth) {
    const bool is_sweep = is_sweep_folder(runs, path);
    if (is_sweep) {
      found_sweeps.push_back({{"name", path},
                              {"date", date_of(runs, path, sweep_file(runs, path))},
                              {"runs", sweep_size(runs, path)}});
    } else if (runs.file_time(path + "/config.json") || runs.file_time(path + "/privacy.json")) {
      Json run = run_summary(runs, path);
      run["date"] = date_of(runs, path, run_file(runs, path));
      run["sweep"] = sweep;
      found_runs.push_back(std::move(run));
      return;  // what lies in a run belongs to it
    }
    if (depth < kDeepest) visit(path, is_sweep ? Json(path) : sweep, depth + 1);
  }
};

void sort_newest_first(std::vector<Json>& entries) {
  const auto date = [](const Json& entry) {
    return entry["date"].is_string() ? entry["date"].get<std::string>() : std::string();
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Json& a, const Json& b) { return date(a) > date(b); });
}

}  // namespace

Json run_catalogue(const RunsFolder& runs) {
  Walk walk{runs};
  walk.visit("", nullptr, 1);
  sort_newest_first(walk.found_runs);
  sort_newest_first(walk.found_sweeps);
  return {
      {"folder", runs.path().string()}, {"runs", walk.found_runs}, {"sweeps", walk.found_sweeps}};
}

}  // namespace sotto::explore
