#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sotto/core/error.h"
#include "sotto/mechanisms/randomised_response.h"

namespace sotto::mechanisms {
namespace {

// The thesis, section 2.3.1: p ≈ 2r - 1 for the forced "yes", p ≈ 2r - 1/2 for two coins.
TEST(YesNoResponse, EstimatesAsTheThesisDoes) {
  EXPECT_NEAR(YesNoResponse::forced_yes(0.5).estimate(650, 1000).value, 2 * 0.65 - 1, 1e-12);
  EXPECT_NEAR(YesNoResponse::two_coins().estimate(400, 1000).value, 2 * 0.4 - 0.5, 1e-12);
  // Warner 1965, equation 3: (θ - 1 + r) / (2θ - 1).
  EXPECT_NEAR(YesNoResponse::contrary_question(0.7).estimate(400, 1000).value,
              (0.7 - 1 + 0.4) / (2 * 0.7 - 1), 1e-12);
}

TEST(YesNoResponse, CostsWhatTheThesisSays) {
  EXPECT_NEAR(YesNoResponse::two_coins().epsilon(), std::log(3), 1e-12);
  EXPECT_GE(YesNoResponse::two_coins().epsilon(), std::log(3));
  EXPECT_TRUE(std::isinf(YesNoResponse::forced_yes(0.5).epsilon()));
  EXPECT_NEAR(YesNoResponse::contrary_question(0.2).epsilon(), std::log(4), 1e-12);
  for (const double epsilon : {1e-6, 0.1, 1.0, 5.0, 30.0}) {
    const double spent = YesNoResponse::for_epsilon(epsilon).epsilon();
    EXPECT_LE(spent, epsilon);
    EXPECT_NEAR(spent / epsilon, 1, 1e-3);
  }
}

// 6.2 standard errors: a right program fails with probability 1e-9.
TEST(YesNoResponse, RecoversTheShare) {
  SeededRandomNotPrivate random(1);
  constexpr int kPeople = 40000;
  constexpr double kShare = 0.13;
  for (const auto& design :
       {YesNoResponse::forced_yes(0.5), YesNoResponse::two_coins(),
        YesNoResponse::two_coins(0.3, 0.8), YesNoResponse::contrary_question(0.7),
        YesNoResponse::contrary_question(0.1)}) {
    int yes = 0;
    for (int i = 0; i < kPeople; ++i) yes += design.respond(i < kShare * kPeople, random) ? 1 : 0;
    const auto estimate = design.estimate(yes, kPeople);
    EXPECT_NEAR(estimate.value, kShare, 6.2 * estimate.standard_error);
    EXPECT_LE(estimate.low, estimate.value);
    EXPECT_GE(estimate.high, estimate.value);
  }
}

// Exact, by summing the binomial law: the mean of the estimate is the share, its spread the
// standard error, and the interval misses it in 5 % of the cases at most.
TEST(YesNoResponse, IsUnbiasedAndCovers) {
  const auto design = YesNoResponse::two_coins();
  constexpr int kPeople = 60;
  for (const double share : {0.0, 0.02, 0.3, 0.5, 1.0}) {
    const double rate = share * design.yes_if_true() + (1 - share) * design.yes_if_false();
    double mean = 0;
    double covered = 0;
    double variance = 0;
    for (int yes = 0; yes <= kPeople; ++yes) {
      const double log_choose =
          std::lgamma(kPeople + 1) - std::lgamma(yes + 1) - std::lgamma(kPeople - yes + 1);
      const double p =
          std::exp(log_choose + yes * std::log(rate) + (kPeople - yes) * std::log1p(-rate));
      const auto estimate = design.estimate(yes, kPeople);
      mean += p * estimate.value;
      variance += p * estimate.standard_error * estimate.standard_error;
      if (estimate.low <= share + 1e-12 && share <= estimate.high + 1e-12) covered += p;
    }
    EXPECT_NEAR(mean, share, 1e-10);
    EXPECT_NEAR(variance, rate * (1 - rate) / kPeople / 0.25, 1e-10);
    EXPECT_GE(covered, 0.95);
  }
}

TEST(YesNoResponse, RefusesDesignsThatTellNothing) {
  EXPECT_THROW(YesNoResponse::forced_yes(0), InvalidArgument);
  EXPECT_THROW(YesNoResponse::contrary_question(0.5), InvalidArgument);
  EXPECT_THROW(YesNoResponse::two_coins(1.5), InvalidArgument);
  EXPECT_THROW(YesNoResponse::two_coins(0.5, std::nan("")), InvalidArgument);
  EXPECT_THROW(YesNoResponse::two_coins().estimate(3, 2), InvalidArgument);
  EXPECT_THROW(YesNoResponse::two_coins().estimate(0, 0), InvalidArgument);
}

TEST(ChoiceResponse, RecoversTheShares) {
  const ChoiceResponse design(4, 1.0);
  SeededRandomNotPrivate random(2);
  constexpr int kPeople = 40000;
  constexpr std::array kShares = {0.5, 0.3, 0.2, 0.0};
  std::array<std::int64_t, 4> counts{};
  for (int i = 0; i < kPeople; ++i) {
    const double place = static_cast<double>(i) / kPeople;
    const int truth = place < 0.5 ? 0 : place < 0.8 ? 1 : 2;
    ++counts[static_cast<std::size_t>(design.respond(truth, random))];
  }
  const auto estimates = design.estimate(counts);
  double sum = 0;
  for (std::size_t i = 0; i < kShares.size(); ++i) {
    EXPECT_NEAR(estimates[i].value, kShares[i], 6.4 * estimates[i].standard_error);
    sum += estimates[i].value;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(ChoiceResponse, SpendsItsEpsilonAndNoMore) {
  for (const double epsilon : {1e-6, 0.1, 1.0, 8.0, 30.0}) {
    for (const int choices : {2, 3, 1000}) {
      const ChoiceResponse design(choices, epsilon);
      EXPECT_LE(design.epsilon(), epsilon);
      EXPECT_NEAR(design.epsilon() / epsilon, 1, 1e-3) << epsilon << ' ' << choices;
      EXPECT_EQ(design.event().buckets(), choices);
    }
  }
  EXPECT_THROW(ChoiceResponse(1, 1), InvalidArgument);
  EXPECT_THROW(ChoiceResponse(3, 0), InvalidArgument);
  EXPECT_THROW(ChoiceResponse(3, 31), InvalidArgument);
  SeededRandomNotPrivate random(3);
  EXPECT_THROW(ChoiceResponse(3, 1).respond(3, random), InvalidArgument);
}

}  // namespace
}  // namespace sotto::mechanisms
