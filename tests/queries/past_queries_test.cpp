// What was answered can be read again, from the ledger alone.
#include "queries/past_queries.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "plan/ledger_header.h"
#include "sotto/queries/queries.h"
#include "tests/core/temporary_folder.h"

namespace sotto::queries {
namespace {

using mechanisms::Statistic;
using mechanisms::TableQuery;

class PastQueriesTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder / "budget.jsonl"; }

  std::vector<mechanisms::Answer> ask(mechanisms::QueryOptions options) {
    options.budget = {0.1, 0};
    TableQuery query(options, std::vector<std::string>{"age"});
    const LedgerDemands demands{.total = {.epsilon = 1}, .data_identity = "people"};
    auto ledger = QueryLedger::open(path(), demands);
    auto answers = ledger.answer(
        query,
        [](TableQuery& asked) {
          for (int i = 0; i < 50; ++i) asked.add(std::vector<std::string>{std::to_string(i)});
        },
        random);
    EXPECT_TRUE(ledger.kept_answer());
    return answers;
  }
  static mechanisms::QueryOptions median() {
    mechanisms::QueryOptions options;
    options.statistic = Statistic::kQuantile;
    options.types = {{"age", mechanisms::NumberType{}}};
    options.column = "age";
    options.bounds = mechanisms::ValueBounds(0, 100);
    return options;
  }
  static mechanisms::QueryOptions groups() {
    mechanisms::QueryOptions options;
    options.by = "age";
    options.parts = mechanisms::Categories({"7", "a \"b\", c", "ä"});
    return options;
  }

  static void expect_same(const std::vector<mechanisms::Answer>& found,
                          const std::vector<mechanisms::Answer>& given) {
    ASSERT_EQ(found.size(), given.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].label, given[i].label);
      EXPECT_EQ(found[i].release.value, given[i].release.value);
      EXPECT_EQ(found[i].release.low, given[i].release.low);
      EXPECT_EQ(found[i].release.high, given[i].release.high);
      EXPECT_EQ(found[i].release.rank_error, given[i].release.rank_error);
      const double error = given[i].release.standard_error;
      EXPECT_TRUE(std::isnan(error) ? std::isnan(found[i].release.standard_error)
                                    : found[i].release.standard_error == error);
    }
  }

  TemporaryFolder folder;
  SeededRandomNotPrivate random{1};
};

TEST_F(PastQueriesTest, AnswersComeBackAsTheyWere) {
  const std::vector<std::vector<mechanisms::Answer>> given = {ask({}), ask(median()),
                                                              ask(groups())};
  const auto before = read_file(path());
  const auto past = read_past_queries(path());
  EXPECT_EQ(read_file(path()), before);
  ASSERT_EQ(past.queries.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(past.queries[i].answers);
    expect_same(*past.queries[i].answers, given[i]);
    EXPECT_EQ(past.queries[i].charge.cost.epsilon, 0.1);
  }
  EXPECT_EQ(past.queries[1].description["quantile"], 0.5);
  EXPECT_EQ(past.account.spent().epsilon, 0.3);
  EXPECT_EQ(past.account.left().epsilon, 0.7);
  EXPECT_EQ(past.head_hash, Ledger::read(path()).head_hash());
}

// An earlier version, or a process that was killed: there is a charge, and no answer.
TEST_F(PastQueriesTest, AChargeMayHaveNoAnswer) {
  ask({});
  {
    auto ledger = Ledger::resume(path(), Ledger::read(path()).plan);
    ledger.charge_event(
        kQueryEvent,
        {{"query", "count"}, {"epsilon", 0.2}, {"delta", 0}, {"gaussian_multiplier", nullptr}});
    ledger.note("about something else");
  }
  const auto given = ask({});
  const auto past = read_past_queries(path());
  ASSERT_EQ(past.queries.size(), 3U);
  EXPECT_TRUE(past.queries[0].answers);
  EXPECT_FALSE(past.queries[1].answers);
  ASSERT_TRUE(past.queries[2].answers);
  expect_same(*past.queries[2].answers, given);
  EXPECT_EQ(past.account.spent().epsilon, 0.4);
}

TEST_F(PastQueriesTest, RefusesWhatDoesNotFit) {
  ask({});
  const std::string head = Ledger::read(path()).head_hash();
  EXPECT_NO_THROW(read_past_queries(path(), head));
  EXPECT_THROW(read_past_queries(path(), std::string(64, 'a')), LedgerRefused);
  for (const char* note : {R"({"answer_to":9,"answers":[{"value":1,"low":1,"high":1}]})",
                           R"({"answer_to":1,"answers":[]})", R"({"answer_to":1})",
                           R"({"answer_to":1,"answers":[{"value":"1"}]})", R"({"answer_to":)"}) {
    const auto kept = read_file(path());
    Ledger::resume(path(), Ledger::read(path()).plan).note(note);
    EXPECT_THROW(read_past_queries(path()), InvalidArgument) << note;
    write_file_atomically(path(), kept);
  }
}

TEST_F(PastQueriesTest, ATrainingRunHasNoBudgetForQueriesAtFirst) {
  PlanOptions options;
  options.dataset_size = 1000;
  options.batch_size = 100;
  options.steps = 50;
  options.noise_multiplier = 2;
  Ledger::create(path(), TrainingHeader{Plan(options)}.to_json()).charge_steps(50);
  EXPECT_THROW(read_past_queries(path()), LedgerRefused);
}

}  // namespace
}  // namespace sotto::queries
