// `sotto query` asked of a table and of its neighbours: one hostile line more changes noised
// numbers and nothing else, and those by one record at most.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "data/record_lines.h"
#include "plan/ledger.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

using nlohmann::json;

// Of which one record moves an answer by `reach` at most; a mean's of at least 200 records.
struct Question {
  std::string text;
  double reach;
};

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      {"count", 1},
      {"count --where 'age>40'", 1},
      {"count --where 'not age>40 or pay!=1100'", 1},
      {"count --where \"city='Lyon' and not name=q\"", 1},
      {"count --by city --groups Lyon,Paris", 1},
      {"sum pay --bounds 0,1500", 1500},
      {"sum pay --bounds -2000,1500 --by city --groups Lyon,Paris", 2000},
      {"mean age --bounds 0,120", 120.0 / 200},
      {"mean pay --bounds 0,3000 --by city --groups Lyon,Paris --where 'age>=20'", 3000.0 / 200},
      {"median age --bounds 0,120 --grid 1", 1},
      {"quantile pay --quantile 0.9 --bounds 0,3000 --grid 1 --by city --groups Lyon,Paris", 8},
      {"table --columns city,age --categories city=Lyon,Paris --bins age=0,40,80", 1},
      {"histogram age --bins 0,40,60,80", 1},
      {"histogram city --categories Lyon,Paris,Nice", 1}};
  return all;
}

const std::vector<std::string>& hostile_lines() {
  static const std::vector<std::string> all = {
      "p,abc,Lyon,xyz",
      "p,nan,nan,nan",
      "p,inf,-inf,inf",
      "p,1e400,Lyon,-1e400",
      "\"p,1,Lyon,2",                                          // a quote that swallows
      "p,1,\"Lyon,2",                                          // what follows
      "p,1,Lyon,\"2",                                          //
      "p\",1,Lyon,2",                                          //
      "\"p\"x,1,Lyon,2",                                       //
      "only,three,fields",                                     //
      "one,field,too,many,here",                               //
      "",                                                      //
      ",,,",                                                   //
      "p,1,Lyon\r,2",                                          //
      std::string("p,1,Ly\0on,2", 11),                         //
      std::string("\0", 1),                                    //
      "p\xFF,\xC3\x28,\xFE,\x80",                              // no UTF-8
      "\xEF\xBB\xBFp,1,Lyon,2",                                //
      "p,1," + std::string(10'000'000, 'x') + ",2",            //
      "p,1,Lyon,1" + std::string(500'000, '0'),                //
      std::string(3 * data::RecordLines::kLongestLine, '"')};  //
  return all;
}

enum class Place { kTop, kBottom };

class QueryNeighboursTest : public testing::Test {
 protected:
  // Names are quoted, so that one quote too many would turn all quoting round.
  void write_table(const std::string* line, Place place) const {
    std::ofstream out(data(), std::ios::binary);
    out << "name,age,city,pay\n";
    if (line != nullptr && place == Place::kTop) out << *line << '\n';
    for (int i = 0; i < 1000; ++i) {
      out << "\"p, " << i << "\"," << 20 + i % 60 << ',' << (i % 4 == 0 ? "Lyon" : "Paris") << ','
          << 1000 + i << '\n';
    }
    if (line != nullptr && place == Place::kBottom) out << *line;
  }

  // With a new ledger.
  Outcome ask(const std::string& rest) const {
    std::filesystem::remove(ledger());
    return run_program("query --data " + data() + " --ledger " + ledger() +
                       " --total-epsilon 1e9 --epsilon 1000 --type age=number --type pay=number " +
                       rest);
  }

  std::string data() const { return (folder.path() / "people.csv").string(); }
  std::string ledger() const { return (folder.path() / "budget.json").string(); }

  TemporaryFolder folder;
};

// The numbers that noise is in, taken out of the object.
std::vector<double> take_values(json& answer) {
  std::vector<double> values;
  auto answers = answer.contains("answers") ? answer["answers"] : json::array({answer["answer"]});
  for (auto& each : answers) {
    values.push_back(each["value"].get<double>());
    for (const char* noised : {"value", "low", "high", "standard_error"}) each.erase(noised);
  }
  answer.erase("answer");
  answer["answers"] = answers;
  EXPECT_EQ(answer["ledger_head"].get<std::string>().size(), 64U);
  answer.erase("ledger_head");
  return values;
}

// What the ledger says, apart from what is random in it.
json charges_in(const std::string& path) {
  const auto ledger = Ledger::read(path);
  json said = ledger.plan;
  EXPECT_EQ(said["data"].get<std::string>().size(), 64U);
  said.erase("data");
  for (const auto& event : ledger.events) said["events"].push_back(event.description);
  return said;
}

TEST_F(QueryNeighboursTest, OneLineMovesNoisedNumbersOnly) {
  for (const auto& question : questions()) {
    write_table(nullptr, Place::kTop);
    const auto without = ask("--json " + question.text);
    ASSERT_EQ(without.status, 0) << without.err;
    json expected = without.json();
    const auto values = take_values(expected);
    const auto charged = charges_in(ledger());
    for (const auto& line : hostile_lines()) {
      for (const auto place : {Place::kTop, Place::kBottom}) {
        write_table(&line, place);
        const auto with = ask("--json " + question.text);
        const auto what = question.text + " with " + line.substr(0, 30);
        ASSERT_EQ(with.status, 0) << what << with.err;
        EXPECT_EQ(with.err, without.err) << what;
        json found = with.json();
        const auto moved = take_values(found);
        EXPECT_EQ(found, expected) << what;
        EXPECT_EQ(charges_in(ledger()), charged) << what;
        ASSERT_EQ(moved.size(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          // Noise of a thousandth of the reach on each, beyond 40 times that once in e^40.
          EXPECT_LE(std::abs(moved[i] - values[i]), question.reach * 1.08) << what;
        }
      }
    }
  }
}

// Semicolons and decimal commas: recognised by the first line, and declared by a schema.
TEST_F(QueryNeighboursTest, OtherSignsDependOnNoRowEither) {
  const auto schema = (folder.path() / "schema.json").string();
  std::ofstream(schema) << R"({"label": "city", "classes": ["Lyon", "Paris"], "separator": ";",
      "decimal": ",", "drop": ["name"],
      "columns": {"age": {"low": 0, "high": 120}, "pay": {"low": 0, "high": 3000}}})";
  const auto write_rows = [&](const std::string& line) {
    std::ofstream out(data(), std::ios::binary);
    out << "name;age;city;pay\n" << line << "\n\"p; 1\";40,5;Lyon;1000\n";
  };
  for (const std::string& question :
       {std::string("--json sum pay --bounds 0,1500"),
        "--json count --where 'age>40.4' --schema " + schema,
        "--json median pay --grid 1 --schema " + schema,
        "--json mean age --schema " + schema + " --where 'pay>999,5'"}) {
    write_rows("");
    const auto without = ask(question);
    for (std::string line : hostile_lines()) {
      if (line.size() < 100) std::replace(line.begin(), line.end(), ',', ';');
      write_rows(line);
      const auto with = ask(question);
      EXPECT_EQ(with.status, without.status) << question;
      EXPECT_EQ(with.err, without.err) << question;
      if (without.status != 0) continue;
      json expected = without.json();
      json found = with.json();
      const auto values = take_values(expected);
      const auto moved = take_values(found);
      EXPECT_EQ(found, expected) << question;
      EXPECT_EQ(moved.size(), values.size());
    }
  }
}

// As people see it: all but the answers and the ledger's head.
std::string fixed_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string fixed;
  for (std::string line; std::getline(lines, line);) {
    const bool noised = line.starts_with("Answer") || line.starts_with("Ledger");
    fixed += (noised ? line.substr(0, 6) : line) + '\n';
  }
  return fixed;
}

TEST_F(QueryNeighboursTest, PeopleSeeNoDifferenceEither) {
  write_table(nullptr, Place::kTop);
  const auto count = ask("count --where 'age>40'");
  const auto wrong = ask("sum wage --bounds 0,1");
  EXPECT_EQ(wrong.status, 2);
  for (const auto& line : hostile_lines()) {
    write_table(&line, Place::kTop);
    const auto counted = ask("count --where 'age>40'");
    EXPECT_EQ(counted.status, count.status);
    EXPECT_EQ(counted.err, count.err);
    EXPECT_EQ(fixed_lines(counted.out), fixed_lines(count.out));
    const auto refused = ask("sum wage --bounds 0,1");
    EXPECT_EQ(refused.status, wrong.status);
    EXPECT_EQ(refused.err, wrong.err);
  }
}

// A table of one record, and without it; a column that is no number anywhere, and almost nowhere.
TEST_F(QueryNeighboursTest, TheLastRecordIsNoException) {
  const auto with_rows = [&](const std::string& rows, const std::string& question) {
    std::ofstream(data(), std::ios::binary) << "name,age,city,pay\n" << rows;
    const auto outcome = ask("--json " + question);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    json answer = outcome.json();
    take_values(answer);
    return answer.dump() + outcome.err;
  };
  for (const auto& question : questions()) {
    const auto none = with_rows("", question.text);
    EXPECT_EQ(with_rows("p,1,Lyon,2\n", question.text), none) << question.text;
    EXPECT_EQ(with_rows("p,text,Lyon,text\n", question.text), none) << question.text;
  }
}

}  // namespace
}  // namespace sotto::cli
