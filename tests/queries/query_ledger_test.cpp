// The protocol of queries: first the charge, on the disk; then the records; then the answer.
#include "sotto/queries/queries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "plan/ledger_header.h"
#include "tests/core/temporary_folder.h"

namespace sotto::queries {
namespace {

using mechanisms::TableQuery;
using testing::HasSubstr;
using testing::Not;

TableQuery count_query(double epsilon) {
  mechanisms::QueryOptions options;
  options.types = {{"age", mechanisms::NumberType{}}};
  options.where = "age>40";
  options.budget = {epsilon, 0};
  return {options, std::vector<std::string>{"age"}};
}

PlanOptions small_training() {
  PlanOptions options;
  options.dataset_size = 1000;
  options.batch_size = 100;
  options.steps = 50;
  options.noise_multiplier = 2;
  return options;
}

class QueryLedgerTest : public testing::Test {
 protected:
  static LedgerDemands demands(std::optional<double> epsilon = 1, const char* table = "people") {
    return {.total = {.epsilon = epsilon}, .data_identity = table};
  }
  QueryLedger open(const LedgerDemands& wanted = demands()) const {
    return QueryLedger::open(path(), wanted);
  }
  std::filesystem::path path() const { return folder / "budget.jsonl"; }
  std::vector<LedgerEvent> events() const { return Ledger::read(path()).events; }

  // A hundred records, of which 59 are above 40.
  static void add_records(TableQuery& query) {
    for (int age = 0; age < 100; ++age) query.add(std::vector<std::string>{std::to_string(age)});
  }
  double ask(QueryLedger& ledger, double epsilon) {
    TableQuery query = count_query(epsilon);
    return ledger.answer(query, add_records, random).at(0).release.value;
  }
  void expect_refused(const LedgerDemands& wanted, Refusal refusal) const {
    const auto before = std::filesystem::exists(path()) ? read_file(path()) : "";
    try {
      open(wanted);
      ADD_FAILURE() << "opened";
    } catch (const LedgerRefused& error) {
      EXPECT_EQ(error.refusal(), refusal) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(": " + error.reason()));
      EXPECT_THAT(error.what(), Not(HasSubstr("--")));  // flags are the program's
    }
    EXPECT_EQ(std::filesystem::exists(path()) ? read_file(path()) : "", before);
  }

  TemporaryFolder folder;
  SecureRandom random;
};

TEST_F(QueryLedgerTest, ChargesBeforeARecordIsRead) {
  QueryLedger ledger = open();
  TableQuery query = count_query(0.25);
  std::vector<LedgerEvent> seen;
  ledger.answer(
      query,
      [&](TableQuery& asked) {
        seen = events();  // from the file
        add_records(asked);
      },
      random);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].name, "query");
  EXPECT_EQ(seen[0].description, nlohmann::json({{"query", "count"},
                                                 {"noise", "laplace"},
                                                 {"where", "age>40"},
                                                 {"epsilon", 0.25},
                                                 {"delta", 0.0},
                                                 {"gaussian_multiplier", nullptr}}));
  EXPECT_EQ(ledger.account().left().epsilon, 0.75);
  EXPECT_EQ(ledger.head_hash(), Ledger::read(path()).head_hash());
}

TEST_F(QueryLedgerTest, AnswersAreAboutTheRecords) {
  QueryLedger ledger = open(demands(1000));
  EXPECT_NEAR(ask(ledger, 20), 59, 3);
}

TEST_F(QueryLedgerTest, TheQuestionHasTheNameItWasAskedBy) {
  QueryLedger ledger = open();
  TableQuery query = count_query(0.25);
  ledger.answer(query, add_records, random, "histogram");
  EXPECT_EQ(events()[0].description.at("query"), "histogram");
}

TEST_F(QueryLedgerTest, BeyondTheBudgetNoRecordIsRead) {
  QueryLedger ledger = open();
  for (int i = 0; i < 4; ++i) ask(ledger, 0.25);
  const auto before = read_file(path());
  TableQuery query = count_query(0.25);
  EXPECT_THROW(ledger.answer(
                   query, [](TableQuery&) { ADD_FAILURE() << "it read the records"; }, random),
               BudgetExceeded);
  EXPECT_EQ(read_file(path()), before);
  EXPECT_EQ(ledger.account().left().epsilon, 0);
}

TEST_F(QueryLedgerTest, RemembersWhatWasSpent) {
  {
    QueryLedger ledger = open();
    ask(ledger, 0.75);
  }
  QueryLedger ledger = open(demands(std::nullopt));
  EXPECT_EQ(ledger.account().spent().epsilon, 0.75);
  EXPECT_THROW(ask(ledger, 0.5), BudgetExceeded);
  ask(ledger, 0.25);
}

// Records that cannot be read, after the charge: it stays.
TEST_F(QueryLedgerTest, AnAnswerThatFailsIsPaid) {
  {
    QueryLedger ledger = open();
    TableQuery query = count_query(0.25);
    EXPECT_THROW(ledger.answer(
                     query, [](TableQuery&) { throw std::runtime_error("no more"); }, random),
                 std::runtime_error);
  }
  EXPECT_EQ(events().size(), 1U);
  EXPECT_EQ(open().account().spent().epsilon, 0.25);
}

// kill -9 between charge and answer.
TEST_F(QueryLedgerTest, ADeadProcessHasPaid) {
  const pid_t child = fork();
  if (child == 0) {
    QueryLedger ledger = open();
    TableQuery query = count_query(0.25);
    ledger.answer(
        query, [](TableQuery&) { kill(getpid(), SIGKILL); }, random);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  QueryLedger ledger = open(demands(std::nullopt));
  EXPECT_EQ(ledger.account().spent().epsilon, 0.25);
  ask(ledger, 0.25);
  EXPECT_EQ(ledger.account().spent().epsilon, 0.5);
}

TEST_F(QueryLedgerTest, OthersWaitForTheirTurn) {
  auto first = std::make_unique<QueryLedger>(open());
  std::thread other([&] {
    QueryLedger second = open();
    EXPECT_EQ(second.account().spent().epsilon, 0.25);
  });
  ask(*first, 0.25);
  first.reset();
  other.join();
}

TEST_F(QueryLedgerTest, DemandsTheHead) {
  std::string head;
  {
    QueryLedger ledger = open();
    head = ledger.head_hash();
  }
  const auto kept = read_file(path());
  auto wanted = demands();
  wanted.head = head;
  {
    QueryLedger ledger = open(wanted);
    ask(ledger, 0.25);
    wanted.head = ledger.head_hash();
  }
  open(wanted);
  write_file_atomically(path(), kept);
  expect_refused(wanted, Refusal::kHead);
  std::filesystem::remove(path());
  expect_refused(wanted, Refusal::kNoLedger);
}

TEST_F(QueryLedgerTest, IsForOneTable) {
  open();
  expect_refused(demands(1, "others"), Refusal::kChangedTable);
  EXPECT_THROW(open(demands(1, "")), InvalidArgument);
}

// It is recorded with the first query about the new table, and not before.
TEST_F(QueryLedgerTest, GoesOnWithAChangedTableIfThatIsAccepted) {
  {
    QueryLedger ledger = open(demands(1, "people"));
    ask(ledger, 0.25);
  }
  auto grown = demands(1, "more people");
  grown.accept_data_change = true;
  EXPECT_EQ(open(grown).data_changes(), 0U);
  EXPECT_EQ(events().size(), 1U);
  {
    QueryLedger ledger = open(grown);
    ask(ledger, 0.25);
    EXPECT_EQ(ledger.data_changes(), 1U);
    EXPECT_EQ(ledger.account().spent().epsilon, 0.5);
    ask(ledger, 0.25);  // the same table: no second change
    EXPECT_EQ(ledger.data_changes(), 1U);
  }
  EXPECT_EQ(events().size(), 4U);
  expect_refused(demands(1, "people"), Refusal::kChangedTable);
  EXPECT_EQ(open(demands(1, "more people")).account().spent().epsilon, 0.75);
}

TEST_F(QueryLedgerTest, OlderLedgersTakeEveryTable) {
  Ledger::create(path(), QueriesHeader{{{1, 0}}}.to_json());
  for (const char* table : {"people", "others"}) {
    QueryLedger ledger = open(demands(std::nullopt, table));
    ask(ledger, 0.25);
  }
  EXPECT_EQ(events().size(), 2U);
}

TEST_F(QueryLedgerTest, ABudgetDoesNotChange) {
  expect_refused(demands(std::nullopt), Refusal::kNoTotal);
  open();
  expect_refused(demands(2), Refusal::kTotalEpsilon);
  auto wanted = demands();
  wanted.total.delta = 1e-5;
  expect_refused(wanted, Refusal::kTotalDelta);
  wanted.total.delta = 0;
  wanted.total.composing = mechanisms::Composing::kTight;
  expect_refused(wanted, Refusal::kComposition);
}

TEST_F(QueryLedgerTest, ATotalThatIsNoBudgetLeavesNoFile) {
  EXPECT_THROW(open(demands(-1)), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(QueryLedgerTest, RefusesChargesItCannotPrice) {
  open();
  Ledger::open(path(), Ledger::read(path()).plan).charge_event("histogram", {{"epsilon", 0.1}});
  EXPECT_THROW(open(), InvalidArgument);
  std::filesystem::remove(path());
  open();
  Ledger::open(path(), Ledger::read(path()).plan).charge_event("query", {{"epsilon", 0.1}});
  EXPECT_THROW(open(), InvalidArgument);
  std::filesystem::remove(path());
  open();
  Ledger::open(path(), Ledger::read(path()).plan).charge_step();
  EXPECT_THROW(open(), InvalidArgument);
}

TEST_F(QueryLedgerTest, SharesATrainingRunsLedger) {
  const Plan plan(small_training());
  Ledger::create(path(), TrainingHeader{plan}.to_json()).charge_steps(50);
  expect_refused(demands(std::nullopt), Refusal::kNoTotal);
  expect_refused(demands(4), Refusal::kTotalDeltaOfZero);
  auto wanted = demands(4);
  wanted.total.delta = 1e-5;
  const double trained = Spend{plan, 50}.cost_at_delta(0.5e-5).epsilon;
  {
    QueryLedger ledger = open(wanted);
    EXPECT_TRUE(events().empty());  // nothing was asked yet
    ask(ledger, 0.25);
    EXPECT_NEAR(ledger.account().spent().epsilon, trained + 0.25, 1e-7);
  }
  ASSERT_EQ(events().size(), 2U);
  EXPECT_EQ(events()[0].name, "query budget");
  EXPECT_NEAR(open(demands(std::nullopt)).account().spent().epsilon, trained + 0.25, 1e-7);
  expect_refused(demands(4, "others"), Refusal::kTable);
  expect_refused(demands(5), Refusal::kTotalEpsilon);
}

// Nobody could tell whether the table is the one that was trained on.
TEST_F(QueryLedgerTest, ARunThatRecordedNoDataAnswersNothing) {
  Ledger::create(path(), TrainingHeader{Plan(small_training())}.to_json()).charge_steps(50);
  write_file_atomically(path().parent_path() / "config.json",
                        R"({"dataset": "digits", "data_identity": ""})");
  write_file_atomically(path().parent_path() / "privacy.json", "{}");
  auto wanted = demands(4);
  wanted.total.delta = 1e-5;
  expect_refused(wanted, Refusal::kTable);
}

// Where it will end may yet be chosen by its results.
TEST_F(QueryLedgerTest, ARunThatHasNotEndedAnswersNothing) {
  Ledger::create(path(), TrainingHeader{Plan(small_training())}.to_json()).charge_steps(50);
  write_file_atomically(path().parent_path() / "config.json", R"({"dataset": "digits"})");
  auto wanted = demands(4);
  wanted.total.delta = 1e-5;
  EXPECT_THROW(open(wanted), NoValidAnalysis);
}

// Queries are about the records that the run held out as well.
TEST_F(QueryLedgerTest, ALouderHeldOutReleaseIsWhatTrainingCost) {
  const Plan plan(small_training());
  Ledger::create(path(), TrainingHeader{plan}.to_json()).charge_steps(50);
  const double trained = Spend{plan, 50}.cost_at_delta(0.5e-5).epsilon;
  const auto held_out = path().parent_path() / "held_out.jsonl";
  auto wanted = demands(40);
  wanted.total.delta = 1e-5;
  Ledger::create(held_out, {{"epsilon", trained / 2}, {"delta", 0}});
  EXPECT_NEAR(open(wanted).account().spent().epsilon, trained, 1e-7);
  std::filesystem::remove(held_out);
  Ledger::create(held_out, {{"epsilon", 20}, {"delta", 0}});
  EXPECT_NEAR(open(wanted).account().spent().epsilon, 20, 1e-6);
  std::filesystem::remove(held_out);
  Ledger::create(held_out, {{"epsilon", 1}, {"not_private", "noise came from a seed"}});
  EXPECT_THROW(open(wanted), InvalidArgument);
}

// A run may yet release it: asking first must not make it cheaper.
TEST_F(QueryLedgerTest, WhatIsSetAsideForHeldOutRecordsCountsBeforeItIsReleased) {
  auto options = small_training();
  options.held_out_epsilon = 20;
  Ledger::create(path(), TrainingHeader{Plan(options)}.to_json());
  auto wanted = demands(40);
  wanted.total.delta = 1e-5;
  EXPECT_NEAR(open(wanted).account().spent().epsilon, 20, 1e-6);
}

TEST_F(QueryLedgerTest, RefusesTrainingThatDoesNotAddUp) {
  auto wanted = demands(4);
  wanted.total.delta = 1e-5;
  auto fixed = small_training();
  fixed.sampling = accounting::Sampling::kFixedSize;
  auto released = small_training();
  released.releases = {{"label counts", 10}};
  auto searched = small_training();
  searched.bounded = BoundedNoise{NoiseStrategy::kGlobal, {}, {1}};
  searched.clipping = SearchedClipping{};
  auto of_persons = small_training();
  of_persons.fill_batches = false;
  of_persons.group_size = 2;
  for (const auto& header :
       {TrainingHeader{Plan(fixed)}, TrainingHeader{Plan(released)}, TrainingHeader{Plan(searched)},
        TrainingHeader{Plan(of_persons)}, TrainingHeader{Plan(small_training()), "a seed"}}) {
    Ledger::create(path(), header.to_json());
    EXPECT_THROW(open(wanted), NoValidAnalysis) << header.to_json();
    std::filesystem::remove(path());
  }
}

}  // namespace
}  // namespace sotto::queries
