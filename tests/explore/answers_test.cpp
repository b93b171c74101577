// Settings to JSON, against the accounting area asked directly.
#include <gtest/gtest.h>

#include <cmath>

#include "explore/affordable.h"
#include "explore/budget_answer.h"
#include "explore/curve.h"
#include "explore/train_line.h"
#include "report/meaning_json.h"
#include "sotto/accounting/accounting.h"
#include "sotto/accounting/budget.h"
#include "sotto/core/error.h"

namespace sotto::explore {
namespace {

using std::chrono::milliseconds;

const Settings kSettings{60000, 1024, 1.0, 10, 1e-5, 2.0};
constexpr milliseconds kNoLimit{60000};

double direct_epsilon(const Settings& settings) {
  const accounting::Neighbours neighbours;
  accounting::AccountingOptions options;
  options.relative_width = 1e-4;
  return cost_at_delta(settings.run().composition(neighbours), neighbours, settings.delta, options)
      .epsilon;
}

TEST(BudgetAnswerTest, FullPrecisionIsTheAccountantsNumber) {
  const auto answer = budget_answer(kSettings, Precision::kFull);
  EXPECT_EQ(answer["epsilon"], direct_epsilon(kSettings));
  EXPECT_EQ(answer["epsilon_text"], accounting::rounded_up(direct_epsilon(kSettings)));
  EXPECT_EQ(answer["steps"], 590);
  const accounting::Neighbours neighbours;
  EXPECT_EQ(answer["meaning"],
            report::meaning_json(
                {direct_epsilon(kSettings), 1e-5},
                accounting::tradeoff_of(kSettings.run().composition(neighbours), neighbours)));
  EXPECT_EQ(answer["meaning"]["curve"], "run");
}

TEST(BudgetAnswerTest, QuickIsAnUpperBoundCloseBy) {
  for (const Settings& settings :
       {kSettings, Settings{1000, 100, 0.5, 3, 1e-6, 1}, Settings{60000, 64, 1, 15, 1e-5, 1}}) {
    const auto quick = budget_answer(settings, Precision::kQuick);
    const double exact_lower =
        budget_answer(settings, Precision::kFull)["epsilon_lower"].get<double>();
    EXPECT_GE(quick["epsilon"].get<double>(), exact_lower);
    EXPECT_LE(quick["epsilon"].get<double>(), exact_lower * 1.002);
  }
}

TEST(BudgetAnswerTest, TargetIsComparedWithTheBound) {
  Settings settings = kSettings;
  const double epsilon = direct_epsilon(settings);
  settings.target_epsilon = epsilon;
  EXPECT_EQ(budget_answer(settings, Precision::kFull)["within_target"], true);
  settings.target_epsilon = std::nextafter(epsilon, 0);
  EXPECT_EQ(budget_answer(settings, Precision::kFull)["within_target"], false);
}

TEST(BudgetAnswerTest, WithoutNoiseThereIsNoBound) {
  Settings settings = kSettings;
  settings.noise_multiplier = 0;
  for (const Precision precision : {Precision::kQuick, Precision::kFull}) {
    const auto answer = budget_answer(settings, precision);
    EXPECT_EQ(answer["epsilon"], "Infinity");
    EXPECT_EQ(answer["epsilon_text"], "no bound");
    EXPECT_EQ(answer["within_target"], false);
    EXPECT_TRUE(answer["meaning"].is_null());
    EXPECT_NE(answer["statement"]["promise"].get<std::string>().find("None"), std::string::npos);
    EXPECT_EQ(answer["train"].get<std::string>().find("sotto train"), std::string::npos);
  }
}

TEST(BudgetAnswerTest, FaintNoiseIsNeverCalledPrivate) {
  Settings settings = kSettings;
  settings.noise_multiplier = 1e-9;
  const auto epsilon = budget_answer(settings, Precision::kQuick)["epsilon"];
  EXPECT_TRUE(epsilon == "Infinity" || epsilon.get<double>() > 1000) << epsilon;
}

TEST(CurveTest, PointsAreUpperBoundsOfTheAccountant) {
  for (const Along along : {Along::kEpochs, Along::kNoise, Along::kBatchSize}) {
    const auto points = curve(kSettings, along, kNoLimit);
    ASSERT_GE(points.size(), 10U);
    for (const auto& [x, epsilon, lower] : points) {
      Settings settings = kSettings;
      if (along == Along::kEpochs) settings.epochs = static_cast<std::int64_t>(x);
      if (along == Along::kNoise) settings.noise_multiplier = x;
      if (along == Along::kBatchSize) settings.batch_size = static_cast<std::int64_t>(x);
      const double exact = direct_epsilon(settings);
      EXPECT_GE(epsilon, exact * (1 - 1e-4)) << x;
      EXPECT_LE(epsilon, exact * 1.05) << x;
      EXPECT_LE(lower, exact) << x;
    }
  }
}

TEST(CurveTest, GoesUpAndDownAsItMust) {
  const auto by_epochs = curve(kSettings, Along::kEpochs, kNoLimit);
  const auto by_noise = curve(kSettings, Along::kNoise, kNoLimit);
  for (std::size_t i = 1; i < by_epochs.size(); ++i) {
    EXPECT_LT(by_epochs[i - 1].x, by_epochs[i].x);
    EXPECT_LE(by_epochs[i - 1].epsilon, by_epochs[i].epsilon * 1.03);
  }
  for (std::size_t i = 1; i < by_noise.size(); ++i) {
    EXPECT_GE(by_noise[i - 1].epsilon * 1.03, by_noise[i].epsilon);
  }
}

TEST(CurveTest, WithoutTimeLeavesTheEndsAndThePresent) {
  const auto all = curve(kSettings, Along::kNoise, kNoLimit);
  const auto few = curve(kSettings, Along::kNoise, milliseconds(0));
  ASSERT_EQ(few.size(), 3U);
  EXPECT_EQ(few.front().x, all.front().x);
  EXPECT_EQ(few[1].x, kSettings.noise_multiplier);
  EXPECT_EQ(few.back().x, all.back().x);
  EXPECT_EQ(few.back().epsilon, all.back().epsilon);
}

TEST(CurveTest, WithoutNoiseTheCurveHasNoBounds) {
  Settings settings = kSettings;
  settings.noise_multiplier = 0;
  const auto json = curve_json(curve(settings, Along::kEpochs, kNoLimit));
  ASSERT_FALSE(json.at("points").empty());
  for (const auto& point : json.at("points")) {
    EXPECT_TRUE(point[1].is_null());
  }
  const auto by_noise = curve(settings, Along::kNoise, kNoLimit);
  EXPECT_GT(by_noise.front().x, 0);
  EXPECT_TRUE(std::isfinite(by_noise.front().epsilon));
}

TEST(CurveTest, SmallestRunsHaveCurvesToo) {
  const Settings smallest{1, 1, 1.0, 1, 1e-5, 1.0};
  for (const Along along : {Along::kEpochs, Along::kNoise, Along::kBatchSize}) {
    EXPECT_FALSE(curve(smallest, along, kNoLimit).empty());
  }
}

TEST(AffordableTest, TheNoiseNeededKeepsToTheTarget) {
  const auto answer = noise_needed(kSettings, kNoLimit);
  EXPECT_EQ(answer["complete"], true);
  Settings settings = kSettings;
  settings.noise_multiplier = answer["noise_multiplier"];
  EXPECT_LE(direct_epsilon(settings), kSettings.target_epsilon);
  settings.noise_multiplier *= 0.97;
  EXPECT_GT(direct_epsilon(settings), kSettings.target_epsilon);
}

TEST(AffordableTest, TheEpochsKeepToTheTarget) {
  Settings settings = kSettings;
  settings.noise_multiplier = 1.5;
  const auto answer = epochs_affordable(settings, kNoLimit);
  settings.epochs = answer["epochs"];
  EXPECT_LE(direct_epsilon(settings), settings.target_epsilon);
  settings.epochs += 1 + settings.epochs / 10;
  EXPECT_GT(direct_epsilon(settings), settings.target_epsilon);
}

TEST(AffordableTest, SaysWhyNot) {
  Settings settings = kSettings;
  settings.noise_multiplier = 0;
  EXPECT_EQ(epochs_affordable(settings, kNoLimit)["epochs"], 0);
  EXPECT_TRUE(epochs_affordable(settings, kNoLimit).contains("reason"));
}

TEST(AffordableTest, OutOfTimeIsSaid) {
  const auto noise = noise_needed(kSettings, milliseconds(0));
  EXPECT_TRUE(noise["noise_multiplier"].is_null());
  EXPECT_EQ(noise["complete"], false);
  EXPECT_TRUE(noise.contains("reason"));
  const auto epochs = epochs_affordable(kSettings, milliseconds(0));
  EXPECT_TRUE(epochs["epochs"].is_null());
  EXPECT_TRUE(epochs.contains("reason"));
}

TEST(TrainLineTest, SpellsEveryDigit) {
  Settings settings = kSettings;
  settings.noise_multiplier = 0.925321;
  EXPECT_EQ(train_line(settings),
            "sotto train --dataset fashion-mnist --batch-size 1024 --epochs 10 "
            "--noise-multiplier 0.925321 --delta 1e-05");
  settings.dataset_size = 1234;
  EXPECT_NE(train_line(settings).find("--dataset csv:"), std::string::npos);
}

class BadSettingsTest : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BadSettingsTest, AreRefusedInOneLine) {
  Parameters parameters{{"dataset_size", "60000"}, {"batch_size", "1024"},
                        {"noise_multiplier", "1"}, {"epochs", "10"},
                        {"delta", "1e-5"},         {"target_epsilon", "3"}};
  ASSERT_NO_THROW(settings_from(parameters));
  const auto& [name, value] = GetParam();
  parameters[name] = value;
  try {
    settings_from(parameters);
    FAIL() << name << " = " << value << " was accepted";
  } catch (const InvalidArgument& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(name)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_LT(message.size(), 200U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadSettingsTest,
    testing::Values(std::pair{"dataset_size", "0"}, std::pair{"dataset_size", "1.5"},
                    std::pair{"dataset_size", "-5"}, std::pair{"dataset_size", ""},
                    std::pair{"dataset_size", "1e13"}, std::pair{"dataset_size", "0x10"},
                    std::pair{"batch_size", "60001"}, std::pair{"batch_size", "many"},
                    std::pair{"batch_size", "1\n2"}, std::pair{"noise_multiplier", "-0.1"},
                    std::pair{"noise_multiplier", "nan"}, std::pair{"noise_multiplier", "inf"},
                    std::pair{"noise_multiplier", "1e999"}, std::pair{"epochs", "0"},
                    std::pair{"epochs", "1e7"}, std::pair{"delta", "0"}, std::pair{"delta", "1"},
                    std::pair{"delta", "1e-300"}, std::pair{"target_epsilon", "0"},
                    std::pair{"target_epsilon", "<b>"}));

TEST(SettingsTest, MissingOnesAreNamed) {
  try {
    settings_from({{"dataset_size", "10"}});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "batch_size is missing");
  }
}

}  // namespace
}  // namespace sotto::explore
