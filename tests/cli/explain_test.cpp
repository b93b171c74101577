#include <gtest/gtest.h>

#include <cmath>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

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
  // Upper bounds are rounded up, lower ones down.
  for (const char* words : {"2.72", "73.2 %", "26.8 %", "46.3 %", "by guessing", "alone"}) {
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words;
  }
}

TEST(Explain, SaysPlusDelta) {
  const auto outcome = run_program("explain --epsilon 1 --delta 1e-5");
  EXPECT_NE(outcome.out.find("plus δ = 1e-05"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("except"), std::string::npos) << outcome.out;
  EXPECT_EQ(run_program("explain --epsilon 1").out.find("plus"), std::string::npos);
}

constexpr const char* kRun = "-s 60000 -b 64 -n 1 -e 15 -d 1e-5";

TEST(Explain, ARunHasItsOwnCurve) {
  const auto run = run_program(std::string("explain --json ") + kRun).json();
  EXPECT_EQ(run["curve"], "run");
  EXPECT_NEAR(run["epsilon"].get<double>(), 0.6111, 1e-3);
  const auto pair = run_program("explain --epsilon 0.6112 --delta 1e-5 --json").json();
  EXPECT_EQ(pair["curve"], "pair");
  for (std::size_t i = 0; i < run["membership_tests"].size(); ++i) {
    const auto& own = run["membership_tests"][i];
    EXPECT_GE(own["true_positive_rate"].get<double>(), own["by_guessing"].get<double>());
    EXPECT_LE(own["true_positive_rate"].get<double>(),
              pair["membership_tests"][i]["true_positive_rate"].get<double>());
  }
  EXPECT_LT(run["membership_advantage"].get<double>(),
            0.5 * pair["membership_advantage"].get<double>());
  EXPECT_NE(run_program(std::string("explain ") + kRun).out.find("whole privacy-loss distribution"),
            std::string::npos);
}

TEST(Explain, DrawsTheCurve) {
  const TemporaryFolder folder;
  const auto picture = (folder.path() / "curve.svg").string();
  const auto json =
      run_program(std::string("explain --json ") + kRun + " --plot " + picture).json();
  EXPECT_EQ(json["plot"], picture);
  const auto svg = read_file(picture);
  for (const char* words : {"<svg", "guessing", "members caught", "alone"}) {
    EXPECT_NE(svg.find(words), std::string::npos) << words;
  }
}

TEST(Explain, ANumberIsAnEpsilon) {
  const auto text = run_program("explain 1");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("ε = 1 at δ = 0 (none was given: --delta)"), std::string::npos)
      << text.out;
  EXPECT_EQ(run_program("explain 1 --json").json(),
            run_program("explain --epsilon 1 --json").json());
  EXPECT_EQ(run_program("explain 0.5 -d 1e-5 --json").json()["delta"], 1e-5);
  expect_refused("explain 1 --epsilon 2", "'1' and --epsilon '2' contradict each other");
  expect_refused("explain 1 -n 1", "--epsilon and --noise-multiplier contradict each other");
  expect_refused("explain 1e999", "--epsilon '1e999'");
  expect_refused("explain one", "or a number for ε");
}

TEST(Explain, AFolderThatIsCalledANumberIsARun) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "1");
  expect_refused("explain " + (folder / "1").string(), "holds no privacy.json");
}

TEST(Explain, SaysWhatIsCustomaryWithSources) {
  for (const auto& [epsilon, tier] : {std::pair{"1", "is strong"},
                                      {"1.01", "is reasonable"},
                                      {"10", "is reasonable"},
                                      {"11", "is weak"}}) {
    const auto words = run_program("explain --json " + std::string(epsilon)).json()["customary"];
    EXPECT_NE(words.get<std::string>().find(tier), std::string::npos) << words;
  }
  const auto text = run_program("explain 3").out;
  for (const char* source : {"Ponomareva", "2023", "NIST", "800-226", "17.14", "Apple"}) {
    EXPECT_NE(text.find(source), std::string::npos) << source;
  }
}

TEST(Explain, ALargeDeltaIsWarnedOfFirst) {
  for (const char* arguments :
       {"explain 1 -d 0.001 -s 1000", "explain -s 1000 -b 10 -n 1 -e 1 -d 0.01",
        "budget -s 1000 -b 10 -n 1 -e 1 -d 0.001"}) {
    const auto outcome = run_program(arguments);
    EXPECT_EQ(outcome.out.find("Warning     δ = "), 0U) << outcome.out;
    const auto json = run_program(std::string(arguments) + " --json").json();
    EXPECT_NE(json["warnings"][0].get<std::string>().find("1/1000"), std::string::npos);
  }
  EXPECT_EQ(run_program("explain 1 -d 1e-5 -s 1000").out.find("Warning"), std::string::npos);
}

TEST(Explain, IsCertainOfNothingThatIsNotCertain) {
  for (const char* arguments : {"explain 12", "explain 40", "explain 700", "explain 5 -d 1e-5"}) {
    const auto out = run_program(arguments).out;
    EXPECT_EQ(out.find("100.0"), std::string::npos) << out;
    EXPECT_EQ(out.find(" 0.0 %"), std::string::npos) << out;
  }
  EXPECT_NE(run_program("explain 40").out.find("just under 100 %"), std::string::npos);
}

TEST(Explain, ZeroTellsNothingAndHugeTellsAll) {
  EXPECT_EQ(run_program("explain --epsilon 0 --json").json()["membership_advantage"], 0.0);
  EXPECT_EQ(run_program("explain --epsilon 2000 --json").json()["odds_factor"], "Infinity");
}

}  // namespace
}  // namespace sotto::cli
