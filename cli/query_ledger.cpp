#include "cli/query_ledger.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "cli/flags.h"
#include "cli/training_charge.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/folder_lock.h"

namespace sotto::cli {

namespace {

using accounting::EpsilonDelta;
using accounting::rounded_down;
using accounting::rounded_up;
using mechanisms::BudgetAccount;
using mechanisms::BudgetTerms;
using mechanisms::Charge;
using nlohmann::json;

constexpr const char* kKind = "queries";
constexpr const char* kBudgetEvent = "query budget";
constexpr const char* kQueryEvent = "query";
constexpr const char* kDataKey = "data";

json to_json(const BudgetTerms& terms, const std::string& data_identity) {
  return {{"kind", kKind},
          {kDataKey, data_identity},
          {"relation", "add-remove"},
          {"total_epsilon", terms.total.epsilon},
          {"total_delta", terms.total.delta},
          {"composition", name(terms.composing)}};
}

BudgetTerms terms_from(const json& object, const std::filesystem::path& path) {
  try {
    check_argument(object.at("kind") == kKind && object.at("relation") == "add-remove",
                   path.string(), ": not a budget of queries");
    return {{object.at("total_epsilon").get<double>(), object.at("total_delta").get<double>()},
            mechanisms::composing_from_name(object.at("composition").get<std::string>())};
  } catch (const json::exception&) {
    throw InvalidArgument(path.string() + ": neither a ledger of queries nor of training");
  }
}

BudgetTerms new_terms(const std::filesystem::path& path, const BudgetFlags& total,
                      const char* state) {
  if (!total.epsilon) {
    throw UsageError("--ledger '" + path.string() + "': " + state +
                     "; give the ε that all queries together may cost: --total-epsilon E, "
                     "and --total-delta D if it may be more than 0");
  }
  return {{*total.epsilon, total.delta.value_or(0)},
          total.composing.value_or(mechanisms::Composing::kBasic)};
}

template <typename Value>
void check_same(const char* flag, const std::optional<Value>& given, const Value& recorded,
                const std::string& shown) {
  if (!given || *given == recorded) return;
  throw UsageError(std::string(flag) + ": the ledger was made with " + shown +
                   ", and a budget cannot be changed; leave the flag out");
}

void check_unchanged(const BudgetFlags& total, const BudgetTerms& terms) {
  check_same("--total-epsilon", total.epsilon, terms.total.epsilon,
             rounded_down(terms.total.epsilon, 10));
  check_same("--total-delta", total.delta, terms.total.delta, rounded_down(terms.total.delta, 10));
  check_same("--composition", total.composing, terms.composing, std::string(name(terms.composing)));
}

const LedgerEvent* budget_event(const LedgerContents& ledger) {
  for (const auto& event : ledger.events) {
    if (event.name == kBudgetEvent) return &event;
  }
  return nullptr;
}

// Where the budget and the table are written; nothing in a training run's ledger without queries.
const json* budget_in(const LedgerContents& ledger) {
  if (!is_training(ledger)) return &ledger.plan;
  const auto* event = budget_event(ledger);
  return event == nullptr ? nullptr : &event->description;
}

BudgetTerms find_terms(const LedgerContents& ledger, const BudgetFlags& total) {
  const auto* budget = budget_in(ledger);
  if (budget == nullptr) {
    return new_terms(ledger.path, total, "a training run's, without a budget for queries yet");
  }
  const auto terms = terms_from(*budget, ledger.path);
  check_unchanged(total, terms);
  return terms;
}

void check_table(const LedgerContents& ledger, const LedgerDemands& demands) {
  const auto* budget = budget_in(ledger);
  if (budget == nullptr || !budget->contains(kDataKey)) return;
  if (budget->at(kDataKey) == demands.data_identity) return;
  throw UsageError("--data '" + demands.data + "': not the table that " + ledger.path.string() +
                   " was made for, or changed since (or the key beside it is another); accepted: "
                   "that table, or a ledger of its own, whose ε adds to this one's");
}

void check_head(const LedgerContents& ledger, const LedgerDemands& demands) {
  if (!demands.head || ledger.contains(*demands.head)) return;
  throw UsageError("--ledger-head '" + *demands.head + "': " + ledger.path.string() +
                   " has no such line, so it is older, cut off or another; accepted: the ledger "
                   "with all charges up to this one");
}

Charge charge_from(const LedgerEvent& event, const std::filesystem::path& path) {
  try {
    check_argument(event.name == kQueryEvent, path.string(), ": holds a release named '",
                   event.name, "', whose cost is not known here");
    Charge charge{{event.description.at("epsilon").get<double>(),
                   event.description.at("delta").get<double>()}};
    const auto& multiplier = event.description.at("gaussian_multiplier");
    if (!multiplier.is_null()) charge.gaussian_multiplier = multiplier.get<double>();
    return charge;
  } catch (const json::exception&) {
    throw InvalidArgument(path.string() + ": holds a query whose cost cannot be read");
  }
}

BudgetAccount account_of(const LedgerContents& ledger, const BudgetFlags& total) {
  BudgetAccount account(find_terms(ledger, total));
  if (is_training(ledger)) {
    const double delta = account.terms().total.delta / 2;
    if (!(delta > 0)) {
      throw UsageError(
          "--total-delta is missing: training has a δ, so the total of this ledger "
          "needs one above 0");
    }
    if (const auto training = training_charge(ledger, delta)) account.add(*training);
  } else {
    check_argument(ledger.steps_charged == 0, ledger.path.string(),
                   ": holds steps, which a ledger of queries does not");
  }
  for (const auto& event : ledger.events) {
    if (event.name != kBudgetEvent) account.add(charge_from(event, ledger.path));
  }
  return account;
}

// Nobody sees a ledger whose making has only begun: all who open one take turns.
Ledger open_ledger(const std::filesystem::path& path, const LedgerDemands& demands) {
  const FolderLock turn(path.has_parent_path() ? path.parent_path() : ".");
  if (!std::filesystem::exists(path)) {
    if (demands.head) {
      throw UsageError("--ledger '" + path.string() +
                       "': not there, but --ledger-head names a "
                       "line of it; accepted: the ledger with all charges up to this one");
    }
    const auto terms = new_terms(path, demands.total, "does not exist yet");
    static_cast<void>(BudgetAccount(terms));  // throws if it is no budget
    return Ledger::create(path, to_json(terms, demands.data_identity));
  }
  return Ledger::resume(path, Ledger::read(path).plan);
}

std::string amount(const EpsilonDelta& value, std::string (*round)(double, int)) {
  return "ε = " + round(value.epsilon, 4) +
         (value.delta > 0 ? ", δ = " + round(value.delta, 4) : "");
}

}  // namespace

QueryLedger QueryLedger::open(const std::filesystem::path& path, const LedgerDemands& demands) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(kPatienceInSeconds);
  while (true) {
    try {
      return {open_ledger(path, demands), demands};
    } catch (const LedgerBusy&) {
      if (Clock::now() > deadline) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

QueryLedger::QueryLedger(Ledger ledger, const LedgerDemands& demands)
    : ledger_(std::move(ledger)),
      data_identity_(demands.data_identity),
      account_(account_of(ledger_.contents(), demands.total)),
      has_budget_(budget_in(ledger_.contents()) != nullptr) {
  check_head(ledger_.contents(), demands);
  check_table(ledger_.contents(), demands);
}

void QueryLedger::charge(const Charge& charge, json description) {
  if (!account_.affords(charge)) {
    throw BudgetExceeded("the budget does not cover this query: it costs " +
                         amount(charge.cost, rounded_up) + ", and of " +
                         amount(account_.terms().total, rounded_down) + " in all, " +
                         amount(account_.left(), rounded_down) + " is left; nothing was charged");
  }
  description["epsilon"] = charge.cost.epsilon;
  description["delta"] = charge.cost.delta;
  description["gaussian_multiplier"] =
      charge.gaussian_multiplier ? json(*charge.gaussian_multiplier) : json();
  if (!has_budget_) ledger_.charge_event(kBudgetEvent, to_json(account_.terms(), data_identity_));
  has_budget_ = true;
  ledger_.charge_event(kQueryEvent, description);
  ledger_.flush();
  account_.add(charge);
}

}  // namespace sotto::cli
