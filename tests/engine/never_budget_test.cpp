// Never: a step executed after the budget is gone; ε printed lower than what was released.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/atomic_file.h"
#include "sotto/accounting/budget.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

const accounting::EpsilonDelta kBudget{2, kObservedDelta};

// Some ε below which `steps` steps certainly do not cost.
double certain_cost(const Plan& plan, std::int64_t steps) {
  return accounting::cost_at_delta(plan.composition(steps), plan.neighbours(), kObservedDelta)
      .epsilon_lower.value();
}

PlanOptions budgeted_plan(const Task& task) { return observed_plan(task, 6, 2, /*steps=*/300); }

// Everything executed costs at most the budget, and at most what is claimed.
std::string why_budget_is_overrun(const Trainer& trainer) {
  Task task;
  task.scales.zero_();  // quick to train
  const auto plan = budgeted_plan(task);
  const auto run = trainer(task, plan, 0);
  const double cost = certain_cost(Plan(plan), run.executed());
  const std::string text = std::to_string(run.executed()) + " steps for " + std::to_string(cost);
  if (cost > kBudget.epsilon) return "overrun: " + text;
  if (run.epsilon < cost) return "claimed " + std::to_string(run.epsilon) + ": " + text;
  if (run.executed() < 10) return "hardly started: " + text;
  return "";
}

ObservedRun train_within_budget(const Task& task, const PlanOptions& plan, std::int64_t parts) {
  return observe_engine(task, plan, {.max_physical_batch_size = parts, .target = kBudget});
}

std::int64_t affordable(const Plan& plan) {
  return accounting::most_rounds(
      kBudget, plan.neighbours(), [&](std::int64_t steps) { return plan.composition(steps); },
      plan.steps());
}

SimpleTrainer within_budget() {
  SimpleTrainer trainer;
  trainer.length = affordable;
  return trainer;
}

TEST(NeverBudget, TheEngineStopsInTime) {
  EXPECT_EQ(why_budget_is_overrun(train_within_budget), "");
  EXPECT_EQ(why_budget_is_overrun(within_budget()), "");
}

TEST(NeverBudget, StoppedAfterTheStepThatExceedsIt) {
  auto bug = within_budget();
  bug.length = [](const Plan& plan) { return affordable(plan) + 1; };
  EXPECT_THAT(why_budget_is_overrun(bug), HasSubstr("overrun"));
}

TEST(NeverBudget, ClaimedBeforeTheLastStep) {
  auto bug = within_budget();
  bug.claim = [](const Plan& plan, std::int64_t charged) {
    return SimpleTrainer::honest_claim(plan, charged - 1);
  };
  EXPECT_THAT(why_budget_is_overrun(bug), HasSubstr("claimed"));
}

TEST(NeverBudget, ClaimRoundedDown) {
  auto bug = within_budget();
  bug.claim = [](const Plan& plan, std::int64_t charged) {
    return std::floor(10 * SimpleTrainer::honest_claim(plan, charged)) / 10;
  };
  EXPECT_THAT(why_budget_is_overrun(bug), HasSubstr("claimed"));
}

TEST(NeverBudget, AnotherStepWithTheLastBatch) {
  const Task task;
  torch::optim::SGD optimizer(task.model->parameters(), 1.0);
  auto engine = make_private(*task.model, optimizer, full_batch_plan(task, 1, 1));
  const auto batch = engine.next_batch();
  engine.step(task.losses(batch->indices));
  const auto weights = task.weights();
  EXPECT_THROW(engine.step(task.losses(batch->indices)), std::logic_error);
  EXPECT_FALSE(engine.next_batch().has_value());
  EXPECT_TRUE(torch::equal(weights, task.weights()));
}

// The disk is full, so to speak, while `action` runs.
void without_room_for(const std::filesystem::path& file, const std::function<void()>& action) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{std::filesystem::file_size(file), before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  action();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
}

TEST(NeverBudget, StepThatCouldNotBeCharged) {
  const TemporaryFolder folder;
  const auto path = folder / "ledger.jsonl";
  const Task task;
  task.set_weights(task.start);
  torch::optim::SGD optimizer(task.model->parameters(), 1.0);
  auto engine = make_private(*task.model, optimizer, full_batch_plan(task, 1, 5), {.ledger = path});
  const auto losses = task.losses(engine.next_batch()->indices);
  bool failed = false;
  without_room_for(path, [&] {
    try {
      engine.step(losses);
    } catch (const FileError&) {
      failed = true;
    }
  });
  EXPECT_TRUE(failed);
  EXPECT_TRUE(torch::equal(task.start, task.weights()));
}

// What is printed for an ε: e^ε, as a number.
std::string why_print_flatters(
    const std::function<std::string(const accounting::PrivacyCost&)>& print) {
  const Plan plan(budgeted_plan(Task()));
  for (std::int64_t steps = 1; steps <= 40; ++steps) {
    const auto cost = accounting::cost_at_delta(plan.composition(steps), plan.neighbours(), 1e-5);
    const std::string text = print(cost);
    const auto place = text.find("e^ε = ");
    if (place == std::string::npos) return "no ε in: " + text;
    const double printed =
        std::strtod(text.c_str() + place + std::string("e^ε = ").size(), nullptr);
    if (printed < std::exp(cost.epsilon)) return text;
  }
  return "";
}

TEST(NeverBudget, EpsilonIsNotPrintedLower) {
  const Plan plan(budgeted_plan(Task()));
  EXPECT_EQ(why_print_flatters([&](const accounting::PrivacyCost& cost) {
              return accounting::privacy_statement(plan.run(), plan.neighbours(), cost).promise;
            }),
            "");
}

TEST(NeverBudget, EpsilonPrintedToTheNearestDigit) {
  EXPECT_THAT(why_print_flatters([](const accounting::PrivacyCost& cost) {
                char text[64];
                std::snprintf(text, sizeof text, "e^ε = %.3g", std::exp(cost.epsilon));
                return std::string(text);
              }),
              HasSubstr("e^ε = "));
}

}  // namespace
}  // namespace sotto
