#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/spent_output.h"
#include "data/data_identity.h"
#include "runs/recorded_identity.h"

namespace sotto::cli {
namespace {

constexpr const char* kSpentExamples = R"(
Every run in a folder and below it (train, sweep, gan; finished or not) and every ledger of queries
there, with what it has cost, and a sum for each data set. Data are the same if their content is (by a
keyed hash, kept beside them), or their name. An interrupted run counts with all steps that its ledger
charged. Links are followed, even out of the folder; /proc and /sys are left out. With --data: what was
spent on these data alone.

Examples:
  sotto spent
  sotto spent --data patients.csv
  sotto spent --data patients.csv --ledger budget.jsonl
  sotto spent --data mnist --runs experiments --json
)";

struct SpentRequest {
  FlagText data;
  std::string runs = ".";
  std::vector<std::string> ledgers;
  bool json = false;
};

std::optional<SpentRequest> parse_spent(const Arguments& arguments) {
  FlagSet app("The total cost of all runs and queries on the same data.", "sotto spent");
  SpentRequest request;
  FlagText runs;
  app.add_option("--data DATA", request.data, "a table, or as --dataset names data (default: all)");
  app.add_option("--runs DIR", runs,
                 "folder to search, with everything below it (default: this one)");
  app.add_option("--ledger FILE", request.ledgers, "a ledger of queries in another place")
      .repeatable();
  app.add_flag("--json", request.json, "print one JSON object");
  app.footer(kSpentExamples);
  if (!app.parse(arguments)) return std::nullopt;
  if (runs) request.runs = *runs;
  std::error_code error;
  if (!std::filesystem::is_directory(request.runs, error)) {
    throw UsageError("--runs '" + request.runs + "': expected a folder");
  }
  for (const auto& ledger : request.ledgers) file_flag("--ledger", ledger);
  return request;
}

// A file is a table; everything else is named as for training.
data::DataSource source_of(const std::string& text) {
  std::error_code error;
  if (std::filesystem::is_regular_file(text, error)) return {data::DataKind::kCsv, text};
  try {
    return data::DataSource::parse(text);
  } catch (const InvalidArgument& error) {
    throw UsageError("--data '" + text + "': neither a file nor data; " + error.what());
  }
}

runs::KnownData known_data(const std::string& text) {
  const auto source = source_of(text);
  runs::KnownData known{source.spec()};
  const auto location = source.location();
  known.places.push_back(runs::place_of(known.name));
  std::error_code error;
  if (location.empty() || !std::filesystem::exists(location, error)) return known;
  if (const auto identity = data::DataIdentity::of_keyed(location)) {
    known.identities.push_back(identity->text());
  }
  return known;
}

bool is_listed(const std::vector<runs::Spender>& spenders, const std::filesystem::path& ledger) {
  return std::any_of(spenders.begin(), spenders.end(), [&](const auto& one) {
    std::error_code error;
    return std::filesystem::equivalent(one.path, ledger, error);
  });
}

std::vector<runs::Spender> find_spenders(const SpentRequest& request) {
  auto spenders = runs::spenders_in(request.runs);
  for (const auto& ledger : request.ledgers) {
    if (!is_listed(spenders, ledger)) spenders.push_back(runs::queries_spender(ledger));
  }
  return spenders;
}

}  // namespace

int spent_command(const Arguments& arguments) {
  const auto request = parse_spent(arguments);
  if (!request) return 0;
  auto budgets = runs::spent_by_data(find_spenders(*request));
  if (request->data) {
    auto found = runs::spent_on(known_data(*request->data), budgets);
    budgets.by_data.clear();
    if (found) budgets.by_data.push_back(std::move(*found));
  }
  const SpentAnswer answer{request->runs, request->data, std::move(budgets)};
  std::cout << (request->json ? spent_json(answer) : spent_text(answer));
  return 0;
}

}  // namespace sotto::cli
