// `sotto query` about columns that nothing declares: whatever takes them for more than text is
// refused before any charge, and the message says which flag would do.
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

struct Undeclared {
  std::string question;
  std::string column;  // and what would have to be declared of it
  std::string flags;
};

const std::vector<Undeclared>& undeclared_questions() {
  static const std::vector<Undeclared> all = {
      {"count --where 'admitted>=2024'", "'admitted'",
       "--type admitted=number, --type admitted=date or --schema FILE"},
      {"count --where 'admitted>=2024-01-01'", "'admitted'", "--type admitted=date or --schema"},
      {"count --where \"not admitted<'2024-01-01'\"", "'admitted'", "by --type admitted=date or"},
      {"count --where 'sex>3'", "'sex'", "by --type sex=number or --schema FILE"},
      {"count --where 'sex<=-1e3'", "'sex'", "by --type sex=number or --schema FILE"},
      {"count --where 'sex=3'", "'sex'", "by --type sex=number, --type sex=text or --schema FILE"},
      {"count --where 'sex=F and admitted!=2024'", "'admitted'", "--type admitted=text or"},
      {"count --where 'admitted=2024-01-31'", "'admitted'", "--type admitted=date, --type"},
      {"count --where '\"first ward\">1'", "'first ward'", "--type 'first ward=number' or"},
      {"mean sex --bounds 0,100", "COLUMN 'sex': its mean",
       "by --type sex=number or --schema FILE"},
      {"sum sex --bounds 0,100", "COLUMN 'sex': its sum", "by --type sex=number or --schema"},
      {"median stay --bounds 0,60", "COLUMN 'stay': its quantile", "by --type stay=number or"},
      {"quantile stay --quantile 0.9 --bounds 0,60", "COLUMN 'stay'", "by --type stay=number or"},
      {"mean stay --bounds 0,60 --by sex --groups F,M", "COLUMN 'stay'", "by --type stay=number"},
      {"histogram admitted --bins 2020,2024", "COLUMN 'admitted': its bins",
       "by --type admitted=number or --schema FILE"},
      {"table --columns sex,stay --categories sex=F,M --bins stay=0,9,60",
       "--columns 'stay': its bins", "by --type stay=number or --schema FILE"}};
  return all;
}

class QueryUndeclaredTest : public testing::Test {
 protected:
  QueryUndeclaredTest() { write_rows("2024-03-01,F,3,1\n2023-03-01,M,5,2\n2024-01-31,M,9,3\n"); }

  void write_rows(const std::string& rows) const {
    write_file_atomically(data(), "admitted,sex,stay,first ward\n" + rows);
  }
  std::string data() const { return (folder / "patients.csv").string(); }
  std::string ledger() const { return (folder / "budget.json").string(); }
  std::string arguments(const std::string& rest) const {
    return "query --data " + data() + " --ledger " + ledger() +
           " --total-epsilon 1e6 --epsilon 100 " + rest;
  }
  // The noise of ε = 100 is 0.
  double value(const std::string& rest) const {
    const auto outcome = run_program(arguments("--json " + rest));
    EXPECT_EQ(outcome.status, 0) << rest << '\n' << outcome.err;
    const auto json = outcome.json();
    return (json.contains("answers") ? json["answers"][0] : json["answer"])["value"].get<double>();
  }

  TemporaryFolder folder;
};

TEST_F(QueryUndeclaredTest, RefusesWhatTakesThemForMoreThanText) {
  for (const char* rows : {"", "x,x,x,x\n", "1,2,3,4\n", "2024-03-01,F,3,1\n"}) {
    write_rows(rows);
    for (const auto& [question, column, flags] : undeclared_questions()) {
      expect_refused(arguments(question), column);
      expect_refused(arguments(question), flags);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(ledger()));
}

TEST_F(QueryUndeclaredTest, ANumberInsteadOfAWordNeedsADeclarationToo) {
  expect_refused(arguments("count --where 'sex>F'"),
                 "expected the operators = and !=, or a number or a date such as 2024-01-31 and a "
                 "column declared to hold these");
}

TEST_F(QueryUndeclaredTest, ChargesNothingInALedgerThatIsThere) {
  ASSERT_EQ(run_program(arguments("count")).status, 0);
  const auto before = read_file(ledger());
  for (const auto& asked : undeclared_questions()) expect_refused(arguments(asked.question), "by ");
  EXPECT_EQ(read_file(ledger()), before);
}

TEST_F(QueryUndeclaredTest, ComparesAndCountsThemAsText) {
  EXPECT_EQ(value("count"), 3);
  EXPECT_EQ(value("count --where 'sex=M'"), 2);
  EXPECT_EQ(value("count --where \"sex!='3'\""), 3);
  EXPECT_EQ(value("count --where \"stay='3' or not sex=M\""), 1);
  EXPECT_EQ(value("histogram sex --categories F,M"), 1);
  EXPECT_EQ(value("histogram admitted --categories 2024-03-01"), 1);
  EXPECT_EQ(value("count --by stay --groups 3,5"), 1);
}

TEST_F(QueryUndeclaredTest, AnswersOnceTheyAreDeclared) {
  EXPECT_EQ(value("count --type admitted=date --where 'admitted>=2024-01-31'"), 2);
  EXPECT_EQ(value("count --type admitted=date --where 'admitted=2024-01-31'"), 1);
  EXPECT_EQ(value("count --type admitted=text --where 'admitted=2024-01-31'"), 1);
  EXPECT_EQ(value("count --type stay=number --where 'stay>=5'"), 2);
  EXPECT_EQ(value("count --type stay=number --where 'stay=3.0'"), 1);
  EXPECT_EQ(value("count --type stay=text --where 'stay=3'"), 1);
  EXPECT_EQ(value("count --type 'first ward=number' --where '\"first ward\">1'"), 2);
  EXPECT_NEAR(value("mean stay --type stay=number --bounds 0,10"), 17.0 / 3, 1);
  EXPECT_EQ(value("histogram stay --type stay=number --bins 0,4,60"), 1);
  EXPECT_EQ(value("table --columns sex,stay --categories sex=F,M --type stay=number "
                  "--bins stay=0,9,60"),
            1);
}

}  // namespace
}  // namespace sotto::cli
