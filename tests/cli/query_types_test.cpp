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
  EXPECT_EQ(value("count --where \"id='2'\""), 1);  // nothing is declared of it: text
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

TEST_F(QueryTypesTest, SaysWhatIsWrongWithAColumnBeforeItAsksForBounds) {
  const std::string declared = " --schema " + schema();
  expect_refused(arguments("mean ward" + declared), "holds categories, and its mean would need");
  expect_refused(arguments("median admitted" + declared), "holds dates");
  expect_refused(arguments("mean agee" + declared), "column 'agee': the table has no such column");
  expect_refused(arguments("mean agee" + declared), "did you mean 'age'?");
  expect_refused(arguments("count --where 'wrad=Oncology'"), "did you mean 'ward'?");
  expect_refused(arguments("sum id" + declared), "--bounds is missing");
  EXPECT_FALSE(std::filesystem::exists(ledger()));
}

constexpr const char* kOtherSigns = R"({
  "label": "outcome", "classes": ["home", "died"], "separator": ";", "decimal": ",", "drop": ["id"],
  "columns": {"temp": {"low": 30, "high": 45}, "ward": {"categories": ["Oncology; day"]}}})";

TEST_F(QueryTypesTest, ReadsTheSignsThatTheSchemaDeclares) {
  write_file_atomically(schema(), kOtherSigns);
  write_file_atomically(data(),
                        "id;temp;ward;outcome\n1,5;36,5;\"Oncology; day\";home\n"
                        "2;38,5;Oncology;died\n3;37.5;Oncology;died\n4;a;b;c;d\n");
  const auto asked = [&](const std::string& rest) {
    const auto outcome =
        run_program("query --data " + data() + " --ledger " + ledger() + " --schema " + schema() +
                    " --total-epsilon 1e9 --epsilon 10000 --json " + rest);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json();
  };
  EXPECT_EQ(asked("count")["answer"]["value"], 3);
  EXPECT_NEAR(asked("sum temp")["answer"]["value"].get<double>(), 75, 0.1);  // 37.5 is no number
  EXPECT_EQ(asked("count --where 'temp>36.4 and temp<36.6'")["answer"]["value"], 1);
  EXPECT_EQ(asked("count --type id=number --where 'id>1.4 and id<1.6'")["answer"]["value"], 1);
  EXPECT_EQ(asked("count --where \"ward='Oncology; day'\"")["answer"]["value"], 1);
  EXPECT_EQ(asked("histogram temp --bins 30,36.6,40")["answers"][0]["value"], 1);
}

// The first line is public, and says it; what stands below does not matter.
TEST_F(QueryTypesTest, RecognisesTheSeparatorByTheFirstLineAlone) {
  const auto asked = [&](const std::string& rest) {
    return "query --data " + data() + " --ledger " + ledger() +
           " --total-epsilon 1e9 --epsilon 10000 --decimal point " + rest;
  };
  for (const std::string sign : {";", "\t"}) {
    write_file_atomically(data(), "id" + sign + "\"a,b\"" + sign + "ward\n1" + sign + "2.5" + sign +
                                      "x\n2" + sign + "3" + sign + "\"y" + sign + "\"\n1,2,3\n");
    const auto count = run_program(asked("--json count --type id=number --where 'id>0'"));
    EXPECT_EQ(count.json()["answer"]["value"], 2) << count.err;
    const auto text = run_program(asked("sum a,b --type a,b=number --bounds 0,9")).out;
    EXPECT_NE(text.find(sign == ";" ? "separated by semicolons" : "separated by tabs"),
              std::string::npos)
        << text;
    std::filesystem::remove(ledger());
  }
  for (const char* names : {"a,b;c", "a;b\tc", "a,b;c;d"}) {
    for (const char* rows : {"", "1;2\n", "1,2\n"}) {
      write_file_atomically(data(), std::string(names) + "\n" + rows);
      expect_refused(asked("count"), "patients.csv, line 1: nobody can tell");
    }
  }
  write_file_atomically(data(), "id;admitted;age;ward;town;outcome\n");
  expect_refused("query --data " + data() + " --ledger " + ledger() +
                     " --total-epsilon 1 --epsilon 1 count --schema " + schema(),
                 "says that commas separate the columns, but the table's first line shows "
                 "semicolons");
  EXPECT_FALSE(std::filesystem::exists(ledger()));
}

// Taken for text, numbers with decimal commas would be missing from an answer that is charged.
TEST_F(QueryTypesTest, WhereSemicolonsSeparateTheDecimalSignMustBeSaid) {
  write_file_atomically(data(), "id;temp\n1;36,5\n2;38,5\n");
  const auto asked = [&](const std::string& rest) {
    return "query --data " + data() + " --ledger " + ledger() +
           " --total-epsilon 1e9 --epsilon 10000 " + rest;
  };
  for (const char* needs : {"mean temp --bounds 30,40", "median temp --bounds 30,40",
                            "histogram temp --bins 30,35,40", "count --where 'temp>37'"}) {
    expect_refused(asked(std::string("--type temp=number ") + needs),
                   "expected --decimal comma, --decimal point, or a --schema");
  }
  for (const char* equals : {"temp=36.5", "temp!=36.5", "not (id=one and temp==36.5)"}) {
    expect_refused(asked(std::string("count --type temp=number --where '") + equals + "'"),
                   "expected --decimal comma");
  }
  expect_refused(asked("mean tmp --bounds 30,40"), "did you mean 'temp'?");
  expect_refused(asked("mean temp"), "--bounds is missing");
  EXPECT_FALSE(std::filesystem::exists(ledger()));
  EXPECT_EQ(run_program(asked("--json count")).json()["answer"]["value"], 2);
  const auto warm =
      run_program(asked("--json count --decimal comma --type temp=number --where 'temp>37'"));
  EXPECT_EQ(warm.json()["answer"]["value"], 1) << warm.err;
  for (const char* none : {"--type id=date --where 'id>=2024-01-01'", "--where \"id='a<b'\"",
                           "--where 'id=one'", "--type id=text --where 'id=1'"}) {
    EXPECT_EQ(run_program(asked(std::string("count ") + none)).status, 0) << none;
  }
  expect_refused(asked("count --decimal dot"), "--decimal 'dot': expected point or comma");
}

// A schema that does not say it leaves it open.
TEST_F(QueryTypesTest, ASchemaForSemicolonsHasToSayTheDecimalSign) {
  write_file_atomically(data(), "y;temp\na;36,5\nb;38,5\n");
  const auto asked = [&](const std::string& decimal, const std::string& rest) {
    write_file_atomically(schema(), R"({"label": "y", "classes": ["a", "b"], "separator": ";", )" +
                                        decimal +
                                        R"("columns": {"temp": {"low": 30, "high": 45}}})");
    return "query --data " + data() + " --ledger " + ledger() + " --schema " + schema() +
           " --total-epsilon 1e9 --epsilon 10000 --json count --where 'temp>37'" + rest;
  };
  expect_refused(asked("", ""), "or a --schema with \"decimal\"");
  expect_refused(asked(R"("decimal": ",", )", " --decimal comma"), "the schema says it");
  EXPECT_EQ(run_program(asked("", " --decimal comma")).json()["answer"]["value"], 1);
  EXPECT_EQ(run_program(asked(R"("decimal": ",", )", "")).json()["answer"]["value"], 1);
  EXPECT_EQ(run_program(asked(R"("decimal": ".", )", "")).json()["answer"]["value"], 0);
}

// A line on stderr, and in JSON: the same whatever the rows.
TEST_F(QueryTypesTest, SaysThatRowsAreProtectedAndNotThePersonOfTheSchema) {
  auto schema_of_persons = nlohmann::json::parse(kSchema);
  schema_of_persons["drop"] = {"admitted"};
  schema_of_persons["person"] = "id";
  const auto plain = run_program(arguments("count --json --schema " + schema()));
  EXPECT_EQ(plain.err, "");
  EXPECT_EQ(plain.json()["limits"], nlohmann::json::array());
  write_file_atomically(schema(), schema_of_persons.dump());
  const auto outcome = run_program(arguments("count --json --schema " + schema()));
  EXPECT_EQ(outcome.err.find("WARNING: the schema names column 'id' as the person, but ε protects "
                             "one row: "),
            0U)
      << outcome.err;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1);
  ASSERT_EQ(outcome.json()["limits"].size(), 1U);
  EXPECT_NE(outcome.json()["limits"][0].get<std::string>().find("The schema names column 'id'"),
            std::string::npos);
  EXPECT_EQ(run_program(arguments("count --schema " + schema())).err, outcome.err);
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
