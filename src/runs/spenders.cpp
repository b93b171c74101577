// Which runs and ledgers of queries there are below a folder, and what each has cost.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "core/atomic_file.h"
#include "core/byte_order_mark.h"
#include "plan/ledger_header.h"
#include "plan/ledger_line.h"
#include "runs/combined_cost.h"
#include "runs/data_spend.h"
#include "runs/held_out_json.h"
#include "runs/json_file.h"
#include "runs/recorded_identity.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr const char* kLedger = "ledger.jsonl";

// An object that says so near its beginning, whatever the file's name, and however it was edited.
// What cannot be opened may be one.
bool may_be_ledger(const fs::path& file) {
  constexpr std::size_t kFirst = 4096;
  std::string start(kFirst, '\0');
  std::ifstream in(file, std::ios::binary);
  if (!in) return true;
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  const auto object = without_byte_order_mark(start).find_first_not_of(" \t\r\n");
  return object != std::string_view::npos && without_byte_order_mark(start)[object] == '{' &&
         start.find(ledger_line::kFormat) != std::string::npos;
}

// A ledger that cannot be read is taken for a run's.
bool is_of_queries(const fs::path& ledger) {
  try {
    return std::holds_alternative<QueriesHeader>(header_of(Ledger::read(ledger)));
  } catch (const std::exception&) {
    return false;
  }
}

bool is_run(const fs::path& folder) {
  const auto holds = [&](const char* name) {
    std::error_code broken;
    return fs::is_regular_file(folder / name, broken);
  };
  if (holds("privacy.json")) return true;
  return holds(kLedger) ? !is_of_queries(folder / kLedger) : holds("config.json");
}

// What a killed program left of a file that was never there.
bool is_unfinished(const fs::path& file) {
  return file.extension() == ".part" && file.filename().string().starts_with(".sotto-");
}

// Of a run's own ledgers the price of the run tells.
bool is_runs_own(const fs::path& file) {
  const bool named = file.filename() == kLedger || file.filename() == kHeldOutLedger;
  return named && !is_of_queries(file);
}

// Files there are none, and reading them may never end.
bool is_of_the_system(const fs::path& folder) {
  constexpr std::array kSystem = {"/proc", "/sys", "/dev"};
  return std::any_of(kSystem.begin(), kSystem.end(), [&](const char* name) {
    std::error_code error;
    return fs::equivalent(folder, name, error);
  });
}

void take_costs(const RunRecord& run, Spender& spender) {
  spender.releases = releases_of(run);
  spender.epsilon = run.epsilon();
  spender.delta = run.delta().value_or(0);
  spender.steps = run.steps();
  spender.queries = run.queries().size();
  if (const auto asked = cost_with_queries(run)) {
    spender.epsilon = asked->cost.epsilon;
    spender.delta = asked->cost.delta;
  }
  if (!spender.releases.unbounded) return;
  spender.epsilon = kUnbounded;
  spender.problem = why_unbounded(run);
}

SpenderState state_of(const RunRecord& run) {
  if (!run.is_finished()) return SpenderState::kInterrupted;
  return run.was_stopped_early() ? SpenderState::kEndedEarly : SpenderState::kFinished;
}

// What its settings say, even if nothing else of the run can be read.
KnownData data_in_settings(const fs::path& run_folder) {
  try {
    const auto config = read_json_object(run_folder / "config.json");
    const auto data = config.find("data");
    const bool nested = data != config.end() && data->is_object();
    KnownData known{text_in(nested ? *data : config, "dataset")};
    known.place = place_of_data(known.name, run_folder);
    const auto identity = text_in(config, "data_identity");
    if (!identity.empty()) known.identities.push_back(identity);
    return known;
  } catch (const std::exception&) {
    return {};
  }
}

Spender unreadable(const fs::path& path, SpenderKind kind, const std::string& why) {
  Spender spender{path, kind, SpenderState::kUnreadable};
  spender.releases.unbounded = true;
  spender.epsilon = kUnbounded;
  spender.problem = why;
  return spender;
}

// Nothing if nothing was charged.
std::optional<Spender> run_spender(const fs::path& folder) {
  try {
    const auto run = RunRecord::read_charged(folder);
    if (!run) return std::nullopt;
    Spender spender{folder.lexically_normal(),
                    run->is_generator() ? SpenderKind::kGenerator : SpenderKind::kTraining,
                    state_of(*run), data_in_settings(folder)};
    spender.one_of_several = run->is_one_of_several();
    take_costs(*run, spender);
    return spender;
  } catch (const std::exception& error) {
    auto spender = unreadable(folder.lexically_normal(), SpenderKind::kTraining, error.what());
    spender.data = data_in_settings(folder);
    return spender;
  }
}

void add_ledger(const fs::path& file, std::vector<Spender>& found) {
  try {
    auto spender = queries_spender(file.lexically_normal());
    if (spender.queries > 0 || spender.releases.unbounded) found.push_back(std::move(spender));
  } catch (const std::exception& error) {
    found.push_back(unreadable(file.lexically_normal(), SpenderKind::kQueries, error.what()));
  }
}

// Whatever lies in a folder may have been charged: in that of a run there may be other runs, and
// ledgers of queries. Links are followed.
class Search {
 public:
  void visit(const fs::path& folder) {
    if (!is_new(folder) || is_of_the_system(folder)) return;
    const bool run = is_run(folder);
    if (run) add_run(folder);
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      std::error_code broken_link;
      if (entry.is_directory(broken_link)) {
        visit(entry.path());
      } else if (entry.is_regular_file(broken_link) && !(run && is_runs_own(entry.path()))) {
        look_at(entry.path());
      }
    }
    if (error) throw FileError(folder, "cannot read the folder", error.value());
  }

  std::vector<Spender> found() && { return std::move(found_); }

 private:
  // Links may lead to one place twice, or in circles.
  bool is_new(const fs::path& place) {
    struct stat status {};
    if (stat(place.c_str(), &status) != 0) return false;
    return seen_.insert({status.st_dev, status.st_ino}).second;
  }

  void add_run(const fs::path& folder) {
    if (auto spender = run_spender(folder)) found_.push_back(std::move(*spender));
  }

  void look_at(const fs::path& file) {
    if (is_unfinished(file) || !may_be_ledger(file) || !is_new(file)) return;
    add_ledger(file, found_);
  }

  std::set<std::pair<dev_t, ino_t>> seen_;
  std::vector<Spender> found_;
};

}  // namespace

std::string_view name(SpenderKind kind) {
  switch (kind) {
    case SpenderKind::kTraining:
      return "train";
    case SpenderKind::kGenerator:
      return "gan";
    case SpenderKind::kQueries:
      return "query";
  }
  return "";
}

std::string_view name(SpenderState state) {
  switch (state) {
    case SpenderState::kFinished:
      return "finished";
    case SpenderState::kEndedEarly:
      return "ended early";
    case SpenderState::kInterrupted:
      return "interrupted";
    case SpenderState::kOpen:
      return "open";
    case SpenderState::kUnreadable:
      return "unreadable";
  }
  return "";
}

std::vector<Spender> spenders_in(const fs::path& folder) {
  Search search;
  search.visit(folder);
  auto found = std::move(search).found();
  std::sort(found.begin(), found.end(),
            [](const Spender& a, const Spender& b) { return a.path < b.path; });
  return found;
}

Spender queries_spender(const fs::path& ledger) {
  const auto contents = Ledger::read(ledger);
  const auto header = header_of(contents);
  const auto* terms = std::get_if<QueriesHeader>(&header);
  check_argument(terms != nullptr, ledger.string(),
                 ": a training run's ledger; what it cost is known from the run's folder");
  const auto asked = queries_in(contents);
  Spender spender{ledger, SpenderKind::kQueries, SpenderState::kOpen, {"", asked.data_identities}};
  spender.releases = releases_of(asked);
  spender.queries = asked.queries.size();
  if (spender.releases.unbounded) {
    spender.epsilon = kUnbounded;
    spender.problem =
        "holds a release named '" + asked.unknown.front() + "', whose cost is not known";
    return spender;
  }
  mechanisms::BudgetAccount account(terms->terms);
  for (const auto& query : asked.queries) account.add({query.cost, query.gaussian_multiplier});
  if (spender.queries == 0) return spender;
  spender.epsilon = account.spent().epsilon;
  spender.delta = account.spent().delta;
  return spender;
}

}  // namespace sotto::runs
