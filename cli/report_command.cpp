#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "core/atomic_file.h"
#include "report/comparison.h"
#include "report/run_text.h"
#include "report/training_page.h"
#include "runs/run_json.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using runs::RunRecord;

constexpr const char* kExamples = R"(
One RUN (a folder of sotto train or sotto gan train): writes its report.html, one self-contained
page with the promise, curves, confusions, samples, times and settings. Several: prints them side by
side and writes comparison.html, with what they cost together; interrupted runs, too, with what they
were charged.

A report shows public test records, and nothing computed from private ones without noise. With
--show-private the page is called report.private.html, and shows what the run kept in its files with
"private" in their names: training losses, exact results on held-out records. No ε covers that page.

Examples:
  sotto report runs/demo
  sotto report runs/a runs/b runs/c --output abc.html
  sotto report runs/a runs/b --json
)";

struct ReportRequest {
  std::vector<std::string> folders;
  std::optional<std::string> output;
  bool show_private = false;
  bool json = false;
};

std::optional<ReportRequest> parse_report(const Arguments& arguments) {
  FlagSet app("Report of a run, or comparison of several, as a page.", "sotto report");
  ReportRequest request;
  app.add_option("RUN", request.folders, "folders of runs").names_run();
  app.add_option("-o,--output FILE", request.output,
                 "page to write (default: RUN/report.html, or comparison.html for several)")
      .writes();
  app.add_flag("--show-private", request.show_private,
               "one RUN: write report.private.html, with what ε does not cover");
  app.add_flag("--json", request.json, "print one JSON object");
  app.footer(kExamples);
  if (!app.parse(arguments)) return std::nullopt;
  if (request.show_private && request.folders.size() > 1) {
    throw UsageError("--show-private: only with one RUN");
  }
  if (request.folders.empty()) throw UsageError("RUN is missing: the folder of a finished run");
  if (request.folders.size() > 1) {  // a run's own page is made anew
    if (!request.output) request.output = "comparison.html";
    app.check_output("--output", *request.output);
  }
  return request;
}

// Throws UsageError for a folder that is not there, or there twice: it would be paid for twice.
void check_folders(const std::vector<std::string>& folders) {
  std::vector<fs::path> seen;
  for (const auto& folder : folders) {
    std::error_code error;
    const auto path = fs::canonical(folder, error);
    if (error || !fs::is_directory(path)) {
      throw UsageError("RUN '" + folder + "': expected the folder of a finished run");
    }
    if (std::find(seen.begin(), seen.end(), path) != seen.end()) {
      throw UsageError("RUN '" + folder + "': is listed twice");
    }
    seen.push_back(path);
  }
}

std::vector<RunRecord> read_runs(const std::vector<std::string>& folders) {
  std::vector<RunRecord> runs;
  runs.reserve(folders.size());
  for (const auto& folder : folders) {
    auto run = RunRecord::read_charged(folder);
    if (!run) throw UsageError("RUN '" + folder + "': no run, or one that was charged nothing");
    runs.push_back(std::move(*run));
  }
  return runs;
}

// Names come from files: none may break the JSON.
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

// Names to the left, numbers to the right.
std::string text_table(const report::ComparisonTable& comparison) {
  constexpr std::size_t kNames = 4;
  std::vector<TextColumn> columns(comparison.head.size(), TextColumn::right());
  std::fill_n(columns.begin(), kNames, TextColumn{});
  TextTable table(columns);
  table.add(comparison.head);
  for (const auto& row : comparison.rows) table.add(row);
  return table.text();
}

std::string contradiction_text(const RunRecord& run) {
  std::string text;
  for (const auto& sentences : {run.contradictions(), run.altered()}) {
    for (const auto& sentence : sentences) {
      text += labelled_paragraph("Warning", run.name() + ": " + sentence);
    }
  }
  return text;
}

std::string query_text(const RunRecord& run) {
  const auto asked = runs::cost_with_queries(run);
  return asked ? labelled_paragraph("Queries", run.name() + ": " + asked->sentence) : "";
}

// It is made anew without --force, so nothing else may be behind its name.
fs::path own_page(const std::string& run, const std::string& name) {
  auto page = fs::path(run) / name;
  std::error_code ignored;
  if (!fs::is_symlink(page, ignored)) return page;
  throw UsageError("RUN '" + run + "': its " + name +
                   " is a link, and what it leads to would be replaced; expected a page of its "
                   "own, or --output FILE");
}

// What ε does not cover says so in its name.
fs::path page_path(const ReportRequest& request) {
  const std::string name = request.show_private ? "report.private.html" : "report.html";
  if (!request.output) return own_page(request.folders.front(), name);
  fs::path path(*request.output);
  if (request.show_private && path.filename().string().find("private") == std::string::npos) {
    throw UsageError("--output '" + *request.output +
                     "': with --show-private the file's name must contain \"private\"");
  }
  return path;
}

int report_one(const ReportRequest& request) {
  const auto run = RunRecord::read(
      request.folders.front(), request.show_private ? runs::Told::kPrivate : runs::Told::kCovered);
  const auto path = page_path(request);
  write_file_atomically(path, report::training_report_html(run));
  if (request.json) {
    Json json = runs::run_json(run);
    json["report"] = path.string();
    std::cout << json_text(json);
    return 0;
  }
  std::cout << labelled_paragraph("Run", run.name() + ": " + report::guarantee(run))
            << labelled_paragraph("Summary", report::summary(run)) << contradiction_text(run)
            << query_text(run) << labelled_paragraph("Report", path.string());
  return 0;
}

int report_several(const ReportRequest& request) {
  const auto runs = read_runs(request.folders);
  const fs::path path = *request.output;
  const auto combined = runs::combined_costs(runs);
  write_file_atomically(path, report::comparison_html(runs));
  if (request.json) {
    Json json;
    json["runs"] = Json::array();
    for (const auto& run : runs) json["runs"].push_back(runs::run_json(run));
    json["combined"] = Json::array();
    for (const auto& cost : combined) json["combined"].push_back(runs::combined_json(cost, runs));
    json["report"] = path.string();
    std::cout << json_text(json);
    return 0;
  }
  std::string text = text_table(report::comparison_table(runs)) + '\n';
  for (const auto& cost : combined) text += labelled_paragraph("Together", cost.sentence);
  for (const auto& run : runs) text += contradiction_text(run) + query_text(run);
  std::cout << text << labelled_paragraph("Report", path.string());
  return 0;
}

}  // namespace

int report_command(const Arguments& arguments) {
  const auto request = parse_report(arguments);
  if (!request) return 0;
  check_folders(request->folders);
  return request->folders.size() == 1 ? report_one(*request) : report_several(*request);
}

}  // namespace sotto::cli
