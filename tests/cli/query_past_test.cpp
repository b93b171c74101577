// `sotto query status` and `sotto query answers`: what a ledger tells, at no price.
#include <gtest/gtest.h>

#include <fstream>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class QueryPastTest : public testing::Test {
 protected:
  QueryPastTest() { write_file_atomically(folder / "people.csv", "age,sex\n41,F\n42,M\n43,F\n"); }

  std::string ledger() const { return (folder / "budget.json").string(); }
  Outcome query(const std::string& rest) const {
    return run_program("query --data " + (folder / "people.csv").string() + " --ledger " +
                       ledger() + " --epsilon 0.1 --type age=number " + rest);
  }
  Outcome look(const std::string& rest) const {
    return run_program("query --ledger " + ledger() + ' ' + rest);
  }

  TemporaryFolder folder;
};

TEST_F(QueryPastTest, StatusSaysWhatIsLeft) {
  ASSERT_EQ(query("--total-epsilon 1 count").status, 0);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(query("count").status, 0);
  const auto before = read_file(ledger());
  const auto status = look("status");
  ASSERT_EQ(status.status, 0) << status.err;
  for (const char* line : {"Budget      ε = 1, basic composition, under add-remove\n",
                           "Spent       ε = 0.3\n", "Left        ε = 0.7\n", "Answers     3\n"}) {
    EXPECT_NE(status.out.find(line), std::string::npos) << status.out;
  }
  const auto json = look("status --json").json();
  EXPECT_EQ(json["total"]["epsilon"], 1);
  EXPECT_EQ(json["spent"]["epsilon"].dump(), "0.3");
  EXPECT_EQ(json["left"]["epsilon"].dump(), "0.7");
  EXPECT_EQ(json["answers"], 3);
  EXPECT_EQ(json["ledger_head"], Ledger::read(ledger()).head_hash());
  EXPECT_EQ(read_file(ledger()), before);
}

TEST_F(QueryPastTest, AnswersAreShownAgain) {
  const auto first = query("--json --total-epsilon 1 count --where 'age>41'").json();
  const auto second = query("--json histogram sex --categories F,M").json();
  const auto third = query("--json median age --bounds 0,120").json();
  const auto shown = query("table --columns sex,age --categories sex=F,M --bins age=0,42,99").out;
  const auto before = read_file(ledger());
  const auto past = look("answers --json").json();
  ASSERT_EQ(past["queries"].size(), 4U);
  EXPECT_EQ(past["queries"][0]["answer"], first["answer"]);
  EXPECT_EQ(past["queries"][0]["asked"]["where"], "age>41");
  EXPECT_EQ(past["queries"][1]["answers"], second["answers"]);
  EXPECT_EQ(past["queries"][2]["answer"], third["answer"]);
  EXPECT_EQ(past["spent"]["epsilon"].dump(), "0.4");
  const auto text = look("answers").out;
  EXPECT_NE(text.find("Query 1     count, where age>41 (ε = 0.1)\nAnswer      "), std::string::npos)
      << text;
  EXPECT_NE(text.find("Query 3     median of age (ε = 0.1)\n"), std::string::npos) << text;
  EXPECT_NE(text.find(shown.substr(0, shown.find("\nNoise"))), std::string::npos) << text;
  EXPECT_EQ(read_file(ledger()), before);
}

TEST_F(QueryPastTest, SaysThatTheTableChangedAndBeforeWhichAnswer) {
  ASSERT_EQ(query("--total-epsilon 1 count").status, 0);
  EXPECT_EQ(look("status --json").json()["data_changes"], 0);
  EXPECT_EQ(look("status").out.find("changed"), std::string::npos);
  write_file_atomically(folder / "people.csv", "age,sex\n41,F\n42,M\n");
  for (const char* rest : {"--accept-data-change count", "count"}) {
    ASSERT_EQ(query(rest).status, 0) << rest;
  }
  EXPECT_EQ(look("status --json").json()["data_changes"], 1);
  const std::string words = "Data        changed 1 time since this budget was made";
  EXPECT_NE(look("status").out.find(words), std::string::npos) << look("status").out;
  const auto answers = look("answers").out;
  EXPECT_NE(answers.find(words), std::string::npos) << answers;
  EXPECT_NE(answers.find("Query 2     count (ε = 0.1)\nData        changed before this answer\n"),
            std::string::npos)
      << answers;
  EXPECT_EQ(answers.find("changed before"), answers.rfind("changed before")) << answers;
  const auto json = look("answers --json").json();
  EXPECT_EQ(json["data_changes"], 1);
  EXPECT_EQ(json["queries"][0]["data_changes"], 0);
  EXPECT_EQ(json["queries"][1]["data_changes"], 1);
  EXPECT_EQ(json["queries"][2]["data_changes"], 1);
}

TEST_F(QueryPastTest, RefusesWhatIsNotForIt) {
  expect_refused("query status", "--ledger is missing");
  expect_refused("query status --ledger " + ledger(), "--ledger '");
  ASSERT_EQ(query("--total-epsilon 1 count").status, 0);
  expect_refused("query status --epsilon 1 --ledger " + ledger(), "--epsilon: status asks");
  expect_refused("query answers age --ledger " + ledger(), "COLUMN: answers asks");
  expect_refused("query status --ledger " + ledger() + " --ledger-head " + std::string(64, 'a'),
                 "--ledger-head 'aaa");
}

TEST_F(QueryPastTest, ChargesOfEarlierVersionsHaveNoAnswers) {
  ASSERT_EQ(query("--total-epsilon 1 count").status, 0);
  auto lines = read_file(ledger());
  lines.resize(lines.rfind('\n', lines.size() - 2) + 1);  // the note
  write_file_atomically(ledger(), lines);
  EXPECT_EQ(look("answers --json").json()["queries"][0]["kept"], false);
  EXPECT_NE(look("answers").out.find("not kept"), std::string::npos);
  EXPECT_EQ(query("count").status, 0);
  EXPECT_EQ(look("answers --json").json()["queries"][1]["kept"], true);
}

}  // namespace
}  // namespace sotto::cli
