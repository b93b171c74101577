// A ledger's header and spend, typed: whatever an older version wrote is still read.
#include "plan/ledger_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "plan/plan_json.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"

namespace sotto {
namespace {

using accounting::Adjacency;
using accounting::Neighbours;
using nlohmann::json;
using testing::HasSubstr;

PlanOptions poisson_options() {
  PlanOptions options;
  options.dataset_size = 1000;
  options.batch_size = 100;
  options.steps = 40;
  options.noise_multiplier = 1.25;
  return options;
}

PlanOptions searching_options() {
  auto options = poisson_options();
  options.bounded = BoundedNoise{NoiseStrategy::kGlobal, {}, {1, 2}};
  options.clipping = SearchedClipping{};
  return options;
}

LedgerContents ledger_of(const json& plan, std::int64_t steps = 0) {
  LedgerContents ledger;
  ledger.path = "somewhere.jsonl";
  ledger.plan = plan;
  ledger.steps_charged = steps;
  return ledger;
}

const json kOldQueries = {{"kind", "queries"},
                          {"relation", "add-remove"},
                          {"total_epsilon", 1.5},
                          {"total_delta", 1e-6},
                          {"composition", "tight"}};

void expect_refused(const json& plan) {
  try {
    header_of(ledger_of(plan));
    ADD_FAILURE() << plan;
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("somewhere.jsonl: "));
  }
}

TEST(LedgerHeader, TrainingComesBack) {
  const Plan plan(poisson_options());
  const auto secret = training_header(ledger_of(TrainingHeader{plan}.to_json(), 7));
  EXPECT_EQ(json_of(secret.plan), json_of(plan));
  EXPECT_EQ(secret.plan.steps(), 7);
  EXPECT_TRUE(secret.is_private());
  const auto seeded = training_header(ledger_of(TrainingHeader{plan, "a seed"}.to_json()));
  EXPECT_EQ(seeded.plan.steps(), 1);
  EXPECT_EQ(seeded.not_private, "a seed");
  EXPECT_FALSE(seeded.is_private());
}

// The engine's files have had these members all along.
TEST(LedgerHeader, IsWrittenAsBefore) {
  const Plan plan(poisson_options());
  EXPECT_EQ(TrainingHeader{plan}.to_json(), json_of(plan));
  auto seeded = json_of(plan);
  seeded["not_private"] = "noise came from a seed";
  EXPECT_EQ((TrainingHeader{plan, "noise came from a seed"}.to_json()), seeded);
  const mechanisms::BudgetTerms terms{{1.5, 1e-6}, mechanisms::Composing::kTight};
  EXPECT_EQ(QueriesHeader{terms}.to_json(), kOldQueries);
  auto with_table = kOldQueries;
  with_table["data"] = "9c1f";
  EXPECT_EQ((QueriesHeader{terms, "9c1f"}.to_json()), with_table);
}

// Whatever stands behind the key.
TEST(LedgerHeader, WhoSaysNotPrivateIsBelieved) {
  for (const auto& said : {json(""), json(false), json()}) {
    auto plan = json_of(Plan(poisson_options()));
    plan["not_private"] = said;
    EXPECT_FALSE(training_header(ledger_of(plan)).is_private()) << said;
  }
}

TEST(LedgerHeader, QueriesComeBack) {
  const auto header = std::get<QueriesHeader>(header_of(ledger_of(kOldQueries)));
  EXPECT_EQ(header.terms.total.epsilon, 1.5);
  EXPECT_EQ(header.terms.total.delta, 1e-6);
  EXPECT_EQ(header.terms.composing, mechanisms::Composing::kTight);
  EXPECT_FALSE(header.data_identity);
  auto with_table = kOldQueries;
  with_table["data"] = "9c1f";
  EXPECT_EQ(std::get<QueriesHeader>(header_of(ledger_of(with_table))).data_identity, "9c1f");
}

TEST(LedgerHeader, RefusesWhatIsNeither) {
  expect_refused(json::object());
  expect_refused({{"release", "right and wrong answers"}, {"epsilon", 1}});
  for (const auto& item : kOldQueries.items()) {
    auto damaged = kOldQueries;
    damaged.erase(item.key());
    expect_refused(damaged);
  }
  auto other = kOldQueries;
  other["relation"] = "replace-one";
  expect_refused(other);
  auto half = json_of(Plan(poisson_options()));
  half.erase("batch_size");
  expect_refused(half);
  EXPECT_THROW(training_header(ledger_of(kOldQueries)), InvalidArgument);
  EXPECT_THROW(training_spend(ledger_of(kOldQueries)), InvalidArgument);
}

TEST(LedgerHeader, IsReadFromAFile) {
  const TemporaryFolder folder;
  const auto path = folder / "ledger.jsonl";
  const auto header = TrainingHeader{Plan(poisson_options())}.to_json();
  Ledger::open(path, header).charge_steps(3);
  Ledger::open(path, header).charge_step();
  EXPECT_EQ(training_spend(Ledger::read(path)).steps, 4);
}

TEST(Spend, IsWhatThePlanSaysOfItsSteps) {
  for (const auto& options : {poisson_options(), searching_options()}) {
    const Plan plan(options);
    for (const std::int64_t steps : {0, 1, 15}) {
      const auto spent = training_spend(ledger_of(json_of(plan), steps)).composition();
      const auto planned = plan.composition(steps);
      ASSERT_EQ(spent.parts().size(), planned.parts().size());
      for (std::size_t i = 0; i < spent.parts().size(); ++i) {
        EXPECT_EQ(describe(spent.parts()[i].event), describe(planned.parts()[i].event));
        EXPECT_EQ(spent.parts()[i].count, planned.parts()[i].count);
      }
    }
  }
}

// Two searches go with 15 steps of 10 an epoch; two more were interrupted.
TEST(Spend, CountsSearchesThatWereRepeated) {
  auto ledger = ledger_of(json_of(Plan(searching_options())), 15);
  for (int i = 0; i < 4; ++i) ledger.events.push_back({kThresholdSearch, {{"epsilon", 1}}});
  const Spend spend = training_spend(ledger);
  EXPECT_EQ(spend.searches, 4);
  EXPECT_EQ(spend.repeated_searches(), 2);
  ASSERT_EQ(spend.composition().parts().size(), 3U);  // the last: too few places
  EXPECT_EQ(spend.composition().parts()[1].count, 4);
  EXPECT_THROW(spend.composition(Neighbours(Adjacency::kReplaceOne)), NoValidAnalysis);
  ledger.events.clear();  // they go with the steps all the same
  EXPECT_EQ(training_spend(ledger).composition().parts()[1].count, 2);
}

TEST(Spend, HoldsReleasesFromTheStart) {
  auto options = poisson_options();
  options.releases = {{"label counts", 10}};
  const Spend nothing_done{Plan(options)};
  ASSERT_EQ(nothing_done.composition().parts().size(), 1U);
  EXPECT_GT(nothing_done.cost_at_delta(1e-5).epsilon, 0);
  EXPECT_GT((Spend{Plan(options), 5}.cost_at_delta(1e-5).epsilon),
            nothing_done.cost_at_delta(1e-5).epsilon);
}

TEST(Spend, IsPricedUnderAnotherRelationToo) {
  const Spend spend{Plan(poisson_options()), 5};
  const Neighbours replaced(Adjacency::kReplaceOne);
  EXPECT_GT(accounting::cost_at_delta(spend.composition(replaced), replaced, 1e-5).epsilon,
            spend.cost_at_delta(1e-5).epsilon);
}

}  // namespace
}  // namespace sotto
