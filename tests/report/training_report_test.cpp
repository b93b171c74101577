#include "report/training_page.h"
#include "sotto/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "sotto/accounting/statement.h"
#include "tests/core/temporary_folder.h"
#include "tests/report/html_check.h"
#include "tests/runs/run_files.h"

namespace sotto::report {
namespace {

using namespace runs;  // NOLINT(google-build-using-namespace): the folders that it makes

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string page_of(const std::filesystem::path& folder) {
  return training_report_html(RunRecord::read(folder));
}

TEST(TrainingReport, HoldsTheFactsOfTheRun) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const auto page = page_of(folder.path());
  EXPECT_THAT(html_problems(page), ElementsAre());
  const auto text = text_of(page);
  const auto epsilon = accounting::rounded_up(epsilon_of({}));
  for (const std::string& fact :
       {"ε ≤ " + epsilon, std::string("84.08 %"), std::string("δ"), std::string("1e-05"),
        std::string("fashion-mnist"), std::string("cnn"), std::string("Whatever anybody concludes"),
        std::string("Poisson sampling"), std::string("secret Gaussian noise"),
        std::string("Training losses are not covered by ε."), std::string("noise_multiplier"),
        std::string("learning_rate"), std::string("clipless.margin"), std::string("Verified"),
        std::string("gradients"), std::string("everything else"), std::string("25.1 s")}) {
    EXPECT_THAT(text, HasSubstr(fact));
  }
  EXPECT_THAT(text, Not(HasSubstr("NOT PRIVATE")));
  EXPECT_THAT(text, Not(HasSubstr("contradict")));
}

TEST(TrainingReport, TellsHowManyMembersCanBeCaught) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const auto page = page_of(folder.path());
  const auto text = text_of(page);
  for (const char* words :
       {"members caught, at most", "by guessing", "from (ε, δ) alone", "plus δ = 1e-05",
        "the number of records is public", "whole privacy-loss distribution"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
  EXPECT_THAT(page, HasSubstr("outsiders wrongly accused</text>"));
  EXPECT_THAT(text, Not(HasSubstr("except for events")));
  EXPECT_THAT(text, Not(HasSubstr("ertified")));
}

// What the plan's steps do not explain must not be forgotten: then only ε and δ count.
TEST(TrainingReport, AnEpsilonBeyondThePlanIsTakenAsItIs) {
  const TemporaryFolder folder;
  write_run(folder.path());
  edit_json(folder / "privacy.json", [](json& privacy) { privacy["epsilon"] = 23.0; });
  const auto text = text_of(page_of(folder.path()));
  EXPECT_THAT(text, HasSubstr("Computed from ε and δ alone"));
  EXPECT_THAT(text, Not(HasSubstr("from (ε, δ) alone")));
}

// ε is rounded as the statement rounds it: 2.99999 is printed as 3, and never as less.
TEST(TrainingReport, EpsilonIsRoundedUp) {
  const TemporaryFolder folder;
  write_run(folder.path());
  edit_json(folder / "privacy.json", [](json& privacy) { privacy["epsilon"] = 23.00001; });
  EXPECT_THAT(text_of(page_of(folder.path())), HasSubstr("ε ≤ 23.01"));
}

// Older runs have it in metrics.jsonl itself.
TEST(TrainingReport, HidesWhatEpsilonDoesNotCoverAndMarksItWhereAskedFor) {
  const TemporaryFolder folder;
  write_run(folder.path());
  EXPECT_THAT(page_of(folder.path()), Not(HasSubstr("training loss")));
  const auto page = training_report_html(RunRecord::read(folder.path(), Told::kPrivate));
  EXPECT_THAT(page, HasSubstr("training loss (NOT covered by ε)"));
  EXPECT_THAT(page, Not(HasSubstr("test accuracy (NOT covered by ε)")));
  EXPECT_THAT(page, HasSubstr("if the test data are private, do not publish"));
}

TEST(TrainingReport, PrivateMetricsAreReadWhereAskedFor) {
  const TemporaryFolder folder;
  write_run(folder.path());
  write_file_atomically(folder / "metrics.private.jsonl",
                        "{\"epoch\":1,\"step\":10,\"train_loss\":7.125}\n");
  EXPECT_THAT(page_of(folder.path()), Not(HasSubstr("7.125")));
  EXPECT_THAT(training_report_html(RunRecord::read(folder.path(), Told::kPrivate)),
              HasSubstr("7.125"));
}

// A run on one private table: the page holds what was released, and nothing of the records.
TEST(TrainingReport, HeldOutAnswersTakeThePlaceOfConfusionsAndRecords) {
  const TemporaryFolder folder;
  write_run(folder.path(), {.dataset = "csv:patients.csv"});
  EXPECT_THAT(page_of(folder.path()), Not(HasSubstr("✗ Dress")));  // of an older run: left out
  EXPECT_THAT(page_of(folder.path()), Not(HasSubstr("84.08 %")));
  write_json(folder / "evaluation.json",
             {{"accuracy", 0.75},
              {"class_names", {"well", "ill"}},
              {"held_out",
               {{"epsilon", 1.5},
                {"accuracy_error", 0.001},
                {"answers", {{{"right", 61}, {"wrong", 17}}, {{"right", 14}, {"wrong", -1}}}}}}});
  const auto page = page_of(folder.path());
  EXPECT_THAT(html_problems(page), ElementsAre());
  const auto text = text_of(page);
  for (const char* words : {"Answers on held-out records", "ε = 1.5", "Accuracy, with noise",
                            "75.00 %", "classifies about 75.00 % of held-out records"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
  EXPECT_THAT(text, Not(HasSubstr("Samples from the test data")));
}

TEST(TrainingReport, TellsHowGoodTheModelIs) {
  const TemporaryFolder folder;
  write_run(folder.path());
  auto text = text_of(page_of(folder.path()));
  for (const char* words :
       {"How good it is", "Better than always answering &#39;Shirt&#39;, which is right",
        "balanced accuracy", "80.00 % (70.82 % to 87.33 %)"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
  EXPECT_THAT(text, Not(HasSubstr("Do probabilities mean")));  // of an older run
  edit_json(folder / "evaluation.json", [](json& evaluation) {
    evaluation["auc"] = {{"value", 0.9125}, {"interval", {0.875, 0.9375}}};
    evaluation["calibration"] = {{"expected_calibration_error", 0.0325},
                                 {"brier_score", 0.4125},
                                 {"log_loss", 0.5},
                                 {"bins",
                                  {{{"from", 0.4},
                                    {"to", 0.5},
                                    {"records", 40},
                                    {"happened", 12},
                                    {"mean_probability", 0.45}},
                                   {{"from", 0.9}, {"to", 1}, {"records", 0}, {"happened", 0}}}}};
  });
  const auto page = page_of(folder.path());
  EXPECT_THAT(html_problems(page), ElementsAre());
  text = text_of(page);
  for (const char* words : {"0.9125 (0.875 to 0.9375)", "3.25 %", "0.4125",
                            "Do probabilities mean what they say?", "45.00 %: true for 30.00 %"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
}

TEST(TrainingReport, NamesConfusionsMostFrequentFirst) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const auto text = text_of(page_of(folder.path()));
  const auto first = text.find("Shirt taken for Dress: 20 times, 20.00 % of that class");
  const auto second = text.find("Dress taken for Shirt: 7 times, 7.00 % of that class");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, second);
}

TEST(TrainingReport, ShowsSamplesWithPictureTruthAndProbability) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const auto page = page_of(folder.path());
  EXPECT_THAT(page, HasSubstr("data:image/png;base64,iVBORw0KGgo"));
  EXPECT_THAT(page, HasSubstr("alt=\"Test record of class Shirt\""));
  const auto text = text_of(page);
  EXPECT_THAT(text, HasSubstr("✗ Dress71 % suretruth: Shirt"));
  EXPECT_THAT(text, HasSubstr("values 1.5, 2, -3✓ Bag90 % sure"));
}

TEST(TrainingReport, PlainRunIsAnAlarm) {
  const TemporaryFolder folder;
  write_plain_run(folder.path(), "mnist");
  const auto page = page_of(folder.path());
  EXPECT_THAT(html_problems(page), ElementsAre());
  EXPECT_THAT(page, HasSubstr("<div class=\"alarm\" role=\"alert\"><p><strong>NOT PRIVATE"));
  EXPECT_LT(page.find("NOT PRIVATE</strong>"), page.find("<h1>"));
  EXPECT_THAT(text_of(page), Not(HasSubstr("ε ≤")));
}

// privacy.json of a seeded run has an ε. It means nothing and must appear nowhere.
TEST(TrainingReport, SeededRunShowsNoEpsilon) {
  const TemporaryFolder folder;
  write_seeded_run(folder.path());
  const auto run = RunRecord::read(folder.path());
  EXPECT_TRUE(std::isinf(run.epsilon()));
  EXPECT_TRUE(run.series("epoch", "epsilon").xs.empty());
  const auto page = training_report_html(run);
  EXPECT_THAT(page, HasSubstr("<strong>NOT PRIVATE"));
  EXPECT_THAT(page, Not(HasSubstr(accounting::rounded_up(epsilon_of({})))));
  EXPECT_THAT(page, Not(HasSubstr("Privacy spent")));
}

TEST(TrainingReport, EveryMissingPieceIsNamed) {
  const TemporaryFolder folder;
  write_run(folder.path(), {.with_evaluation = false});
  for (const char* file : {"config.json", "metrics.jsonl", "ledger.jsonl"}) {
    std::filesystem::remove(folder / file);
  }
  const auto page = page_of(folder.path());
  EXPECT_THAT(html_problems(page), ElementsAre());
  const auto text = text_of(page);
  for (const char* words :
       {"no evaluation.json with a confusion matrix", "no evaluation.json with predictions",
        "no evaluation.json with a profile", "no metrics.jsonl", "no config.json",
        "no ledger.jsonl", "unknown data"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
}

TEST(TrainingReport, EmptyEvaluationIsNoError) {
  const TemporaryFolder folder;
  write_run(folder.path());
  write_json(folder / "evaluation.json", json::object());
  EXPECT_THAT(html_problems(page_of(folder.path())), ElementsAre());
}

TEST(TrainingReport, HostileTextsStayTexts) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const std::string attack = "\"><script>alert(1)</script><img src=x onerror='a'>";
  edit_json(folder / "config.json", [&](json& config) {
    config["dataset"] = attack;
    config["model"] = attack;
    config[attack] = attack;
    config["clipless"] = {{attack, {attack, {{"deep", attack}}}}};
  });
  edit_json(folder / "evaluation.json", [&](json& evaluation) {
    evaluation["class_names"] = {attack, attack, attack};
    evaluation["profile"][0]["part"] = attack;
  });
  edit_json(folder / "privacy.json", [&](json& privacy) {
    privacy["statement"]["promise"] = attack;
    privacy["warnings"] = {attack, {{"not", "a text"}}};
    privacy["shown_during_training"] = attack;
    privacy["plan"]["more"] = attack;
  });
  const auto page = page_of(folder.path());
  EXPECT_THAT(html_problems(page), ElementsAre());
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
}

TEST(TrainingReport, WrongKindsInSettingsAreShownAsTheyAre) {
  const TemporaryFolder folder;
  write_run(folder.path());
  edit_json(folder / "config.json", [](json& config) {
    config["dataset"] = 7;
    config["model"] = json::array({1, 2});
    config["kind"] = nullptr;
    config["disable_dp"] = "maybe";
  });
  EXPECT_THAT(text_of(page_of(folder.path())), HasSubstr("unknown data"));
}

TEST(TrainingReport, GeneratorHasStatementLossesAndSamples) {
  const TemporaryFolder folder;
  write_generator_run(folder.path());
  const auto run = RunRecord::read(folder.path(), Told::kPrivate);
  EXPECT_THAT(run.contradictions(), ElementsAre());
  const auto page = training_report_html(run);
  EXPECT_THAT(html_problems(page), ElementsAre());
  EXPECT_THAT(page_of(folder.path()), Not(HasSubstr("critic (NOT")));
  for (const char* words : {"Generator for digits", "critic (NOT covered by ε)", "Privacy spent",
                            "Whatever anybody concludes", "samples-000010.png", "label counts"}) {
    EXPECT_THAT(text_of(page), HasSubstr(words));
  }
}

TEST(TrainingReport, TheFileIsThePageAndTheSameEachTime) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const auto path = write_training_report(folder.path());
  EXPECT_EQ(path, folder / "report.html");
  const auto first = read_file(path);
  EXPECT_EQ(first, page_of(folder.path()));
  EXPECT_EQ(read_file(write_training_report(folder.path())), first);
}

}  // namespace
}  // namespace sotto::report
