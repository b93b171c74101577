#include <gtest/gtest.h>

#include <cmath>

#include "tests/cli/program.h"

namespace sotto::cli {
namespace {

TEST(Explain, BeliefsOddsAndAttack) {
  const auto json = run_program("explain --epsilon 1 --json").json();
  EXPECT_NEAR(json["odds_factor"].get<double>(), std::exp(1), 1e-12);
  ASSERT_EQ(json["beliefs"].front()["prior"], 0.01);
  ASSERT_EQ(json["beliefs"].back()["prior"], 0.99);
  for (const auto& belief : json["beliefs"]) {
    const double p = belief["prior"];
    EXPECT_NEAR(belief["lowest"].get<double>(), p / (p + std::exp(1) * (1 - p)), 1e-12);
    EXPECT_NEAR(belief["highest"].get<double>(), p / (p + std::exp(-1) * (1 - p)), 1e-12);
  }
  EXPECT_NEAR(json["membership_advantage"].get<double>(), std::tanh(0.5), 1e-12);
}

TEST(Explain, DeltaAddsToTheAttack) {
  const auto json = run_program("explain --epsilon 1 --delta 0.01 --json").json();
  EXPECT_NEAR(json["membership_advantage"].get<double>(),
              (std::exp(1) - 1 + 0.02) / (std::exp(1) + 1), 1e-12);
}

TEST(Explain, TextHasTheTable) {
  const auto outcome = run_program("explain --epsilon 1");
  EXPECT_EQ(outcome.status, 0);
  for (const char* words : {"2.72", "73.1 %", "26.9 %", "46.2 %"}) {
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words;
  }
}

TEST(Explain, ZeroTellsNothingAndHugeTellsAll) {
  EXPECT_EQ(run_program("explain --epsilon 0 --json").json()["membership_advantage"], 0.0);
  EXPECT_EQ(run_program("explain --epsilon 2000 --json").json()["odds_factor"], "Infinity");
}

}  // namespace
}  // namespace sotto::cli
