#include "sweep/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/atomic_file.h"
#include "settings/training_table.h"
#include "sotto/core/error.h"
#include "sweep/expansion.h"
#include "sweep/unread_flags.h"
#include "tests/core/temporary_folder.h"

namespace sotto::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SweepSettings two_by_three() {
  SweepSettings settings;
  settings.flags = {{"batch-size", {"256", "512"}}, {"learning-rate", {"0.1", "0.2", "0.5"}}};
  return settings;
}

SweepSettings ranges(std::int64_t samples) {
  SweepSettings settings;
  settings.mode = Mode::kRandom;
  settings.samples = samples;
  settings.flags = {{"learning-rate", {}, ValueRange{0.01, 10, true, false}},
                    {"epochs", {}, ValueRange{3, 5, false, true}},
                    {"optimizer", {"sgd", "adam"}}};
  return settings;
}

std::vector<std::string> described(const SweepPlan& plan) {
  std::vector<std::string> texts;
  for (const auto& one : plan.configurations()) texts.push_back(describe(one));
  return texts;
}

std::string refusal_of(const SweepSettings& settings) {
  try {
    SweepPlan plan(settings);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SweepPlan, TheLastFlagOfAGridVariesFastest) {
  const SweepPlan plan(two_by_three());
  EXPECT_THAT(
      described(plan),
      ElementsAre("batch-size 256, learning-rate 0.1", "batch-size 256, learning-rate 0.2",
                  "batch-size 256, learning-rate 0.5", "batch-size 512, learning-rate 0.1",
                  "batch-size 512, learning-rate 0.2", "batch-size 512, learning-rate 0.5"));
  EXPECT_THAT(plan.varying(), ElementsAre("batch-size", "learning-rate"));
}

TEST(SweepPlan, EveryConfigurationRunsOnceBeforeAnyIsRepeated) {
  auto settings = two_by_three();
  settings.repeats = 2;
  const SweepPlan plan(settings);
  ASSERT_EQ(plan.runs(), 12U);
  EXPECT_EQ(plan.configuration_of(5), 5U);
  EXPECT_EQ(plan.repeat_of(5), 0U);
  EXPECT_EQ(plan.configuration_of(6), 0U);
  EXPECT_EQ(plan.repeat_of(6), 1U);
}

TEST(SweepPlan, SwitchesAreGivenOrLeftOut) {
  EXPECT_THAT(arguments_of({{"disable-dp", "true", true}, {"epochs", "3", false}}),
              ElementsAre("--disable-dp", "--epochs", "3"));
  EXPECT_THAT(arguments_of({{"disable-dp", "false", true}}), ElementsAre());
}

TEST(SweepPlan, WhatNothingReadsInARunIsLeftOutOfIt) {
  const TrainSetting noise{"noise-multiplier", "1"};
  EXPECT_THAT(arguments_of({{"disable-dp", "true", true}, noise, {"epochs", "3"}}),
              ElementsAre("--disable-dp", "--epochs", "3"));
  EXPECT_THAT(arguments_of({{"disable-dp", "false", true}, noise}),
              ElementsAre("--noise-multiplier", "1"));
  EXPECT_THAT(arguments_of({{"method", "clipless"}, {"loss", "kr"}, {"margin", "2"}}),
              ElementsAre("--method", "clipless", "--loss", "kr"));
  // Of a plan that an older version made, under an older name.
  EXPECT_THAT(arguments_of({{"dataset", "digits"}, {"channels", "3"}}),
              ElementsAre("--dataset", "digits"));
  EXPECT_THAT(arguments_of({{"disable-dp", "true", true}, {"epochs", "none"}}),
              ElementsAre("--disable-dp", "--epochs", "none"))
      << "for training to refuse";
}

// Whoever looks at a sweep's results need not have its data.
TEST(SweepPlan, WhatDataOfAKindAreReadByStaysWhereTheyAreGone) {
  const Configuration gone{{"dataset", "csv:gone.csv"}, {"schema", "gone.json"}};
  EXPECT_EQ(used_flags(gone), gone);
}

TEST(SweepPlan, AFlagIsUselessIfNoRunReadsIt) {
  const TrainSetting noise{"noise-multiplier", "1"};
  const Configuration with{{"disable-dp", "false", true}, noise};
  const Configuration without{{"disable-dp", "true", true}, noise};
  EXPECT_TRUE(useless_flags({with, without}).empty());
  const auto useless = useless_flags({without, without});
  ASSERT_EQ(useless.size(), 1U);
  EXPECT_EQ(useless[0].name, "noise-multiplier");
  EXPECT_EQ(useless[0].why, "only with privacy, which --disable-dp turns off");
}

// Older versions took both, and read the second.
TEST(SweepPlan, ASeedIsLeftOutBesideAnInsecureOne) {
  EXPECT_THAT(arguments_of({{"seed", "1"}, {"insecure-seed", "2"}}),
              ElementsAre("--insecure-seed", "2"));
  EXPECT_THAT(arguments_of({{"seed", "1"}}), ElementsAre("--seed", "1"));
  EXPECT_THAT(arguments_of({{"noise-multiplier", "1"}, {"target-epsilon", "2"}}),
              ElementsAre("--noise-multiplier", "1", "--target-epsilon", "2"))
      << "for training to refuse";
}

// Which values of others make a flag useful is found whatever else varies.
SweepSettings with_many_ranges(const std::vector<std::string>& losses) {
  SweepSettings settings;
  settings.mode = Mode::kRandom;
  settings.samples = 2;
  settings.flags = {
      {"method", {"dp-sgd", "clipless"}}, {"loss", losses}, {"clipping", {"flat", "adaptive"}}};
  for (const auto* name : {"temperature", "learning-rate", "max-grad-norm", "weight-decay",
                           "average", "noise-multiplier", "delta", "input-bound"}) {
    settings.flags.push_back({name, {}, ValueRange{0.1, 0.9}});
  }
  return settings;
}

TEST(DecidingCombinations, AreFoundWhereTwoOtherFlagsDecide) {
  const auto useful = with_many_ranges({"multiclass-hinge", "cross-entropy"});
  EXPECT_EQ(deciding_combinations(useful).size(), 4U);
  EXPECT_TRUE(useless_flags(deciding_combinations(useful)).empty());
  const auto useless =
      useless_flags(deciding_combinations(with_many_ranges({"multiclass-hinge", "kr"})));
  ASSERT_EQ(useless.size(), 1U);
  EXPECT_EQ(useless[0].name, "temperature");
}

TEST(DecidingCombinations, ASwitchIsOnIfItEverIs) {
  SweepSettings settings;
  settings.flags = {{"disable-dp", {"true"}, {}, true},
                    {"show-norms", {"false", "true"}, {}, true}};
  EXPECT_EQ(useless_flags(deciding_combinations(settings)).size(), 1U);
  settings.flags[1].values = {"false"};
  EXPECT_TRUE(useless_flags(deciding_combinations(settings)).empty());
}

// Fails for a setting whose condition looks at a flag that decides_use() does not name.
TEST(DecidingCombinations, AreFoundOfEverySettingThatHasACondition) {
  SweepSettings settings;
  settings.flags = {{"dataset", {"mnist", "csv:a", "idx:a", "images:a"}},
                    {"model", {"cnn", "vgg16"}},
                    {"method", {"dp-sgd", "clipless"}},
                    {"loss", {"kr", "hkr", "cross-entropy"}},
                    {"sampling", {"poisson", "none"}},
                    {"disable-dp", {"false", "true"}, {}, true}};
  for (const auto& setting : settings::training_settings()) {
    if (setting.applies == nullptr) continue;
    const auto name = settings::long_flag(setting.flags).substr(2);
    const bool is_switch = setting.form == settings::Form::kSwitch;
    if (!decides_use(name)) settings.flags.push_back({name, {"true"}, {}, is_switch});
  }
  EXPECT_GT(settings.flags.size(), 20U);
  EXPECT_EQ(deciding_combinations(settings).size(), 192U);
  for (const auto& flag : useless_flags(deciding_combinations(settings)))
    ADD_FAILURE() << flag.name;
}

TEST(DecidingCombinations, AreNotDecidedByTooManyCombinations) {
  auto settings = with_many_ranges({"kr"});
  std::vector<std::string> tables;
  for (int i = 0; i < 5001; ++i) tables.push_back("csv:" + std::to_string(i));
  settings.flags.push_back({"dataset", tables});
  EXPECT_TRUE(deciding_combinations(settings).empty());
}

TEST(SweepPlan, TheSeedDecidesWhatIsDrawn) {
  auto settings = ranges(20);
  settings.seed = 7;
  const auto first = described(SweepPlan(settings));
  EXPECT_EQ(first, described(SweepPlan(settings)));
  EXPECT_EQ(std::set<std::string>(first.begin(), first.end()).size(), 20U);
  settings.seed = 8;
  EXPECT_NE(first, described(SweepPlan(settings)));
}

TEST(SweepPlan, RangesAreUniformInTheirScaleAndWholeWhereTheyShould) {
  const SweepPlan plan(ranges(1000));
  int below_middle = 0;
  std::multiset<std::string> epochs;
  for (const auto& one : plan.configurations()) {
    const double rate = std::stod(one[0].value);
    ASSERT_GE(rate, 0.01);
    ASSERT_LE(rate, 10);
    below_middle += rate < std::sqrt(0.01 * 10) ? 1 : 0;
    epochs.insert(one[1].value);
  }
  EXPECT_NEAR(below_middle, 500, 80);  // five standard deviations
  for (const auto* value : {"3", "4", "5"}) EXPECT_NEAR(epochs.count(value), 333, 75) << value;
  EXPECT_EQ(epochs.count("3") + epochs.count("4") + epochs.count("5"), 1000U);
}

TEST(SweepPlan, SamplesOfAFiniteChoiceAreDistinct) {
  auto settings = two_by_three();
  settings.samples = 6;
  const auto all = described(SweepPlan(settings));
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 6U);
  settings.samples = 7;
  EXPECT_THAT(refusal_of(settings), HasSubstr("samples 7: there are only 6 combinations"));
}

TEST(SweepPlan, ADrawnNumberOfConfigurationsIsDrawnAnewEachTime) {
  SweepSettings settings;
  settings.flags = {{"learning-rate", {"1", "2"}}, {"epochs", {"5"}}};
  settings.draw = RandomCount(RunsDistribution::kGeometric, 50);
  std::set<std::size_t> sizes;
  for (int i = 0; i < 20; ++i) sizes.insert(SweepPlan(settings).runs());
  EXPECT_GT(sizes.size(), 5U);
}

TEST(Drawable, CoversEveryCombinationAndTheEndsOfRanges) {
  auto settings = ranges(1);
  settings.samples.reset();
  settings.draw = RandomCount(RunsDistribution::kGeometric, 3);
  std::vector<std::string> texts;
  for (const auto& one : drawable(settings)) texts.push_back(describe(one));
  EXPECT_EQ(texts.size(), 3 * 3 * 2U);
  EXPECT_THAT(texts, testing::Contains("learning-rate 0.01, epochs 3, optimizer sgd"));
  EXPECT_THAT(texts, testing::Contains("learning-rate 10, epochs 5, optimizer adam"));
  // With too many combinations, every value at least once.
  for (const auto* name : {"a", "b", "c", "d"}) {
    SweptFlag flag{name, {}};
    for (int i = 0; i < 20; ++i) flag.values.push_back(std::to_string(i));
    settings.flags.push_back(flag);
  }
  const auto few = drawable(settings);
  EXPECT_EQ(few.size(), 3 + 3 + 2 + 4 * 20U);
  EXPECT_EQ(few.back().back().value, "19");
}

TEST(SweepPlan, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(refusal_of({}), HasSubstr("nothing to sweep"));
  auto settings = two_by_three();
  settings.mode = Mode::kGrid;
  settings.samples = 3;
  EXPECT_THAT(refusal_of(settings), HasSubstr("samples: only with mode random"));
  settings.samples.reset();
  settings.seed = 3;
  EXPECT_THAT(refusal_of(settings), HasSubstr("seed"));
  settings.seed.reset();
  settings.flags.push_back({"epochs", {}, ValueRange{1, 2, false, true}});
  EXPECT_THAT(refusal_of(settings), HasSubstr("epochs: a range is only for mode random"));
  settings.mode = Mode::kRandom;
  EXPECT_THAT(refusal_of(settings), HasSubstr("needs samples"));
  settings.flags.back().range = ValueRange{0, 2, true, false};
  EXPECT_THAT(refusal_of(settings), HasSubstr("epochs: a logarithmic range starts above 0"));
  settings = two_by_three();
  settings.flags[0].values.emplace_back("256");
  EXPECT_THAT(refusal_of(settings), HasSubstr("batch-size '256': is given twice"));
  settings = two_by_three();
  settings.flags.push_back({"disable-dp", {"maybe"}, {}, true});
  EXPECT_THAT(refusal_of(settings), HasSubstr("disable-dp 'maybe': expected true or false"));
  settings = two_by_three();
  settings.repeats = 1000;
  for (const auto* name : {"a", "b", "c"}) settings.flags.push_back({name, {"1", "2", "3"}});
  EXPECT_THAT(refusal_of(settings), HasSubstr("a sweep of 162000 runs"));
}

TEST(SweepPlan, ADrawnNumberNeedsRunsOfOnePriceAndSecretChance) {
  SweepSettings settings;
  settings.flags = {{"learning-rate", {"1", "2"}}};
  settings.draw = RandomCount(RunsDistribution::kGeometric, 5);
  EXPECT_EQ(refusal_of(settings), "accepted");
  settings.seed = 4;
  EXPECT_THAT(refusal_of(settings), HasSubstr("seed"));
  settings.seed.reset();
  for (const auto* name : {"noise-multiplier", "batch-size", "epochs", "target-epsilon", "delta",
                           "sampling", "dataset", "method", "anything-new"}) {
    auto dearer = settings;
    dearer.flags.push_back({name, {"1", "2"}});
    EXPECT_THAT(refusal_of(dearer), HasSubstr(std::string(name) + ": with draw")) << name;
    dearer.flags.back().values.pop_back();
    EXPECT_EQ(refusal_of(dearer), "accepted") << name;
  }
  auto groups = settings;
  groups.flags.push_back({"group-size", {"3"}});
  EXPECT_THAT(refusal_of(groups), HasSubstr("group-size"));
  auto searching = settings;
  searching.flags = {{"clipping", {"flat", "laplace"}}};
  EXPECT_THAT(refusal_of(searching), HasSubstr("laplace costs more"));
  searching.flags = {{"clipping", {"flat", "per-layer"}}};
  EXPECT_EQ(refusal_of(searching), "accepted");
}

TEST(SweepPlan, IsWrittenOnceAndKeptTo) {
  const TemporaryFolder folder;
  const auto file = folder / "sweep-plan.json";
  SweepSettings drawn;
  drawn.flags = {{"learning-rate", {"1", "2"}}, {"disable-dp", {"false"}, {}, true}};
  drawn.draw = RandomCount(RunsDistribution::kGeometric, 100);
  const SweepPlan plan = plan_for(drawn, file);
  const SweepPlan again = plan_for(drawn, file);
  EXPECT_EQ(again.configurations(), plan.configurations());
  EXPECT_EQ(again.draw()->mean(), 100);
  drawn.flags[0].values = {"1", "3"};
  try {
    plan_for(drawn, file);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr(file.string()));
    EXPECT_THAT(error.what(), HasSubstr("train.learning-rate"));
    EXPECT_THAT(error.what(), HasSubstr(R"(["1","3"])"));
  }
  write_file_atomically(file, "{}");
  EXPECT_THROW(read_plan(file), InvalidArgument);
}

}  // namespace
}  // namespace sotto::sweep
