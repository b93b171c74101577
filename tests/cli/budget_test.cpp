#include <gtest/gtest.h>

#include <cmath>

#include "tests/cli/program.h"

namespace sotto::cli {
namespace {

const std::string kThesis = "budget -s 60000 -b 64 -n 1.0 -e 15 -d 1e-5 ";

TEST(Budget, ThesisRunByPld) {
  const auto json = run_program(kThesis + "--json").json();
  EXPECT_NEAR(json["epsilon"].get<double>(), 0.61108, 1e-4);
  EXPECT_LE(json["epsilon_lower"].get<double>(), 0.611082);
  EXPECT_GE(json["epsilon"].get<double>(), 0.611081);
  EXPECT_LE((json["epsilon"].get<double>() - json["epsilon_lower"].get<double>()) /
                json["epsilon"].get<double>(),
            1e-3);
  EXPECT_EQ(json["steps"], 14070);
  EXPECT_EQ(json["epochs"], 15);
  EXPECT_DOUBLE_EQ(json["sample_rate"].get<double>(), 64.0 / 60000);
  EXPECT_EQ(json["delta"], 1e-5);
  EXPECT_EQ(json["noise_multiplier"], 1.0);
  EXPECT_EQ(json["accountant"], "pld");
  EXPECT_EQ(json["adjacency"], "zero-out");
  EXPECT_EQ(json["sampling"], "poisson");
}

TEST(Budget, ThesisRunByRdp) {
  const auto classic = run_program(kThesis + "--accountant rdp --conversion classic --json").json();
  EXPECT_NEAR(classic["epsilon"].get<double>(), 1.1663, 5e-5);
  EXPECT_EQ(classic["order"], 13);
  EXPECT_EQ(classic["conversion"], "classic");
  EXPECT_TRUE(classic["epsilon_lower"].is_null());
  const auto improved = run_program(kThesis + "--accountant rdp --json").json();
  EXPECT_NEAR(improved["epsilon"].get<double>(), 0.8725, 5e-5);
  EXPECT_EQ(improved["conversion"], "improved");
}

TEST(Budget, AllAccountantsSideBySide) {
  const auto json = run_program(kThesis + "--accountant all --json").json();
  ASSERT_EQ(json["accountants"].size(), 3U);
  EXPECT_EQ(json["accountants"][2]["accountant"], "gdp");
  EXPECT_EQ(json["accountants"][2]["is_bound"], false);
}

TEST(Budget, HumanTextSaysItInPlainWords) {
  const auto outcome = run_program(kThesis);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* words :
       {"ε ≤ 0.611", "at δ = 1e-05", "for whoever sees every noised sum, the exact ε lies between",
        "Every single record", "Poisson sampling", "0.1067 %",
        "14070 steps = 15 epochs × 938 steps", "0.8726 (α = 13)", "1.167 (α = 13)", "shuffle"}) {
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words << "\n" << outcome.out;
  }
}

TEST(Budget, FindsTheNoiseOnThePrivateSide) {
  const auto json = run_program("budget -s 60000 -b 256 -e 30 --target-epsilon 2 --json").json();
  EXPECT_LE(json["epsilon"].get<double>(), 2);
  EXPECT_GT(json["epsilon"].get<double>(), 1.999);
  // Typing the answer in keeps the promise.
  const std::string noise = json["noise_multiplier"].dump();
  const auto again = run_program("budget -s 60000 -b 256 -e 30 -n " + noise + " --json").json();
  EXPECT_LE(again["epsilon"].get<double>(), 2);
}

TEST(Budget, FindsTheMostEpochs) {
  const std::string run = "budget -s 60000 -b 256 -n 1.1 ";
  const auto json = run_program(run + "--target-epsilon 2 --json").json();
  const auto epochs = json["epochs"].get<std::int64_t>();
  EXPECT_LE(json["epsilon"].get<double>(), 2);
  EXPECT_EQ(json["steps"], epochs * 235);
  const auto more = run_program(run + "-e " + std::to_string(epochs + 1) + " --json").json();
  EXPECT_GT(more["epsilon"].get<double>(), 2);
}

TEST(Budget, FindsDelta) {
  const auto json =
      run_program("budget -s 60000 -b 64 -n 1.0 -e 15 --epsilon 0.61108 --json").json();
  EXPECT_NEAR(json["delta"].get<double>(), 1e-5, 2e-8);
  EXPECT_LE(json["delta_lower"].get<double>(), json["delta"].get<double>());
  EXPECT_EQ(json["epsilon"], 0.61108);
}

TEST(Budget, RateAndStepsDirectly) {
  const auto json =
      run_program("budget --sample-rate 1 --steps 5 -n 1 -d 1e-6 --accountant rdp --json").json();
  EXPECT_NEAR(json["epsilon"].get<double>(), 13.376379163, 1e-6);
  EXPECT_TRUE(json["epochs"].is_null());
  const auto none =
      run_program("budget --sampling none --steps 5 -n 1 -d 1e-6 --accountant rdp --json").json();
  EXPECT_EQ(none["epsilon"], json["epsilon"]);
  EXPECT_EQ(none["sample_rate"], 1.0);
}

TEST(Budget, SamplingDecidesTheAdjacencyUnlessNamed) {
  const auto fixed = run_program(kThesis + "--sampling fixed-size --json").json();
  EXPECT_EQ(fixed["adjacency"], "replace-one");
  const auto shuffled = run_program(kThesis + "--sampling shuffled --json").json();
  EXPECT_EQ(shuffled["adjacency"], "zero-out");
  EXPECT_GT(shuffled["epsilon"].get<double>(), 20);  // 15 Gaussians of σ = 1
  const auto replaced = run_program(kThesis + "--adjacency replace-one --json").json();
  EXPECT_GT(replaced["epsilon"].get<double>(), 0.62);
}

TEST(Budget, GroupsAndTuningCostMore) {
  const double one = run_program(kThesis + "--json").json()["epsilon"].get<double>();
  EXPECT_GT(run_program(kThesis + "--group-size 3 --json").json()["epsilon"].get<double>(), one);
  const auto tuned = run_program(kThesis + "--tuning-runs 10 --json").json();
  EXPECT_GT(tuned["tuning"]["epsilon_fixed_runs"].get<double>(), one);
  EXPECT_GT(tuned["tuning"]["epsilon_random_runs"].get<double>(), one);
}

TEST(Budget, WithoutNoiseEpsilonIsInfinite) {
  const auto json = run_program("budget -s 60000 -b 64 -n 0 -e 15 --json");
  EXPECT_EQ(json.status, 0);
  EXPECT_EQ(json.json()["epsilon"], "Infinity");
  const auto text = run_program("budget -s 60000 -b 64 -n 0 -e 15");
  EXPECT_NE(text.out.find("ε = ∞"), std::string::npos);
  EXPECT_NE(text.out.find("no privacy at all"), std::string::npos);
}

TEST(Budget, WarnsOfALargeDeltaAndAMeaninglessEpsilon) {
  const auto delta = run_program("budget -s 1000 -b 10 -n 1 -e 1 -d 0.001 --json").json();
  EXPECT_NE(delta["warnings"].dump().find("1/1000"), std::string::npos);
  const auto epsilon = run_program("budget -s 1000 -b 100 -n 0.3 -e 10 --json").json();
  EXPECT_NE(epsilon["warnings"].dump().find("means nothing"), std::string::npos);
}

TEST(Budget, NoiseOfAnySizeIsAnswered) {
  for (const char* noise : {"1e-300", "1e-9", "0.01", "1e6", "1e300"}) {
    for (const char* sampling : {"poisson", "fixed-size", "shuffled", "none"}) {
      const auto outcome = run_program("budget -s 1000 -b 10 -e 1 --json -n " + std::string(noise) +
                                       " --sampling " + sampling);
      EXPECT_EQ(outcome.status, 0) << noise << ' ' << sampling << outcome.err;
      const auto epsilon = outcome.json()["epsilon"];
      EXPECT_TRUE(epsilon == "Infinity" || epsilon.get<double>() >= 0) << noise << ' ' << sampling;
    }
  }
}

TEST(Budget, AGivenEpsilonIsNotRoundedInOurFavour) {
  const auto text = run_program("budget -s 60000 -b 64 -n 1 -e 15 --epsilon 0.5123412").out;
  EXPECT_NE(text.find("at ε = 0.512342"), std::string::npos) << text;
}

TEST(Budget, OrdersMayBeGiven) {
  const auto json = run_program(kThesis + "--accountant rdp -a 2,4,8 --json").json();
  EXPECT_EQ(json["order"], 8);
  EXPECT_NE(json["warnings"].dump().find("end of the grid"), std::string::npos);
}

TEST(Help, IsThereForEveryCommand) {
  for (const char* arguments : {"--help", "help", "budget --help", "explain --help"}) {
    const auto outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments;
    EXPECT_NE(outcome.out.find("sotto"), std::string::npos) << arguments;
    EXPECT_EQ(outcome.err, "") << arguments;
  }
  EXPECT_NE(run_program("budget --help").out.find("Examples:"), std::string::npos);
  EXPECT_EQ(run_program("--version").out.find("sotto "), 0U);
}

}  // namespace
}  // namespace sotto::cli
