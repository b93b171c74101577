// A budget for questions to one table, kept in a file: every question is charged before it is
// answered.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/accounting/guarantee.h"
#include "sotto/core/error.h"
#include "sotto/core/random.h"
#include "sotto/mechanisms/budget_account.h"
#include "sotto/mechanisms/table_query.h"

namespace sotto::queries {

// The budget does not cover a query. Nothing was charged.
class BudgetExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Why a ledger is not opened.
enum class Refusal {
  kNoTotal,           // it has no budget yet, and none was given
  kTotalEpsilon,      // another one was given
  kTotalDelta,        // likewise
  kComposition,       // likewise
  kTotalDeltaOfZero,  // training, which is charged to it, has a δ
  kTable,             // it is for another one, and stays so
  kChangedTable,      // likewise, unless the change is accepted
  kNoLedger,          // it is not there, but a line of it was demanded
  kHead,              // it has no such line
  kNameOfRunsOwn,     // it is not there, and would pass for what a run beside it was charged
};

class LedgerRefused : public InvalidArgument {
 public:
  // Says "subject: reason".
  LedgerRefused(Refusal refusal, const std::string& subject, std::string reason);

  Refusal refusal() const { return refusal_; }
  // What is wrong, without what it is wrong with.
  const std::string& reason() const { return reason_; }

 private:
  Refusal refusal_;
  std::string reason_;
};

// The terms of the whole budget. A new ledger needs at least ε (δ is then 0, composition basic);
// those given must not differ from the terms of an older one.
struct TotalBudget {
  std::optional<double> epsilon = {};
  std::optional<double> delta = {};
  std::optional<mechanisms::Composing> composing = {};
};

// What must be true of a ledger for a query to be charged to it.
struct LedgerDemands {
  TotalBudget total = {};
  // Of the table, not empty: data::DataIdentity::of(file).text() for a file. It goes into the
  // ledger, so it must not tell about the records.
  std::string data_identity = {};
  std::optional<std::string> head = {};  // hash of a line that must be there
  // The budget's table may have changed since, as one that grows: then the ledger records that with
  // the query, and is for the new one from there on. Never for a training run's ledger.
  bool accept_data_change = false;
};

// Holds the ledger's lock as long as it lives. Others wait for it, up to kPatienceInSeconds.
//
// A ledger of queries has the budget in its header, and with it the identity of the one table that
// it is for. (Ledgers of earlier versions have none, and take every table.) If the table changes
// and that is accepted, a record that was in any of its versions is protected by what all charges
// cost together: each question has its ε whatever table it is put to, and charges are added up as
// if it were one. A training run's ledger takes queries too: its steps are one charge at half of
// the total δ, and budget and table are an event of its own, written before the first query. (Such
// a run cannot be resumed afterwards: the engine refuses.)
class QueryLedger {
 public:
  // Opens the ledger, or makes it. Throws LedgerRefused, changing nothing;
  // InvalidArgument if the file is damaged or holds charges that queries cannot be added to
  // (NoValidAnalysis for training that is not private or priced under replace-one), or if the total
  // is not a budget; LedgerBusy if others did not let go of it in time; as Ledger does otherwise.
  static QueryLedger open(const std::filesystem::path& path, const LedgerDemands& demands);
  QueryLedger(QueryLedger&&) noexcept;
  QueryLedger& operator=(QueryLedger&&) noexcept;
  ~QueryLedger();

  // Charges the query, and when that is on the disk calls `add_records`, which adds the table's
  // records to it, and releases its answers. Whatever ends the program in between, the charge
  // stays. The ledger notes the question as `asked`; by default as the name of its statistic. It
  // keeps the answers as well, so that they can be read again without another charge.
  // Throws BudgetExceeded if the budget does not cover it, and as Ledger does if the charge cannot
  // be written; then no record was read.
  std::vector<mechanisms::Answer> answer(
      mechanisms::TableQuery& query,
      const std::function<void(mechanisms::TableQuery&)>& add_records, RandomSource& random,
      std::string_view asked = {});

  // False if the last answers could not be written to the ledger: they cannot be read again there,
  // and it takes no more queries until it is opened anew.
  bool kept_answer() const;

  const mechanisms::BudgetAccount& account() const;
  // Under which the whole ledger's charges add up: add-remove, or that of a training run.
  accounting::Adjacency adjacency() const;
  // How often another table was accepted.
  std::size_t data_changes() const;
  // Of the last line: the last charge, or the answer that it paid for.
  std::string head_hash() const;

  static constexpr int kPatienceInSeconds = 30;

 private:
  struct Opened;
  explicit QueryLedger(std::unique_ptr<Opened> opened);

  std::unique_ptr<Opened> opened_;
};

}  // namespace sotto::queries
