// A mean over groups, from records in memory, charged to a budget that a file keeps: two runs are
// answered, the third is refused.
#include <cstdio>

#include "sotto/queries/queries.h"

using namespace sotto::mechanisms;
using sotto::queries::BudgetExceeded;
using sotto::queries::QueryLedger;

void add_records(TableQuery& query) {
  for (int i = 0; i < 3000; ++i) {
    query.add(std::vector<std::string>{std::to_string(20 + i % 50), i % 3 == 0 ? "Lyon" : "Paris",
                                       std::to_string(1500 + i)});
  }
}

// NOLINTNEXTLINE(bugprone-exception-escape): an example ends where it fails
int main() {
  QueryLedger ledger = QueryLedger::open("ask_a_table.jsonl",
                                         {.total = {.epsilon = 1}, .data_identity = "pay by city"});

  QueryOptions options;
  options.types = {{"age", NumberType{}}, {"pay", NumberType{}}};  // city is text
  options.statistic = Statistic::kMean;
  options.column = "pay";
  options.bounds = ValueBounds(0, 6000);  // public knowledge, not found in the records
  options.where = "age >= 18";
  options.by = "city";
  options.parts = Categories({"Lyon", "Paris"});
  options.budget = {/*epsilon=*/0.5, /*delta=*/0};

  const std::vector<std::string> columns = {"age", "city", "pay"};
  TableQuery query(options, columns);
  sotto::SecureRandom random;
  try {
    for (const auto& [group, mean] : ledger.answer(query, add_records, random)) {
      std::printf("%s: %.0f, with 95 %% from %.0f to %.0f\n", group.c_str(), mean.value, mean.low,
                  mean.high);
    }
    std::printf("left: epsilon = %.2f\n", ledger.account().left().epsilon);
  } catch (const BudgetExceeded& refusal) {
    std::printf("%s\n", refusal.what());
  }
}
