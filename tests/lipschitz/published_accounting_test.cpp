// Numbers that clipless training has been reported with: q = 1/60, σ = 2, δ = 1e-5, add/remove.
#include <gtest/gtest.h>

#include "sotto/accounting/privacy_cost.h"

namespace sotto::lipschitz {
namespace {

double reported_epsilon(std::int64_t steps, accounting::Accountant accountant) {
  accounting::AccountingOptions options;
  options.accountant = accountant;
  const accounting::Composition run(accounting::PoissonGaussianEvent(1.0 / 60, 2), steps);
  return accounting::cost_at_delta(run, accounting::Neighbours(), 1e-5, options).epsilon;
}

// By Rényi divergences at integer orders: 0.322733 after 60 steps, 0.411350 after 120.
TEST(PublishedAccountingTest, IsReproducedAndImproved) {
  EXPECT_LE(reported_epsilon(60, accounting::Accountant::kRdp), 0.3228);
  EXPECT_GE(reported_epsilon(60, accounting::Accountant::kRdp), 0.3220);
  EXPECT_LT(reported_epsilon(60, accounting::Accountant::kPld), 0.322733);
  EXPECT_LE(reported_epsilon(120, accounting::Accountant::kRdp), 0.4114);
  EXPECT_LT(reported_epsilon(120, accounting::Accountant::kPld), 0.411350);
}

TEST(PublishedAccountingTest, ClassicConversion) {
  accounting::AccountingOptions options;
  options.accountant = accounting::Accountant::kRdp;
  options.conversion = accounting::Conversion::kClassic;
  const accounting::Composition run(accounting::PoissonGaussianEvent(1.0 / 60, 2), 60);
  const auto cost = accounting::cost_at_delta(run, accounting::Neighbours(), 1e-5, options);
  EXPECT_NEAR(cost.epsilon, 0.466280, 1e-4);
}

}  // namespace
}  // namespace sotto::lipschitz
