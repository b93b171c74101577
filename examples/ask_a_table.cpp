// A mean over groups, from records in memory, charged to a budget.
#include <cstdio>

#include "sotto/mechanisms/table_query.h"

using namespace sotto::mechanisms;

// NOLINTNEXTLINE(bugprone-exception-escape): an example ends where it fails
int main() {
  BudgetAccount account(BudgetTerms{{/*epsilon=*/1, /*delta=*/0}});

  QueryOptions options;
  options.statistic = Statistic::kMean;
  options.column = "pay";
  options.bounds = ValueBounds(0, 6000);  // public knowledge, not found in the records
  options.where = "age >= 18";
  options.by = "city";
  options.parts = Categories({"Lyon", "Paris"});
  options.budget = {/*epsilon=*/0.5, /*delta=*/0};

  const std::vector<std::string> columns = {"age", "city", "pay"};
  TableQuery query(options, columns);
  if (!account.affords(query.charge())) return 1;
  account.add(query.charge());  // first the charge, then the answer

  for (int i = 0; i < 3000; ++i) {
    query.add(std::vector<std::string>{std::to_string(20 + i % 50), i % 3 == 0 ? "Lyon" : "Paris",
                                       std::to_string(1500 + i)});
  }
  sotto::SecureRandom random;
  for (const auto& [group, mean] : query.release(random)) {
    std::printf("%s: %.0f, with 95 %% from %.0f to %.0f\n", group.c_str(), mean.value, mean.low,
                mean.high);
  }
  std::printf("left: epsilon = %.2f\n", account.left().epsilon);
}
