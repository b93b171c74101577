#include "report/board_statement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/ledger.h"
#include "plan/plan_json.h"
#include "report/board_pages.h"
#include "runs/declared_person.h"
#include "runs/run_tradeoff.h"
#include "sotto/accounting/statement.h"
#include "sotto/accounting/tradeoff_curve.h"
#include "tests/core/temporary_folder.h"
#include "tests/report/html_check.h"
#include "tests/runs/run_files.h"

namespace sotto::report {
namespace {

using runs::edit_json;
using runs::write_run;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

BoardStatement statement_of(const std::filesystem::path& folder) {
  return board_statement(runs::RunRecord::read(folder));
}

// Every form of the page.
std::vector<std::string> pages_of(const BoardStatement& statement) {
  return {board_markdown(statement), board_html(statement), board_yaml(statement),
          board_json(statement).dump()};
}

TEST(BoardStatement, SaysWhatHoldsInEveryForm) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  const auto statement = statement_of(folder / "run");
  ASSERT_EQ(statement.standing, Standing::kHolds);
  EXPECT_THAT(statement.alarms, IsEmpty());
  EXPECT_EQ(epsilon_text(statement), accounting::rounded_up(runs::epsilon_of({})));
  EXPECT_EQ(statement.records, 1000);
  EXPECT_EQ(statement.day.size(), 10U);
  for (const auto& page : pages_of(statement)) {
    EXPECT_THAT(page, AllOf(HasSubstr("ε ≤ " + epsilon_text(statement)), HasSubstr("1e-05"),
                            HasSubstr("fashion-mnist"), HasSubstr("cnn"), HasSubstr(statement.day),
                            HasSubstr("zero-out"), HasSubstr(statement.ledger_hash),
                            HasSubstr("sotto report RUN")));
  }
  EXPECT_THAT(html_problems(board_html(statement)), ElementsAre());
}

TEST(BoardStatement, BeliefsAreOfTheRunsOwnCurve) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  const auto curve = runs::tradeoff_of(runs::RunRecord::read(folder / "run"));
  const auto claim = *statement_of(folder / "run").claim;
  ASSERT_EQ(claim.beliefs.size(), 3U);
  for (const auto& [before, after] : claim.beliefs) {
    EXPECT_EQ(after, accounting::belief_after_verdict(curve, before, 0.01).highest);
    EXPECT_GT(after, before);
  }
  EXPECT_THAT(claim.beliefs_explained, HasSubstr("whole privacy-loss distribution"));
}

TEST(BoardStatement, WithoutPrivacyItSaysSoFirstAndClaimsNothing) {
  const TemporaryFolder folder;
  runs::write_plain_run(folder / "plain", "digits");
  runs::write_seeded_run(folder / "seeded");
  for (const char* run : {"plain", "seeded"}) {
    const auto statement = statement_of(folder / run);
    EXPECT_EQ(statement.standing, Standing::kNotPrivate);
    EXPECT_FALSE(statement.claim);
    EXPECT_EQ(protected_text(statement), "Nobody");
    for (const auto& page : pages_of(statement)) {
      EXPECT_THAT(page,
                  AllOf(HasSubstr("NOT PRIVATE"), Not(HasSubstr("ε ≤")),
                        Not(HasSubstr("privacy_parameters")), Not(HasSubstr("sotto explain"))));
    }
    EXPECT_EQ(board_yaml(statement).find("# THIS RUN IS NOT PRIVATE"), 0U);
    EXPECT_LT(board_markdown(statement).find("NOT PRIVATE"),
              board_markdown(statement).find("| Data"));
    EXPECT_THAT(html_problems(board_html(statement)), ElementsAre());
  }
}

TEST(BoardStatement, ARecordThatDoesNotVerifyLeadsThePage) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  edit_json(folder / "run/privacy.json", [](auto& json) { json["epsilon"] = 0.01; });
  const auto statement = statement_of(folder / "run");
  EXPECT_EQ(statement.standing, Standing::kNotVerified);
  EXPECT_THAT(statement.alarms, ElementsAre(HasSubstr("its plan and steps cost at least")));
  EXPECT_EQ(epsilon_text(statement), "none");
  EXPECT_THAT(headline(statement), HasSubstr("no ε is claimed"));
  for (const auto& page : pages_of(statement)) EXPECT_THAT(page, Not(HasSubstr("ε ≤")));
}

TEST(BoardStatement, WithoutALedgerNothingIsVerified) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  std::filesystem::remove(folder / "run/ledger.jsonl");
  const auto statement = statement_of(folder / "run");
  EXPECT_EQ(statement.standing, Standing::kNotVerified);
  EXPECT_FALSE(statement.claim);
  EXPECT_THAT(statement.alarms, ElementsAre(HasSubstr("ledger.jsonl) is missing")));
}

TEST(BoardStatement, ALargeDeltaIsSaidFirst) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  edit_json(folder / "run/privacy.json", [](auto& json) {
    json["delta"] = 0.001;
    json["warnings"] = {accounting::delta_warning(0.001, 1000).value(), "this is weak"};
  });
  const auto statement = statement_of(folder / "run");
  EXPECT_EQ(statement.standing, Standing::kHolds);
  EXPECT_THAT(statement.alarms, ElementsAre(HasSubstr("is not below 1/1000")));
  EXPECT_THAT(statement.limits, Not(testing::Contains(HasSubstr("1/1000"))));
  EXPECT_THAT(statement.limits, testing::Contains("This is weak."));
  const auto page = board_markdown(statement);
  EXPECT_LT(page.find("1/1000"), page.find("ε ≤"));
}

TEST(BoardStatement, OneOfSeveralKeepsItsNameAndItsDay) {
  const TemporaryFolder folder;
  write_run(folder / "seventeenth");
  edit_json(folder / "seventeenth/config.json", [](auto& json) { json["one_of_several"] = true; });
  const auto statement = statement_of(folder / "seventeenth");
  EXPECT_EQ(statement.day, "");
  for (const auto& page : pages_of(statement)) {
    EXPECT_THAT(page, AllOf(Not(HasSubstr("seventeenth")), Not(HasSubstr("and the ledger"))));
  }
}

TEST(BoardStatement, ClaimsTheRunTogetherWithTheQueriesOfItsLedger) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  const auto alone = statement_of(folder / "run").claim->guarantee.epsilon;
  {
    auto ledger = Ledger::resume(folder / "run/ledger.jsonl", json_of(runs::plan_of({})));
    ledger.charge_event("query budget", {{"kind", "queries"},
                                         {"relation", "add-remove"},
                                         {"total_epsilon", 1.0},
                                         {"total_delta", 0.0},
                                         {"composition", "basic"}});
    ledger.charge_event("query",
                        {{"epsilon", 0.5}, {"delta", 0.0}, {"gaussian_multiplier", nullptr}});
  }
  const auto statement = statement_of(folder / "run");
  ASSERT_TRUE(statement.claim) << testing::PrintToString(statement.alarms);
  EXPECT_NEAR(statement.claim->guarantee.epsilon, alone + 0.5, 0.02);
  EXPECT_THAT(statement.claim->promise, HasSubstr("answers to queries"));
  EXPECT_THAT(statement.claim->beliefs_explained, HasSubstr("from ε and δ alone"));
  EXPECT_THAT(statement.limits, testing::Contains(HasSubstr("1 query was answered")));
}

TEST(BoardStatement, CountsOneStepAsOne) {
  const TemporaryFolder folder;
  write_run(folder / "run", {.steps = 1});
  EXPECT_THAT(pages_of(statement_of(folder / "run")),
              testing::Each(HasSubstr("1 step of training, charged in the ledger before")));
  write_run(folder / "more");
  EXPECT_THAT(pages_of(statement_of(folder / "more")),
              testing::Each(HasSubstr("40 steps of training, each charged in the ledger before")));
}

TEST(BoardStatement, TellsOfHeldOutRecords) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  edit_json(folder / "run/privacy.json", [](auto& json) {
    json["held_out"] = {{"epsilon", 0.25}, {"delta", 0}};
  });
  EXPECT_THAT(statement_of(folder / "run").limits,
              testing::Contains(AllOf(HasSubstr("held out"), HasSubstr("ε = 0.25"))));
}

TEST(BoardStatement, SaysThatRowsAreProtectedAndNotThePersonOfTheSchema) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  const auto limit = runs::person_limit({.column = "patient"});
  edit_json(folder / "run/privacy.json", [&](auto& json) { json["statement"]["limits"] = limit; });
  const auto statement = statement_of(folder / "run");
  EXPECT_EQ(statement.standing, Standing::kHolds);
  EXPECT_THAT(statement.limits, testing::Contains(limit));
  for (const auto& page : pages_of(statement)) EXPECT_THAT(page, HasSubstr("ε protects one row"));
}

TEST(BoardStatement, OfAGenerator) {
  const TemporaryFolder folder;
  runs::write_generator_run(folder / "run");
  const auto statement = statement_of(folder / "run");
  ASSERT_TRUE(statement.claim);
  EXPECT_THAT(statement.claim->promise, HasSubstr("any number of its samples"));
  EXPECT_THAT(board_yaml(statement), HasSubstr("data_product_type: \"Synthetic data\""));
}

// Nothing that ε does not cover: exact losses and accuracies stay where they are.
TEST(BoardStatement, HoldsNothingThatIsNotCovered) {
  const TemporaryFolder folder;
  write_run(folder / "run", {.dataset = "csv:/home/anna/secret folder/patients.csv"});
  for (const auto& page : pages_of(statement_of(folder / "run"))) {
    EXPECT_THAT(page,
                AllOf(HasSubstr("patients.csv"), Not(HasSubstr("anna")), Not(HasSubstr("0.52")),
                      Not(HasSubstr("84.08")), Not(HasSubstr("Shirt"))));
  }
}

TEST(BoardStatement, NamesFromFilesStayText) {
  const TemporaryFolder folder;
  write_run(folder / "run", {.dataset = "<b>|*x*\x1b[2J\n# y: \"z\""});
  const auto statement = statement_of(folder / "run");
  EXPECT_THAT(board_html(statement), AllOf(HasSubstr("&lt;b&gt;"), Not(HasSubstr("<b>"))));
  EXPECT_THAT(html_problems(board_html(statement)), ElementsAre());
  EXPECT_THAT(board_markdown(statement),
              AllOf(HasSubstr("\\<b\\>\\|\\*x\\*"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(board_yaml(statement), AllOf(HasSubstr("\\u001b[2J\\n# y: \\\"z\\\""),
                                           Not(HasSubstr("\x1b")), Not(HasSubstr("\n# y"))));
}

// The fields that OpenDP's schema requires, and their order of nesting.
TEST(BoardStatement, YamlFollowsTheRegistry) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  const auto page = board_yaml(statement_of(folder / "run"));
  for (const char* line :
       {"\nurl_slug: \"fashion-mnist-cnn-model-20", "\nstatus: \"Draft\"\n", "\ntier: 3\n",
        "\ndeployment:\n  basic:\n    name: ",
        "\n    data_curators:\n      - \"TO BE FILLED IN\"\n",
        "\n    data_product_type: \"Machine learning model\"\n", "\n    publication_date: \"20",
        "\n  dp_variant:\n    variant_name: \"Approximate DP\"\n",
        "\n  privacy_loss:\n    privacy_unit: \"Record-level\"\n",
        "\n    privacy_parameters:\n      epsilon: ", "\n      delta: 1.0e-05\n",
        "\n  deployment_model:\n    model_name: \"Central\"\n",
        "\n    release_type: \"One release\"\n", "\n  accounting:\n    post_processing: ",
        "\n    composition: ", "\n  implementation:\n    preprocessing_and_hyperparameter_tuning: ",
        "\n  administrative:\n    sources: ", "\n    registry_authors:\n      - "}) {
    EXPECT_THAT(page, HasSubstr(line));
  }
}

}  // namespace
}  // namespace sotto::report
