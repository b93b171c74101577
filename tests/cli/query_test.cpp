// `sotto query`: answers, charges, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "plan/ledger.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class QueryTest : public testing::Test {
 protected:
  QueryTest() {
    std::ofstream out(data());
    out << "name,age,city,pay\n";
    for (int i = 0; i < 1000; ++i) {
      out << "p" << i << ',' << 20 + i % 60 << ',' << (i % 4 == 0 ? "Lyon" : "Paris") << ','
          << 1000 + i << '\n';
    }
  }

  std::string data() const { return (folder.path() / "people.csv").string(); }
  std::string ledger() const { return (folder.path() / "budget.json").string(); }
  Outcome query(const std::string& rest) const {
    return run_program("query --data " + data() + " --ledger " + ledger() + declared + ' ' + rest);
  }
  std::size_t charges() const {
    return std::filesystem::exists(ledger()) ? Ledger::read(ledger()).events.size() : 0;
  }
  void expect_refused(const std::string& rest, const std::string& named, int status = 2) const {
    const auto before = charges();
    const auto outcome = query(rest);
    EXPECT_EQ(outcome.status, status) << rest << '\n' << outcome.err;
    EXPECT_EQ(outcome.out, "") << rest;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(named), std::string::npos) << rest << '\n' << outcome.err;
    EXPECT_EQ(charges(), before) << rest;
  }

  TemporaryFolder folder;
  std::string declared = " --type age=number --type pay=number";
};

// Noise of ε = 5 is beyond 8 with probability e^-45.
TEST_F(QueryTest, CountsSumsAveragesAndGroups) {
  const std::string big = "--json --epsilon 5 ";
  const auto count =
      query(big + "--total-epsilon 100 count --where 'age>=50 and city=Paris'").json();
  EXPECT_NEAR(count["answer"]["value"].get<double>(), 376, 8);
  EXPECT_EQ(count["charged"]["epsilon"], 5);
  EXPECT_EQ(count["left"]["epsilon"], 95);
  const auto sum = query(big + "sum pay --bounds 0,1500").json();
  EXPECT_NEAR(sum["answer"]["value"].get<double>(), 1374750, 8 * 1500);
  EXPECT_NEAR(sum["sensitivity"].get<double>(), 1500, 1e-6);
  const auto mean = query(big + "mean age --bounds 0,120").json();
  EXPECT_NEAR(mean["answer"]["value"].get<double>(), 49, 2);
  const auto bins = query(big + "histogram age --bins 0,40,60,80").json();
  ASSERT_EQ(bins["answers"].size(), 3U);
  EXPECT_EQ(bins["answers"][1]["label"], "[40, 60)");
  EXPECT_NEAR(bins["answers"][0]["value"].get<double>(), 340, 8);
  const auto cities = query(big + "histogram city --categories Lyon,Paris,Nice").json();
  EXPECT_NEAR(cities["answers"][0]["value"].get<double>(), 250, 8);
  EXPECT_NEAR(cities["answers"][2]["value"].get<double>(), 0, 8);
  const auto groups = query(big + "mean pay --bounds 0,3000 --by city --groups Lyon,Paris").json();
  EXPECT_NEAR(groups["answers"][0]["value"].get<double>(), 1498, 60);
  EXPECT_EQ(groups["charged"]["epsilon"], 5);  // two groups, one price
  EXPECT_EQ(groups["left"]["epsilon"], 70);
  EXPECT_EQ(charges(), 6U);
}

TEST_F(QueryTest, SpeaksToPeople) {
  const auto outcome = query("--total-epsilon 1 --epsilon 0.1 count --where 'age>40'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part :
       {"Answer", "with 95 %", "standard error 14.1", "ε = 0.1", "ε = 0.9 of ε = 1"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << outcome.out;
  }
  EXPECT_EQ(outcome.err, "");
}

// Noise of ε = 5 is within 4 ranks but once in e^10; 1000 records are 60 different ages.
TEST_F(QueryTest, FindsMediansAndQuantiles) {
  const auto median =
      query("--json --total-epsilon 100 --epsilon 5 median age --bounds 0,120 --grid 1").json();
  EXPECT_NEAR(median["answer"]["value"].get<double>(), 49, 1);
  EXPECT_EQ(median["answer"].size(), 2U);
  EXPECT_EQ(median["answer"]["rank_error"], 2);  // ln(120 / 0.05) / 5
  EXPECT_EQ(median["noise"], "exponential-mechanism");
  EXPECT_EQ(median["charged"]["epsilon"], 5);
  EXPECT_EQ(median["left"]["epsilon"], 95);
  const auto high = query("--json --epsilon 5 quantile pay --quantile 0.9 --bounds 0,3000").json();
  EXPECT_NEAR(high["answer"]["value"].get<double>(), 1900, 25);
  const auto shown = query("--epsilon 5 median pay --bounds 0,3000 --by city --groups Lyon,Paris");
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_NE(shown.out.find("within 2 ranks"), std::string::npos) << shown.out;
}

// A category may hold a comma.
TEST_F(QueryTest, CountsPairs) {
  declared.clear();
  std::ofstream(data()) << "sex,ward\nF,\"Surgery, day\"\nF,Oncology\nM,Oncology\nM,Oncology\n";
  const std::string asked =
      "table --columns sex,ward --categories sex=F,M --categories 'ward=\"Surgery, day\",Oncology'";
  const auto table = query("--json --total-epsilon 1e6 --epsilon 100 " + asked).json();
  EXPECT_EQ(table["columns"], nlohmann::json({"sex", "ward"}));
  std::vector<int> counts;
  for (const auto& cell : table["answers"]) counts.push_back(cell["value"].get<int>());
  EXPECT_EQ(counts, (std::vector<int>{1, 1, 0, 2}));
  EXPECT_EQ(table["answers"][0]["labels"], nlohmann::json({"F", "Surgery, day"}));
  EXPECT_EQ(table["charged"]["epsilon"], 100);  // four cells, one price
  const auto shown = query("--epsilon 100 " + asked);
  EXPECT_NE(shown.out.find("sex \\ ward  Surgery, day  Oncology\n"
                           "F           1             1\n"
                           "M           0             2\n"),
            std::string::npos)
      << shown.out;
}

// A count is a whole number; a mean has the digits that its noise leaves a meaning.
TEST_F(QueryTest, ShowsSensibleDigits) {
  const auto count = query("--json --total-epsilon 1000 --epsilon 100 count");
  EXPECT_TRUE(count.json()["answer"]["value"].is_number_integer()) << count.out;
  const auto shown = query("--epsilon 100 count");
  EXPECT_NE(shown.out.find("Answer      1000 (1000 to 1000 with 95 %)\n"), std::string::npos)
      << shown.out;
  const auto mean = query("--epsilon 0.1 mean pay --bounds 0,30000").out;  // error near 400
  const auto value = mean.substr(12, mean.find(' ', 12) - 12);
  EXPECT_TRUE(value.ends_with('0')) << mean;
  EXPECT_EQ(value.find('.'), std::string::npos) << mean;
}

TEST_F(QueryTest, StopsWhenTheBudgetIsGone) {
  ASSERT_EQ(query("--total-epsilon 1 --epsilon 0.1 count").status, 0);
  for (int i = 1; i < 9; ++i) ASSERT_EQ(query("--epsilon 0.1 count").status, 0) << i;
  const auto last = query("--json --epsilon 0.1 count").json();
  EXPECT_EQ(last["spent"]["epsilon"].dump(), "1.0");
  EXPECT_EQ(last["left"]["epsilon"].dump(), "0.0");
  expect_refused("--epsilon 0.1 count", "nothing was charged", 1);
  EXPECT_EQ(charges(), 10U);
}

TEST_F(QueryTest, ChargesGaussiansTheirDelta) {
  const auto outcome = query(
      "--json --total-epsilon 1 --total-delta 1e-5 --epsilon 0.5 --delta 1e-6 --noise gaussian "
      "count");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["charged"]["delta"], 1e-6);
  EXPECT_EQ(outcome.json()["noise"], "discrete-gaussian");
  expect_refused("--epsilon 0.1 --delta 1e-4 --noise gaussian count", "nothing was charged", 1);
}

TEST_F(QueryTest, ComposesTightlyIfTheLedgerSaysSo) {
  ASSERT_EQ(
      query("--total-epsilon 1 --total-delta 1e-5 --composition tight --epsilon 0.02 count").status,
      0);
  double spent = 0;
  for (int i = 1; i < 60; ++i) {
    const auto outcome = query("--json --epsilon 0.02 count");
    ASSERT_EQ(outcome.status, 0) << i << outcome.err;
    spent = outcome.json()["spent"]["epsilon"].get<double>();
  }
  EXPECT_LT(spent, 0.85);  // 1.2 if ε were summed
}

TEST_F(QueryTest, RefusesWithoutCharging) {
  expect_refused("--epsilon 0.1 count", "--total-epsilon");
  ASSERT_EQ(query("--total-epsilon 1 --epsilon 0.1 count").status, 0);
  expect_refused("--epsilon 0.1 max age", "sensitivity");
  expect_refused("--epsilon 0.1 min age", "sensitivity");
  expect_refused("--epsilon 0.1 variance age", "sensitivity");
  expect_refused("--epsilon 0.1 median age", "--bounds");
  expect_refused("--epsilon 0.1 median age --bounds 0,120 --quantile 0.5", "--quantile '0.5'");
  expect_refused("--epsilon 0.1 median age --bounds 0,120 --noise laplace", "--noise");
  expect_refused("--epsilon 0.1 median age --bounds 0,120 --grid 1e-9", "--grid");
  expect_refused("--epsilon 0.1 quantile age --bounds 0,120", "--quantile is missing");
  expect_refused("--epsilon 0.1 quantile age --bounds 0,120 --quantile 1", "--quantile '1'");
  expect_refused("--epsilon 0.1 table --columns city", "--columns 'city'");
  expect_refused("--epsilon 0.1 table --columns city,age --bins age=0,9", "--categories city=");
  expect_refused("--epsilon 0.1 table --columns city,age --bins pay=0,9", "--bins 'pay=0,9'");
  expect_refused("--epsilon 0.1 table --columns city,no --bins no=0,9 --categories city=a",
                 "column 'no'");
  expect_refused("--epsilon 0.1 count --columns city,age", "--columns");
  expect_refused("--epsilon 0.1 select name", "QUERY 'select'");
  expect_refused("--epsilon 0.1 sum pay", "--bounds");
  expect_refused("--epsilon 0.1 mean pay", "--bounds");
  expect_refused("--epsilon 0.1 sum pay --bounds 10,0", "--bounds '10,0'");
  expect_refused("--epsilon 0.1 sum pay --bounds 10", "--bounds '10'");
  expect_refused("--epsilon 0.1 sum pay --bounds 0,inf", "--bounds");
  expect_refused("--epsilon 0.1 sum --bounds 0,1", "COLUMN");
  expect_refused("--epsilon 0.1 sum wage --bounds 0,10", "column 'wage'");
  expect_refused("--epsilon 0.1 count age", "COLUMN 'age'");
  expect_refused("--epsilon 0.1 count --where 'wage>1'", "column 'wage'");
  expect_refused("--epsilon 0.1 count --where 'age>'", "--where");
  expect_refused("--epsilon 0.1 count --where ''", "--where");
  expect_refused("--epsilon 0.1 histogram age", "--bins");
  expect_refused("--epsilon 0.1 histogram age --bins 1,1", "--bins '1,1'");
  expect_refused("--epsilon 0.1 histogram city --categories a,a", "--categories 'a,a'");
  expect_refused("--epsilon 0.1 count --by city", "--groups");
  expect_refused("--epsilon 0 count", "--epsilon '0'");
  expect_refused("--epsilon 1e-300 count", "epsilon");
  expect_refused("--epsilon 0.1 --delta 1e-6 count", "--delta");
  expect_refused("--epsilon 0.1 --noise gaussian count", "--delta");
  expect_refused("--epsilon 0.1 --total-epsilon 2 count", "--total-epsilon");
  expect_refused("--epsilon 0.1 --total-delta 1e-3 count", "--total-delta");
  expect_refused("count", "--epsilon is missing");
  expect_refused("--epsilon 2 count", "nothing was charged", 1);
}

TEST_F(QueryTest, RefusesLedgersItCannotRead) {
  std::ofstream(ledger()) << "not a ledger\n";
  const auto outcome = query("--epsilon 0.1 --total-epsilon 1 count");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("line 1"), std::string::npos) << outcome.err;
}

TEST_F(QueryTest, RefusesReleasesItCannotPrice) {
  ASSERT_EQ(query("--total-epsilon 1 --epsilon 0.1 count").status, 0);
  {
    Ledger other = Ledger::resume(ledger(), Ledger::read(ledger()).plan);
    other.charge_event("histogram", {{"epsilon", 0.1}});
  }
  expect_refused("--epsilon 0.1 count", "histogram");
}

// Text where numbers are declared is absent: to refuse would tell that no row holds a number.
TEST_F(QueryTest, TextIsNoNumber) {
  declared = " --type name=number --type city=number";
  const auto sum = query("--json --total-epsilon 100 --epsilon 5 sum name --bounds 0,10").json();
  EXPECT_NEAR(sum["answer"]["value"].get<double>(), 0, 80);
  const auto bins = query("--json --epsilon 5 histogram city --bins 0,10").json();
  EXPECT_NEAR(bins["answers"][0]["value"].get<double>(), 0, 8);
}

// The line of column names is public, and is refused where it is none.
TEST_F(QueryTest, NeedsColumnNames) {
  for (const char* table : {"", "\n1,2\n", "\"name,age\n1,2\n"}) {
    std::ofstream(data()) << table;
    expect_refused("--total-epsilon 1 --epsilon 0.1 count", "line of column names");
  }
  EXPECT_FALSE(std::filesystem::exists(ledger()));
}

}  // namespace
}  // namespace sotto::cli
