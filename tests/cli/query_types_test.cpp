// `sotto query --schema` and `--type`: what cannot be meant is refused before any charge, whatever
// the rows.
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

constexpr const char* kSchema = R"({
  "label": "outcome", "classes": ["home", "died"], "drop": ["id", "admitted"],
  "columns": {"age": {"low": 0, "high": 110},
              "ward": {"categories": ["Surgery, day", "Oncology"]},
              "town": {"categories": ["Lyon"], "other": true}}})";

class QueryTypesTest : public testing::Test {
 protected:
  QueryTypesTest() {
    write_file_atomically(schema(), kSchema);
    write_rows("1,2024-03-01,40,\"Surgery, day\",Lyon,home\n2,2023-03-01,60,Oncology,Nice,died\n");
  }

  void write_rows(const std::string& rows) const {
    write_file_atomically(data(), "id,admitted,age,ward,town,outcome\n" + rows);
  }
  std::string data() const { return (folder / "patients.csv").string(); }
  std::string schema() const { return (folder / "schema.json").string(); }
  std::string ledger() const { return (folder / "budget.json").string(); }
  std::string arguments(const std::string& rest) const {
    return "query --data " + data() + " --ledger " + ledger() +
           " --total-epsilon 1e6 --epsilon 100 --type admitted=date " + rest;
  }
  // The noise of ε = 100 is 0.
  double value(const std::string& rest) const {
    const auto outcome = run_program(arguments("--json --schema " + schema() + ' ' + rest));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json()["answer"]["value"].get<double>();
  }

  TemporaryFolder folder;
};

TEST_F(QueryTypesTest, AsksWhatCanBeMeant) {
  EXPECT_EQ(value("count --where 'admitted>=2024-01-01'"), 1);
  EXPECT_EQ(value("count --where \"ward='Surgery, day'\""), 1);
  EXPECT_EQ(value("count --where 'town=Nice'"), 1);  // others are declared
  EXPECT_EQ(value("count --where 'outcome!=died and age<=40'"), 1);
  EXPECT_EQ(value("count --where 'id=2'"), 1);  // nothing is declared of it
}

TEST_F(QueryTypesTest, TakesBoundsAndCategoriesFromTheSchema) {
  const auto mean = run_program(arguments("--json mean age --schema " + schema()));
  EXPECT_EQ(mean.json()["sensitivity"], 55) << mean.err;
  const auto wards = run_program(arguments("--json histogram ward --schema " + schema())).json();
  EXPECT_EQ(wards["answers"][0]["label"], "Surgery, day");
  const auto groups = run_program(arguments("--json count --by ward --schema " + schema())).json();
  EXPECT_EQ(groups["answers"].size(), 2U);
  const auto table =
      run_program(arguments("--json table --columns ward,outcome --schema " + schema())).json();
  EXPECT_EQ(table["answers"].size(), 4U);
  EXPECT_EQ(table["answers"][3]["labels"], nlohmann::json({"Oncology", "died"}));
}

TEST_F(QueryTypesTest, TheMedianOfWholeNumbersIsOne) {
  auto schema_of_years = nlohmann::json::parse(kSchema);
  schema_of_years["columns"]["age"]["type"] = "integer";
  write_file_atomically(schema(), schema_of_years.dump());
  write_rows("1,2024-03-01,40,Oncology,Lyon,home\n2,2023-03-01,40,Oncology,Nice,died\n");
  EXPECT_EQ(value("median age"), 40);
}

TEST_F(QueryTypesTest, RefusesTheRestForFreeAndWhateverTheRows) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"count --where 'admitted>=2024'", "a date such as 2024-01-31"},
      {"count --where 'age>2024-01-01'", "the column holds numbers"},
      {"count --where 'age=old'", "the column holds numbers"},
      {"count --where 'ward>Oncology'", "no order"},
      {"count --where 'ward=Onkology'", "one of \"Surgery, day\", Oncology"},
      {"count --where 'outcome=alive'", "one of home, died"},
      {"count --where 'wards=Oncology'", "column 'wards'"},
      {"mean ward --bounds 0,1", "--schema '"},
      {"sum admitted --bounds 0,1", "holds dates"},
      {"histogram ward --categories Onkology", "'Onkology' is not a category"},
      {"histogram town --bins 0,1", "holds categories"},
      {"count --by outcome --groups home,alive", "'alive' is not a category"}};
  for (const char* rows : {"", "x,x,x,x,x,x\n", "2,2023-03-01,60,Oncology,Nice,died\n"}) {
    write_rows(rows);
    for (const auto& [question, words] : cases) {
      expect_refused(arguments(question + " --schema " + schema()), words);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(ledger()));
}

TEST_F(QueryTypesTest, RefusesDeclarationsThatDoNotFit) {
  expect_refused(arguments("count --type age=year"), "--type 'age=year'");
  expect_refused(arguments("count --type =date"), "--type '=date'");
  expect_refused(arguments("count --type nothing=date"), "no column 'nothing'");
  expect_refused(arguments("count --type age=text --schema " + schema()), "--type 'age=text'");
  expect_refused(arguments("count --schema " + data()), data());
  expect_refused(arguments("count --schema nowhere.json"), "--schema 'nowhere.json'");
  write_file_atomically(data(), "id,admitted,age,ward,town\n");
  expect_refused(arguments("count --schema " + schema()), "no column 'outcome'");
  EXPECT_FALSE(std::filesystem::exists(ledger()));
}

}  // namespace
}  // namespace sotto::cli
