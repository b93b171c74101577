#include "runs/privacy_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/percentage.h"
#include "runs/run_tradeoff.h"
#include "sotto/accounting/tradeoff_curve.h"
#include "tests/runs/run_files.h"

namespace sotto::runs {
namespace {

using testing::HasSubstr;
using testing::Not;

AccountedRun accounted(bool is_private) {
  const Plan plan = plan_of({});
  const Spend spend{plan, plan.steps()};
  const auto cost = spend.cost_at_delta(kRunDelta);
  return {.subject = "model",
          .spend = spend,
          .cost = cost,
          .ledger_hash = "abc",
          .statement =
              accounting::privacy_statement(plan.run_of(plan.steps()), plan.neighbours(), cost),
          .is_private = is_private,
          .warnings = {"half a sentence"},
          .shown = "",
          .arithmetic = "",
          .held_out = {}};
}

TEST(PrivacyReport, GivesTheNumbersAndWhatTheyMean) {
  const auto run = accounted(true);
  const auto text = report_on(run).markdown;
  EXPECT_THAT(text, HasSubstr("ε ≤ " + accounting::rounded_up(epsilon_of({})) + " at δ = 1e-05."));
  const auto curve = tradeoff_of({run.cost.epsilon, run.cost.delta}, run.spend, HeldOut::kNone);
  EXPECT_FALSE(curve.is_of_one_pair());
  const auto half = accounting::belief_after_verdict(curve, 0.5, 0.01).highest;
  EXPECT_THAT(text, HasSubstr(" or " + percentage(half, 1, Rounding::kUp) + " (after"));
  EXPECT_THAT(text, HasSubstr("- Half a sentence.\n"));
  EXPECT_THAT(text, HasSubstr("sotto statement RUN"));
}

TEST(PrivacyReport, ClaimsNoNumberForWhatIsNotPrivate) {
  for (const auto& text : {report_on(accounted(false)).markdown,
                           report_not_private("model", kWithoutNoise).markdown}) {
    EXPECT_THAT(text, Not(HasSubstr("ε ≤")));
    EXPECT_THAT(text, Not(HasSubstr("may believe")));
  }
}

TEST(PrivacyReport, HeldOutRecordsAreCoveredByThePairAlone) {
  auto run = accounted(true);
  EXPECT_TRUE(
      tradeoff_of({run.cost.epsilon, run.cost.delta}, run.spend, HeldOut::kSome).is_of_one_pair());
  const auto apart = report_on(run).markdown;
  run.held_out.terms = HeldOutTerms{.epsilon = run.cost.epsilon};
  EXPECT_NE(report_on(run).markdown.find("may believe it with at most"), std::string::npos);
  EXPECT_NE(report_on(run).markdown, apart);
}

}  // namespace
}  // namespace sotto::runs
