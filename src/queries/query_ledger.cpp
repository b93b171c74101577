#include "sotto/queries/queries.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "core/atomic_file.h"
#include "core/folder_lock.h"
#include "plan/ledger.h"
#include "plan/ledger_header.h"
#include "plan/run_settings.h"
#include "queries/answer_note.h"
#include "queries/ledger_budget.h"
#include "sotto/accounting/statement.h"

namespace sotto::queries {

namespace {

using accounting::EpsilonDelta;
using accounting::rounded_down;
using accounting::rounded_up;
using mechanisms::BudgetAccount;
using mechanisms::BudgetTerms;
using mechanisms::Charge;
using mechanisms::TableQuery;
using nlohmann::json;

BudgetTerms new_terms(const std::filesystem::path& path, const TotalBudget& total,
                      const std::string& state) {
  if (!total.epsilon) {
    throw LedgerRefused(Refusal::kNoTotal, path.string(),
                        state + "; give the ε that all queries together may cost");
  }
  return {{*total.epsilon, total.delta.value_or(0)},
          total.composing.value_or(mechanisms::Composing::kBasic)};
}

template <typename Value>
void check_same(Refusal refusal, const char* setting, const std::optional<Value>& given,
                const Value& recorded, const std::string& shown) {
  if (!given || *given == recorded) return;
  throw LedgerRefused(refusal, setting,
                      "the ledger was made with " + shown + ", and a budget cannot be changed");
}

void check_unchanged(const TotalBudget& total, const BudgetTerms& terms) {
  check_same(Refusal::kTotalEpsilon, "total epsilon", total.epsilon, terms.total.epsilon,
             rounded_down(terms.total.epsilon, 10));
  check_same(Refusal::kTotalDelta, "total delta", total.delta, terms.total.delta,
             rounded_down(terms.total.delta, 10));
  check_same(Refusal::kComposition, "composition", total.composing, terms.composing,
             std::string(to_string(terms.composing)));
}

BudgetTerms find_terms(const std::filesystem::path& path,
                       const std::optional<QueriesHeader>& budget, const TotalBudget& total) {
  if (!budget) {
    return new_terms(path, total, "a training run's, without a budget for queries yet");
  }
  check_unchanged(total, budget->terms);
  return budget->terms;
}

// What the settings beside a training run's ledger say of its data, empty if they do not; nothing
// if there are none, or not those of a run, as beside the ledger of an engine in somebody's own
// program.
std::optional<std::string> trained_on(const std::filesystem::path& ledger) {
  const auto settings = run_settings_in(std::filesystem::canonical(ledger).parent_path());
  if (!settings) return std::nullopt;
  const bool said =
      settings->contains("data_identity") && settings->at("data_identity").is_string();
  return said ? settings->at("data_identity").get<std::string>() : std::string();
}

// Of the table that the ledger is for now; nothing if it takes every one.
std::optional<std::string> table_of(const LedgerContents& ledger,
                                    const std::optional<QueriesHeader>& budget) {
  for (auto event = ledger.events.rbegin(); event != ledger.events.rend(); ++event) {
    if (event->name == kDataChangeEvent) return changed_identity(*event, ledger.path);
  }
  if (budget && budget->data_identity) return budget->data_identity;
  return is_of_training(ledger) ? trained_on(ledger.path) : std::nullopt;
}

// Both the budget and the run that the ledger belongs to are for one table.
void check_table(const LedgerContents& ledger, const std::optional<QueriesHeader>& budget,
                 const LedgerDemands& demands) {
  const auto& path = ledger.path;
  const auto identity = table_of(ledger, budget);
  if (!identity || *identity == demands.data_identity) return;
  if (demands.accept_data_change && !is_of_training(ledger)) return;
  if (identity->empty()) {
    throw LedgerRefused(
        Refusal::kTable, "table",
        "the run of " + path.string() +
            " did not record which data it used, so nobody can tell whether this is its "
            "table; accepted: a ledger of its own, whose ε adds "
            "to this one's");
  }
  throw LedgerRefused(is_of_training(ledger) ? Refusal::kTable : Refusal::kChangedTable, "table",
                      "not the table that " + path.string() +
                          " was made for, or changed since (or the key beside it is another); "
                          "accepted: that table, or a ledger of its own, whose ε adds to this "
                          "one's");
}

// What cannot be understood may be a run's settings.
bool is_in_folder_of_run(const std::filesystem::path& file) {
  try {
    return run_settings_in(std::filesystem::absolute(file).parent_path()).has_value();
  } catch (const InvalidArgument&) {
    return true;
  }
}

// A new ledger would pass for what the run was charged.
void refuse_name_of_runs_own(const std::filesystem::path& path) {
  const bool named = path.filename() == "ledger.jsonl" || path.filename() == "held_out.jsonl";
  if (!named || !is_in_folder_of_run(path)) return;
  throw LedgerRefused(Refusal::kNameOfRunsOwn, path.string(),
                      "not there, and the run in its folder has ledgers of this name for itself; "
                      "accepted: another name");
}

// Nobody sees a ledger whose making has only begun: all who open one take turns.
Ledger open_ledger(const std::filesystem::path& path, const LedgerDemands& demands) {
  const FolderLock turn(path.has_parent_path() ? path.parent_path() : ".");
  if (std::filesystem::exists(path)) return Ledger::resume(path, Ledger::read(path).plan);
  if (demands.head) {
    throw LedgerRefused(Refusal::kNoLedger, path.string(),
                        std::string("not there, but a line of it is known; ") + kAcceptedLedger);
  }
  refuse_name_of_runs_own(path);
  const auto terms = new_terms(path, demands.total, "does not exist yet");
  static_cast<void>(BudgetAccount(terms));  // throws if it is not a budget
  return Ledger::create(path, QueriesHeader{terms, demands.data_identity}.to_json());
}

json description_of(const TableQuery& query, std::string_view asked) {
  const auto& options = query.options();
  json description{{"query", asked.empty() ? to_string(options.statistic) : asked},
                   {"noise", to_string(options.noise)}};
  if (!options.column.empty()) description["column"] = options.column;
  if (options.statistic == mechanisms::Statistic::kQuantile) {
    description["quantile"] = options.quantile;
    description["noise"] = "exponential-mechanism";
  }
  if (options.grid) description["grid"] = *options.grid;
  if (options.bounds) description["bounds"] = {options.bounds->low(), options.bounds->high()};
  if (!options.by.empty()) description["by"] = options.by;
  if (!options.across.empty()) description["across"] = options.across;
  const auto parts = mechanisms::labels(options.parts);
  const auto across_parts = mechanisms::labels(options.across_parts);
  if (!parts.empty()) description["parts"] = parts;
  if (!across_parts.empty()) description["across_parts"] = across_parts;
  if (!options.where.empty()) description["where"] = options.where;
  return description;
}

std::string amount(const EpsilonDelta& value, std::string (*round)(double, int)) {
  return "ε = " + round(value.epsilon, 4) +
         (value.delta > 0 ? ", δ = " + round(value.delta, 4) : "");
}

}  // namespace

LedgerRefused::LedgerRefused(Refusal refusal, const std::string& subject, std::string reason)
    : InvalidArgument(subject + ": " + reason), refusal_(refusal), reason_(std::move(reason)) {}

struct QueryLedger::Opened {
  Ledger ledger;
  std::string data_identity;
  std::optional<QueriesHeader> budget;  // as it is in the file
  BudgetAccount account;
  accounting::Adjacency adjacency = accounting::Adjacency::kAddRemove;
  bool kept = true;  // the last answer

  Opened(Ledger the_ledger, const LedgerDemands& demands);
  void charge(const Charge& charge, json description);
  bool keep(const std::vector<mechanisms::Answer>& answers);
};

QueryLedger::QueryLedger(std::unique_ptr<Opened> opened) : opened_(std::move(opened)) {}
QueryLedger::QueryLedger(QueryLedger&&) noexcept = default;
QueryLedger& QueryLedger::operator=(QueryLedger&&) noexcept = default;
QueryLedger::~QueryLedger() = default;

const BudgetAccount& QueryLedger::account() const { return opened_->account; }
bool QueryLedger::kept_answer() const { return opened_->kept; }
accounting::Adjacency QueryLedger::adjacency() const { return opened_->adjacency; }
std::size_t QueryLedger::data_changes() const {
  return number_of_data_changes(opened_->ledger.contents());
}
std::string QueryLedger::head_hash() const { return opened_->ledger.head_hash(); }

QueryLedger QueryLedger::open(const std::filesystem::path& path, const LedgerDemands& demands) {
  using Clock = std::chrono::steady_clock;
  check_argument(!demands.data_identity.empty(),
                 "data identity: must not be empty, since a budget is for one table");
  const auto deadline = Clock::now() + std::chrono::seconds(kPatienceInSeconds);
  while (true) {
    try {
      return QueryLedger(std::make_unique<Opened>(open_ledger(path, demands), demands));
    } catch (const LedgerBusy&) {
      if (Clock::now() > deadline) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

QueryLedger::Opened::Opened(Ledger the_ledger, const LedgerDemands& demands)
    : ledger(std::move(the_ledger)),
      data_identity(demands.data_identity),
      budget(budget_in(ledger.contents())),
      account(account_of(ledger.contents(),
                         find_terms(ledger.contents().path, budget, demands.total))) {
  check_head(ledger.contents(), demands.head);
  check_table(ledger.contents(), budget, demands);
  adjacency = adjacency_of(ledger.contents());
}

std::vector<mechanisms::Answer> QueryLedger::answer(
    TableQuery& query, const std::function<void(TableQuery&)>& add_records, RandomSource& random,
    std::string_view asked) {
  opened_->charge(query.charge(), description_of(query, asked));
  add_records(query);
  auto answers = query.release(random);
  opened_->kept = opened_->keep(answers);
  return answers;
}

// The answers are paid for and public: if the disk does not take them, they are given all the same.
bool QueryLedger::Opened::keep(const std::vector<mechanisms::Answer>& answers) {
  try {
    ledger.note(answer_note(number_of_queries(ledger.contents()), answers));
    ledger.flush();
    return true;
  } catch (const FileError&) {
    return false;
  }
}

// Returns when the charge is on the disk, and the release may be made.
void QueryLedger::Opened::charge(const Charge& charge, json description) {
  if (!account.affords(charge)) {
    throw BudgetExceeded("the budget does not cover this query: it costs " +
                         amount(charge.cost, rounded_up) + ", and of " +
                         amount(account.terms().total, rounded_down) + " in all, " +
                         amount(account.left(), rounded_down) + " is left; nothing was charged");
  }
  description["epsilon"] = charge.cost.epsilon;
  description["delta"] = charge.cost.delta;
  description["gaussian_multiplier"] =
      charge.gaussian_multiplier ? json(*charge.gaussian_multiplier) : json();
  if (!budget) {
    budget = QueriesHeader{account.terms(), data_identity};
    ledger.charge_event(kQueryBudgetEvent, budget->to_json());
  }
  const auto table = table_of(ledger.contents(), budget);
  if (table && *table != data_identity) {
    ledger.charge_event(kDataChangeEvent, data_change(data_identity));
  }
  ledger.charge_event(kQueryEvent, description);
  ledger.flush();
  account.add(charge);
}

}  // namespace sotto::queries
