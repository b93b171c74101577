#include "report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/training_page.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/report/html_check.h"
#include "tests/runs/run_files.h"

namespace sotto::report {
namespace {

using namespace runs;  // NOLINT(google-build-using-namespace): the folders that it makes

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ComparisonTest : public testing::Test {
 protected:
  void add(const std::string& name, const RunFiles& files) {
    write_run(folder / name, files);
    runs.push_back(RunRecord::read(folder / name));
  }

  TemporaryFolder folder;
  std::vector<RunRecord> runs;
};

// Not by the code of the report: the same mechanisms, composed by hand.
TEST_F(ComparisonTest, CombinedCostIsThatOfAllSteps) {
  add("a", {.noise_multiplier = 1, .batch_size = 100, .steps = 40});
  add("b", {.noise_multiplier = 1.5, .batch_size = 200, .steps = 25});
  const auto combined = combined_costs(runs);
  ASSERT_EQ(combined.size(), 1U);
  accounting::Composition all(accounting::PoissonGaussianEvent(0.1, 1), 40);
  all.add(accounting::PoissonGaussianEvent(0.2, 1.5), 25);
  const auto expected = accounting::cost_at_delta(
      all, accounting::Neighbours(accounting::Adjacency::kAddRemove), 1e-5);
  ASSERT_TRUE(combined[0].cost);
  EXPECT_DOUBLE_EQ(combined[0].cost->epsilon, expected.epsilon);
  EXPECT_GT(combined[0].cost->epsilon, std::max(runs[0].epsilon(), runs[1].epsilon()));
  EXPECT_THAT(combined[0].sentence, HasSubstr("ε ≤ " + accounting::rounded_up(expected.epsilon)));
}

TEST_F(ComparisonTest, GeneratorsPayForTheirReleasesToo) {
  for (const char* name : {"a", "b"}) {
    write_generator_run(folder / name);
    runs.push_back(RunRecord::read(folder / name));
  }
  accounting::Composition all(accounting::PoissonGaussianEvent(0.1, 1), 80);
  all.add(accounting::GaussianEvent(10), 2);
  const auto expected = accounting::cost_at_delta(all, accounting::Neighbours(), 1e-5);
  EXPECT_NEAR(combined_costs(runs).at(0).cost->epsilon, expected.epsilon, 2e-3 * expected.epsilon);
}

TEST_F(ComparisonTest, ReleasesAboutHeldOutRecordsArePaidForToo) {
  for (const char* name : {"a", "b"}) {
    write_run(folder / name, {.noise_multiplier = 1, .batch_size = 100, .steps = 40});
    edit_json(folder / name / "privacy.json", [](nlohmann::json& privacy) {
      privacy["held_out"] = {{"epsilon", 0.5}};
    });
    runs.push_back(RunRecord::read(folder / name));
  }
  accounting::Composition all(accounting::PoissonGaussianEvent(0.1, 1), 80);
  all.add(accounting::BlackBoxEvent(0.5, 0), 2);
  const auto expected = accounting::cost_at_delta(all, accounting::Neighbours(), 1e-5);
  EXPECT_NEAR(combined_costs(runs).at(0).cost->epsilon, expected.epsilon, 2e-3 * expected.epsilon);
}

TEST_F(ComparisonTest, OtherDataArePaidForApart) {
  add("a", {.dataset = "mnist"});
  add("b", {.dataset = "fashion-mnist"});
  EXPECT_TRUE(combined_costs(runs).empty());
  EXPECT_THAT(comparison_html(runs), HasSubstr("each keeps its own ε"));
}

TEST_F(ComparisonTest, TheSameContentIsPaidForTogetherWhateverItsName) {
  add("a", {.dataset = "csv:a.csv", .data_identity = "1f"});
  add("b", {.dataset = "csv:./a.csv", .data_identity = "1f"});
  add("c", {.dataset = "csv:c.csv", .data_identity = "2e"});
  const auto combined = combined_costs(runs);
  ASSERT_EQ(combined.size(), 1U);
  EXPECT_THAT(combined[0].runs, ElementsAre(0U, 1U));
  EXPECT_EQ(combined[0].same_by, "content");
  EXPECT_THAT(combined[0].sentence, HasSubstr("csv:a.csv, csv:./a.csv (the same data by content)"));
}

// An edited file still holds most of its records.
TEST_F(ComparisonTest, TheSameNameIsPaidForTogetherWhateverItsContent) {
  add("a", {.dataset = "csv:a.csv", .data_identity = "1f"});
  add("b", {.dataset = "csv:a.csv", .data_identity = "2e"});
  EXPECT_EQ(combined_costs(runs).at(0).same_by, "name, though the content differs");
  add("c", {.dataset = "csv:a.csv"});
  EXPECT_THAT(combined_costs(runs).at(0).runs, ElementsAre(0U, 1U, 2U));
  EXPECT_EQ(combined_costs(runs).at(0).same_by, "name");
}

// The third joins the first by content and the second by name.
TEST_F(ComparisonTest, ChainsOfNamesAndContentsAreOneDataSet) {
  add("a", {.dataset = "csv:a.csv", .data_identity = "1f"});
  add("b", {.dataset = "csv:b.csv", .data_identity = "2e"});
  EXPECT_TRUE(combined_costs(runs).empty());
  add("c", {.dataset = "csv:b.csv", .data_identity = "1f"});
  ASSERT_EQ(combined_costs(runs).size(), 1U);
  EXPECT_THAT(combined_costs(runs)[0].runs, ElementsAre(0U, 1U, 2U));
  EXPECT_EQ(combined_costs(runs)[0].same_by, "name or content");
}

TEST_F(ComparisonTest, ARunWithoutPrivacySpoilsItsData) {
  add("a", {});
  write_plain_run(folder / "b", "fashion-mnist");
  runs.push_back(RunRecord::read(folder / "b"));
  const auto combined = combined_costs(runs);
  ASSERT_EQ(combined.size(), 1U);
  EXPECT_TRUE(std::isinf(combined[0].cost->epsilon));
  EXPECT_THAT(combined[0].sentence, HasSubstr("promise nothing"));
  EXPECT_THAT(comparison_html(runs), HasSubstr("<strong>NOT PRIVATE"));
}

TEST_F(ComparisonTest, GroupsOfRecordsArePaidForAsGroups) {
  add("a", {.group_size = 3});
  add("b", {.group_size = 3});
  const auto expected =
      accounting::cost_at_delta({accounting::PoissonGaussianEvent(0.1, 1), 80},
                                accounting::Neighbours(accounting::Adjacency::kZeroOut, 3), 1e-5);
  const auto combined = combined_costs(runs).at(0);
  EXPECT_NEAR(combined.cost.value().epsilon, expected.epsilon, 2e-3 * expected.epsilon);
  EXPECT_THAT(training_report_html(runs[0]), HasSubstr("any 3 training records"));
  add("c", {.group_size = 2});
  EXPECT_FALSE(combined_costs(runs).at(0).cost) << "they protect different groups";
}

TEST_F(ComparisonTest, DifferentRelationsHaveNoCommonEpsilon) {
  add("a", {});
  add("b", {.sampling = accounting::Sampling::kFixedSize});
  const auto combined = combined_costs(runs);
  ASSERT_EQ(combined.size(), 1U);
  EXPECT_FALSE(combined[0].cost);
  EXPECT_THAT(combined[0].sentence, HasSubstr("no single ε"));
}

TEST_F(ComparisonTest, PageHoldsTableChartsAndDifferences) {
  add("first", {.noise_multiplier = 1});
  add("second", {.noise_multiplier = 2, .batch_size = 200});
  const auto page = comparison_html(runs);
  EXPECT_THAT(html_problems(page), ElementsAre());
  for (const char* words : {"1 first", "2 second", "Accuracy by epoch", "Accuracy by privacy spent",
                            "Privacy spent by epoch", "84.08 %", "cost more together"}) {
    EXPECT_THAT(text_of(page), HasSubstr(words));
  }
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">batch_size</th><td class=\"differs\">100</td>"
                              "<td class=\"differs\">200</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<th scope=\"row\">model</th><td class=\"differs\">")));
}

TEST_F(ComparisonTest, ManyRunsAndOneAreHandled) {
  for (int i = 0; i < 9; ++i) {
    add("a-rather-long-name-of-a-run-" + std::to_string(i), {.steps = 10 + i});
  }
  EXPECT_THAT(html_problems(comparison_html(runs)), ElementsAre());
  runs.resize(1, runs.front());
  EXPECT_THROW(comparison_html(runs), InvalidArgument);
}

}  // namespace
}  // namespace sotto::report
