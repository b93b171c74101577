// sotto schema init and check, and data show, by the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/atomic_file.h"
#include "data/csv_schema.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class SchemaTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    write_file_atomically(path(name), bytes);
  }
  Outcome init(const std::string& arguments) const {
    return run_program("schema init " + path("table.csv") + " " + arguments);
  }
  Outcome check(const std::string& arguments = "") const {
    return run_program("schema check --schema " + path("schema.json") + " " + arguments);
  }

  static constexpr const char* kHeader = "patient;visit;age;bmi;sex;town;admitted;note;outcome\n";
  static constexpr const char* kDeclared =
      "--person patient --id visit --integer age=0:120 --number bmi=10:60 --missing bmi "
      "--category sex=f,m --category 'town=\"Bonn, Nord\",Ulm' --other town "
      "--date admitted=2020-01-01:2026-12-31 --ignore note --label outcome=no,yes ";
  TemporaryFolder folder;
};

TEST_F(SchemaTest, InitWritesTheDecimalSignThatIsSaid) {
  write("table.csv", "age;ill\n");
  const std::string declared = "--number age=0:120 --label ill=no,yes ";
  const auto silent = init(declared);
  EXPECT_THAT(silent.out, Not(HasSubstr("decimal")));
  EXPECT_THAT(silent.err, HasSubstr("--decimal comma or --decimal point"));
  EXPECT_THAT(init(declared + "--decimal point").out, HasSubstr("\"decimal\": \".\""));
  EXPECT_THAT(init(declared + "--decimal comma").out, HasSubstr("\"decimal\": \",\""));
}

TEST_F(SchemaTest, InitWritesWhatTheFlagsDeclare) {
  write("table.csv", kHeader);
  const auto outcome = init(kDeclared + ("--output " + path("schema.json")));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("separated by semicolons"));
  EXPECT_EQ(read_file(path("schema.json")), R"({
  "separator": ";",
  "label": "outcome",
  "classes": ["no", "yes"],
  "ids": ["visit"],
  "person": "patient",
  "drop": ["note"],
  "columns": {
    "age": {"type": "integer", "low": 0, "high": 120},
    "bmi": {"type": "number", "low": 10, "high": 60, "missing": true},
    "sex": {"type": "category", "categories": ["f", "m"]},
    "town": {"type": "category", "categories": ["Bonn, Nord", "Ulm"], "other": true},
    "admitted": {"type": "date", "low": "2020-01-01", "high": "2026-12-31"}
  }
}
)");
  EXPECT_EQ(data::read_csv_schema(path("schema.json")).feature_count(), 8);
}

// The rows are never looked at: whatever they hold, even what no CSV file may, all is the same.
TEST_F(SchemaTest, InitDependsOnTheFirstLineAlone) {
  for (const std::string flags : {kDeclared, "--json", ""}) {
    write("table.csv", kHeader);
    const auto without_rows = init(flags);
    EXPECT_EQ(without_rows.status, 0) << without_rows.err;
    write("table.csv", std::string(kHeader) + "1;2;300;x;z\n\"" + std::string(3, '\0'));
    const auto with_rows = init(flags);
    EXPECT_EQ(with_rows.status, 0);
    EXPECT_EQ(with_rows.out, without_rows.out);
    EXPECT_EQ(with_rows.err, without_rows.err);
  }
}

TEST_F(SchemaTest, WhatIsNotDeclaredIsMarkedAndReported) {
  write("table.csv", "id\tage\ty\n");
  const auto outcome = init("--id id --label y=a,b");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(R"("separator": "\t")"));
  EXPECT_THAT(outcome.out, HasSubstr(R"("age": {"type": "?"})"));
  EXPECT_THAT(outcome.err, HasSubstr("To declare  age (\"?\" in the schema)"));
  write("schema.json", outcome.out);
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.out,
              HasSubstr(path("schema.json") + ":7:13: column 'age': still to declare"));
  const auto json = init("--json --id id").json();
  EXPECT_EQ(json["to_declare"], (nlohmann::json{"age", "y", "(label)"}));
  EXPECT_EQ(json["schema"]["label"], "?");
  EXPECT_TRUE(json["output"].is_null());
}

TEST_F(SchemaTest, InitAsksAboutTheRest) {
  write("table.csv", "id,age,town,seen,later,y\n");
  write("answers.txt",
        "i\nid\n"                                 // 'i' is asked again
        "integer\n120\n120:0\n0:120\nmaybe\ny\n"  // so are a lone number, a wrong order
        "category\nBonn,Ulm\ny\n\n"               // Enter is no
        "d\n2020-01-01:2020-02-30\n2020-01-01:2021-01-01\nN\n"
        "\n"
        "label\nno\nno,yes\n");
  const auto outcome = init("--ask <" + path("answers.txt"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out), json::parse(R"({
    "label": "y", "classes": ["no", "yes"], "ids": ["id"], "columns": {
      "age": {"type": "integer", "low": 0, "high": 120, "missing": true},
      "town": {"type": "category", "categories": ["Bonn", "Ulm"], "other": true},
      "seen": {"type": "date", "low": "2020-01-01", "high": "2021-01-01"},
      "later": {"type": "?"}}})"));
  EXPECT_THAT(outcome.err, HasSubstr("low 120 must be below high 0"));
  EXPECT_THAT(outcome.err, HasSubstr("a schema is public"));
  EXPECT_THAT(outcome.err, HasSubstr("may it be empty? [y/N]"));
  write("answers.txt", "id\n");
  const auto unfinished =
      init("--ask --output " + path("schema.json") + " <" + path("answers.txt"));
  EXPECT_EQ(unfinished.status, 2);
  EXPECT_THAT(unfinished.err, HasSubstr("\nsotto schema: nothing was written: no answer to: age"));
  EXPECT_FALSE(std::filesystem::exists(path("schema.json")));
}

TEST_F(SchemaTest, APublicSampleGivesRangesAndIsNamed) {
  write("table.csv", "id,age,town,y\n1,17,secret,no\n");
  write("public.csv", "id,age,town,y\n1,30,Ulm,no\n2,40,Bonn,yes\n3,,Bonn,yes\n");
  const auto outcome = init("--id id --label y --category town=Ulm,Bonn,Trier --public-sample " +
                            path("public.csv"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out), json::parse(R"({
    "note": "Taken from the public rows of public.csv: age, y.",
    "label": "y", "classes": ["no", "yes"], "ids": ["id"], "columns": {
      "age": {"type": "integer", "low": 30, "high": 40, "missing": true},
      "town": {"type": "category", "categories": ["Ulm", "Bonn", "Trier"]}}})"));
  EXPECT_THAT(outcome.err, HasSubstr("public rows of public.csv"));
  std::filesystem::create_hard_link(path("table.csv"), path("link.csv"));
  for (const auto* name : {"table.csv", "link.csv"}) {
    expect_refused("schema init " + path("table.csv") + " --public-sample " + path(name),
                   "the table itself");
  }
}

TEST_F(SchemaTest, BadFlagsAreNamed) {
  write("table.csv", "a,b=c,y\n");
  write("one.csv", "a\n");
  const std::string call = "schema init " + path("table.csv");
  expect_refused(call + " --number agee=0:1",
                 "--number 'agee=0:1': expected a column of the table");
  expect_refused(call + " --number a", "--number 'a': expected NAME=LOW:HIGH");
  expect_refused(call + " --number a=5", "--number '5': expected two numbers");
  expect_refused(call + " --number a=5:1", "column 'a': low 5 must be below high 1");
  expect_refused(call + " --date a=1:2", "--date '1:2': expected two dates");
  expect_refused(call + " --category a=p,,q", "--category 'p,,q': expected values");
  expect_refused(call + " --label y=p,p", "'classes' names a value twice");
  expect_refused(call + " --label y=p,q --label a=p,q", "two labels: a, y");
  expect_refused(call + " --id a --number a=0:1", "--id 'a': is declared twice");
  expect_refused(call + " --id a=1", "--id 'a=1': expected the name");
  expect_refused(call + " --id a --missing a", "--missing 'a': is for columns that are inputs");
  expect_refused(call + " --other a", "--other 'a': is for columns of --category");
  expect_refused(call + " --separator '|'", "--separator '|': expected comma, semicolon or tab");
  expect_refused(call + " --decimal x", "--decimal 'x': expected point or comma");
  expect_refused("schema init " + path("one.csv"), "its first line is one column name");
  EXPECT_EQ(run_program("schema init --separator comma " + path("one.csv")).status, 0);
  write("mixed.csv", "a,b;c\n");
  expect_refused("schema init " + path("mixed.csv"), "as many of one separator as of another");
  write("latin.csv",
        "age,Gr\xF6\xDF"
        "e,y\n");
  for (const char* flags : {"", " --json", " --number age=0:1"}) {
    expect_refused("schema init " + path("latin.csv") + flags,
                   "latin.csv, line 1: the column name");
  }
  expect_refused(call + " --category a=p,\xF6", "values of column 'a' are not UTF-8");
  expect_refused("schema init " + path("none.csv"), "TABLE");
  expect_refused(call + " --force -o " + path("table.csv"), "is read as well");
  EXPECT_THAT(init("--number b=c=0:1").out, HasSubstr(R"("b=c": {"type": "number")"));
}

constexpr const char* kFiveProblems = R"({
  "label": "outcome", "classes": ["no"],
  "columns": {
    "age": {"type": "integer", "low": 120, "high": 0},
    "sex": {"categories": ["f", "f"]},
    "admitted": {"type": "date", "low": "2020-13-01", "high": "2026-12-31"},
    "bmi": {"low": 10, "high": 60, "missing": "?"}
  }
})";

TEST_F(SchemaTest, CheckListsAllProblemsAtOnce) {
  write("schema.json", kFiveProblems);
  const auto outcome = check();
  EXPECT_EQ(outcome.status, 2);
  const auto name = path("schema.json");
  EXPECT_EQ(
      outcome.out,
      name + ":2:23: 'classes' must be a list of at least 2 strings\n" +  //
          name + ":4:32: column 'age': low 120 must be below high 0\n" + name +
          ":5:13: column 'sex': 'categories' names a value twice\n" + name +
          ":6:34: column 'admitted': 'low' must be given as a date, such as \"2024-12-31\"\n" +
          name + ":7:36: column 'bmi': 'missing' must be given as a finite number\n" +
          "5 problems.\n");
  const auto json = run_program("schema check --json --schema " + name);
  EXPECT_EQ(json.status, 2);
  EXPECT_EQ(json.json()["schema"]["problems"].size(), 5U);
  EXPECT_EQ(json.json()["schema"]["problems"][1]["line"], 4);
  EXPECT_EQ(json.json()["ok"], false);
  // Train says the first of them, and trains nothing.
  write("table.csv", "age,sex,admitted,bmi,outcome\n");
  expect_refused(
      "train --dataset csv:" + path("table.csv") + " --schema " + name + " --output " + path("run"),
      "'classes' must be a list of at least 2 strings");
}

TEST_F(SchemaTest, CheckReadsTheTableToo) {
  write("table.csv", std::string(kHeader) +
                         "1;1;30;22.5;f;\"Bonn, Nord\";2024-02-29;x;no\n"
                         "1;2;130;;m;Ulm;2019-12-31;x;yes\n");
  write("schema.json", init(kDeclared).out);
  const auto sound = check(path("table.csv"));
  EXPECT_EQ(sound.status, 0) << sound.out;
  EXPECT_EQ(sound.out,
            path("table.csv") +
                ", line 3, column 'age': outside the declared range, whose end will stand for it "
                "(allowed)\n" +
                path("table.csv") +
                ", line 3, column 'admitted': outside the declared range, whose end will stand for "
                "it (allowed)\n" +
                path("table.csv") +
                ", column 'patient': at most 2 rows per person; --group-size K, which is "
                "published, covers everybody unless K is smaller\nNo problems in 2 rows.\nWhat is "
                "said here about rows of the table "
                "is private: do not publish it.\n");
  write("table.csv", std::string(kHeader) +
                         "1;1;30,5;22,5;f;Ulm;29.02.2024;x;no\n"
                         "1;2;30;22;d;Ulm;2024-02-29;x;\n"
                         "1;2;30;22;d;Ulm;2024-02-29\n");
  const auto unsound = check(path("table.csv"));
  EXPECT_EQ(unsound.status, 2);
  EXPECT_THAT(unsound.out, HasSubstr("line 2, column 'age': '30,5' is not a finite number; "
                                     "\"decimal\": \",\" in the schema would allow it"));
  EXPECT_THAT(unsound.out, HasSubstr("line 2, column 'admitted': '29.02.2024' is not a date"));
  EXPECT_THAT(unsound.out, HasSubstr("line 3, column 'sex': 'd' is not a category"));
  EXPECT_THAT(unsound.out, HasSubstr("line 3, column 'outcome': '' is not a class"));
  EXPECT_THAT(unsound.out, HasSubstr("line 4: 7 fields, must be 9"));
  EXPECT_THAT(unsound.out, HasSubstr("6 problems in 3 rows"));
  write("one.csv", std::string(kHeader) + "1;2;30;22;d;Ulm;2024-02-29;x;no\n");
  EXPECT_THAT(check(path("one.csv")).out, HasSubstr("1 problem in 1 row.\n"));
  const auto json = check("--json " + path("table.csv")).json();
  EXPECT_EQ(json["table"]["problems"].size(), 6U);
  EXPECT_EQ(json["table"]["problems"][0]["lines"], (nlohmann::json{2}));
  EXPECT_THAT(json["table"]["private"].get<std::string>(), HasSubstr("do not publish"));
}

TEST_F(SchemaTest, CheckSaysHowManyRowsAPersonHas) {
  write("table.csv", std::string(kHeader) +
                         "1;1;30;;f;Ulm;2024-02-29;x;no\n;2;30;;f;Ulm;2024-02-29;x;no\n"
                         "1;3;30;;f;Ulm;2024-02-29;x;no\n2;4;30;;f;Ulm;2024-02-29;x;no\n");
  write("schema.json", init(kDeclared).out);
  EXPECT_THAT(check(path("table.csv")).out,
              HasSubstr("column 'patient': at most 2 rows per person, and 1 row of nobody; "));
  const auto json = check("--json " + path("table.csv")).json();
  EXPECT_EQ(json["table"]["person"],
            nlohmann::json({{"column", "patient"}, {"most_rows", 2}, {"rows_without", 1}}));
  EXPECT_EQ(json["ok"], true);
  write("table.csv", kHeader);
  EXPECT_THAT(check(path("table.csv")).out, Not(HasSubstr("per person")));
  write("table.csv", "age;ill\n30;no\n");
  write("schema.json", init("--number age=0:120 --label ill=no,yes").out);
  EXPECT_TRUE(check("--json " + path("table.csv")).json()["table"]["person"].is_null());
}

// Each row with a bad value of its own: as many lines would bury the rest.
TEST_F(SchemaTest, CheckListsAFewProblemsOfAColumn) {
  std::string rows = kHeader;
  for (int i = 0; i < 40; ++i) {
    rows += "1;1;x" + std::to_string(i % 20) + ";;d;Ulm;2024-02-29;x;no\n";
  }
  write("table.csv", rows);
  write("schema.json", init(kDeclared).out);
  const auto text = check(path("table.csv")).out;
  EXPECT_THAT(text, HasSubstr("lines 6, 26, column 'age': 'x4' is not"));
  EXPECT_THAT(text, Not(HasSubstr("'x5'")));
  EXPECT_THAT(text, HasSubstr(", column 'age': ... and 30 more lines with other problems"));
  EXPECT_THAT(text, HasSubstr("lines 2, 3, 4, 5, 6 and 35 more, column 'sex': 'd' is not"));
  EXPECT_THAT(text, HasSubstr("\n21 problems in 40 rows."));
  const auto json = check("--json " + path("table.csv")).json();
  EXPECT_EQ(json["table"]["problems"].size(), 21U);
  EXPECT_EQ(json["table"]["unlisted"], nlohmann::json::array());
}

// All names that the schema does not know are told at once.
TEST_F(SchemaTest, CheckListsEveryProblemOfTheHeader) {
  write("table.csv", kHeader);
  write("schema.json", init(kDeclared).out);
  write("table.csv", "a;b;c;d;e;f;g;" + std::string(kHeader) + "1;1;1;1;1;1;1;1\n");
  const auto text = check(path("table.csv")).out;
  for (const auto* name : {"'a'", "'f'", "'g'"}) EXPECT_THAT(text, HasSubstr(name));
}

TEST_F(SchemaTest, CheckNamesTheSeparatorThatTheTableHas) {
  write("table.csv", kHeader);
  write("schema.json", init(std::string(kDeclared)).out);
  write("table.csv", "patient\tvisit\tage\n1\t2\t3\n");
  EXPECT_THAT(check(path("table.csv")).out,
              HasSubstr("line 1: the columns seem to be separated by tabs, but the schema says "
                        "semicolons; \"separator\": \"\\t\" in the schema would allow it"));
}

TEST_F(SchemaTest, DataShowSaysWhatColumnsBecome) {
  write("table.csv", kHeader);
  write("schema.json", init(kDeclared).out);
  write("table.csv", std::string(kHeader) + "no row is read, \"whatever\"\n");
  const auto show = "data show csv:" + path("table.csv") + " --schema " + path("schema.json");
  const auto outcome = run_program(show);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("integer from 0 to 120"));
  EXPECT_THAT(outcome.out, HasSubstr("date from 2020-01-01 to 2026-12-31"));
  EXPECT_THAT(outcome.out, HasSubstr("input 3: 1 if missing"));
  EXPECT_THAT(outcome.out, HasSubstr("input 7: 1 if Ulm"));
  const auto json = run_program(show + " --json").json();
  EXPECT_EQ(json["inputs"], 8);
  EXPECT_EQ(json["columns"].size(), 9U);
  expect_refused("data show csv:" + path("table.csv"), "--schema is missing");
  EXPECT_FALSE(std::filesystem::exists("csv.png"));
}

}  // namespace
}  // namespace sotto::cli
