// `sotto query --schema` with ranges: a question beyond them is taken for a mistake and refused
// before any charge; their ends are part of them.
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

constexpr const char* kSchema = R"({
  "label": "outcome", "classes": ["home", "died"],
  "columns": {"age": {"type": "integer", "low": 0, "high": 120},
              "temp": {"mean": 37, "std": 1},
              "admitted": {"type": "date", "low": "2020-01-01", "high": "2026-12-31"},
              "grade": {"categories": ["1", "2", "3"]},
              "town": {"categories": ["Lyon"], "other": true}}})";

class QueryDeclaredRangeTest : public testing::Test {
 protected:
  QueryDeclaredRangeTest() {
    write_file_atomically(folder / "schema.json", kSchema);
    write_rows("0,36.5,2020-01-01,1,Lyon,home\n120,39,2026-12-31,3,Nice,died\n");
  }

  void write_rows(const std::string& rows) const {
    write_file_atomically(folder / "patients.csv", "age,temp,admitted,grade,town,outcome\n" + rows);
  }
  std::string ledger() const { return (folder / "budget.json").string(); }
  std::string arguments(const std::string& rest) const {
    return "query --data " + (folder / "patients.csv").string() + " --ledger " + ledger() +
           " --schema " + (folder / "schema.json").string() +
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

const std::vector<std::pair<std::string, std::string>>& decided_questions() {
  const std::string age = "column 'age' is declared to hold numbers from 0 to 120";
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"count --where 'age>500'", "500 is outside the range declared of this column"},
      {"count --where 'age>500'", "--where: condition 'age>500', character 8: 'age'"},
      {"count --where 'age>500'", "expected a number from 0 to 120"},
      {"count --where 'not age<=121 or age=3'", "a number from 0 to 120"},
      {"count --where 'age>-1'", "a number from 0 to 120"},
      {"count --where 'age!=200'", "a number from 0 to 120"},
      {"count --where 'age=40.5'", "the column holds whole numbers"},
      {"count --where 'admitted>2027-01-01'", "a date from 2020-01-01 to 2026-12-31"},
      {"count --where 'admitted=2019-12-31'", "a date from 2020-01-01 to 2026-12-31"},
      {"count --where 'grade=4'", "one of 1, 2, 3"},
      {"count --where 'grade>=4'", "a number from 1 to 3"},
      {"count --where 'outcome=alive'", "one of home, died"},
      {"histogram age --bins 130,140",
       "sotto query: --bins: [130, 140] is outside the declared range: " + age},
      {"histogram age --bins -10,0,60", "[-10, 0) is outside the declared"},
      {"histogram age --bins 0,60,121,140", "[121, 140] is outside the declared"},
      {"table --columns outcome,age --bins age=130,140", "[130, 140] is outside the declared"},
      {"histogram age --categories 40,121", "a number from 0 to 120"},
      {"histogram admitted --categories 2019-01-01", "a date from 2020-01-01 to 2026-12-31"},
      {"histogram grade --categories 1,4", "one of 1, 2, 3"},
      {"count --by grade --groups 1,4", "one of 1, 2, 3"},
      {"mean age --bounds 200,300", "sotto query: --bounds 200 to 300: " + age},
      {"sum age --bounds 120,200", "which would all count as 120"},
      {"median age --bounds -9,0", "which would all count as 0"}};
  return all;
}

TEST_F(QueryDeclaredRangeTest, RefusesWhatItDecidesWhateverTheRows) {
  for (const char* rows : {"", "x,x,x,x,x,x\n", "500,36.5,2019-01-01,4,Lyon,home\n"}) {
    write_rows(rows);
    for (const auto& [question, words] : decided_questions()) {
      expect_refused(arguments(question), words);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(ledger()));
}

TEST_F(QueryDeclaredRangeTest, ChargesNothingInALedgerThatIsThere) {
  ASSERT_EQ(run_program(arguments("count")).status, 0);
  const auto before = read_file(ledger());
  for (const auto& [question, words] : decided_questions()) {
    expect_refused(arguments(question), words);
  }
  EXPECT_EQ(read_file(ledger()), before);
}

TEST_F(QueryDeclaredRangeTest, TakesItsEnds) {
  EXPECT_EQ(value("count --where 'age>=0'"), 2);
  EXPECT_EQ(value("count --where 'age>0'"), 1);
  EXPECT_EQ(value("count --where 'age<=120'"), 2);
  EXPECT_EQ(value("count --where 'age=120'"), 1);
  EXPECT_EQ(value("count --where 'age>40.5'"), 1);
  EXPECT_EQ(value("count --where 'admitted>=2020-01-01'"), 2);
  EXPECT_EQ(value("count --where 'admitted<2026-12-31'"), 1);
  EXPECT_EQ(value("count --where 'grade>=3'"), 1);
}

TEST_F(QueryDeclaredRangeTest, TakesWhatReachesBeyondItInPart) {
  EXPECT_EQ(value("histogram age --bins -10,1,130"), 1);
  EXPECT_EQ(value("histogram age --bins 0,120,500"), 1);
  EXPECT_NEAR(value("mean age --bounds 0,300"), 60, 30);
  EXPECT_NEAR(value("mean age --bounds 20,60"), 40, 4);
}

TEST_F(QueryDeclaredRangeTest, TakesAnythingWhereNoneIsDeclared) {
  EXPECT_EQ(value("count --where 'temp>500'"), 0);
  EXPECT_EQ(value("count --where 'temp<45'"), 2);
  EXPECT_EQ(value("count --where 'town=Nice'"), 1);
  EXPECT_EQ(value("count --type age=number --where 'age<=60'"), 1);
  expect_refused(arguments("count --type age=number --where 'age>500'"), "from 0 to 120");
}

}  // namespace
}  // namespace sotto::cli
