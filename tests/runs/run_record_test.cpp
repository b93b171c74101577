#include "runs/run_record.h"
#include "plan/plan_json.h"
#include "runs/combined_cost.h"
#include "runs/run_tradeoff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "plan/ledger_header.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/runs/run_files.h"

namespace sotto::runs {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::filesystem::path& folder) {
  try {
    RunRecord::read(folder);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RunRecord, ReadsWhatIsThere) {
  const TemporaryFolder folder;
  write_run(folder / "first");
  const auto run = RunRecord::read((folder / "first").string() + "/");
  EXPECT_EQ(run.name(), "first");
  EXPECT_EQ(run.dataset(), "fashion-mnist");
  EXPECT_EQ(run.accuracy(), 0.8408);
  EXPECT_EQ(run.seconds(), 25.1);
  EXPECT_EQ(run.epochs(), 4);
  EXPECT_EQ(run.steps(), 40);
  EXPECT_EQ(run.ledger_steps(), 40);
  EXPECT_DOUBLE_EQ(run.epsilon(), epsilon_of({}));
  EXPECT_THAT(run.contradictions(), ElementsAre());
}

TEST(RunRecord, WithoutEvaluationTheMetricsTell) {
  const TemporaryFolder folder;
  write_run(folder.path(), {.with_evaluation = false});
  const auto run = RunRecord::read(folder.path());
  EXPECT_DOUBLE_EQ(*run.accuracy(), 0.84);
  EXPECT_EQ(run.seconds(), 6.0);
}

TEST(RunRecord, TheLossIsTheEvaluationsElseThatOfTheLastEpoch) {
  const TemporaryFolder folder;
  write_run(folder.path());
  EXPECT_EQ(RunRecord::read(folder.path()).loss(), 0.52);
  std::filesystem::remove(folder / "evaluation.json");
  EXPECT_DOUBLE_EQ(*RunRecord::read(folder.path()).loss(), 2.1 / 4);
}

// JSON has no NaN: an earlier epoch's number must not stand for it.
TEST(RunRecord, TrainingThatDivergedHasNoLoss) {
  const TemporaryFolder folder;
  write_run(folder.path());
  edit_json(folder / "evaluation.json", [](json& evaluation) { evaluation["loss"] = nullptr; });
  EXPECT_FALSE(RunRecord::read(folder.path()).loss().has_value());
  std::filesystem::remove(folder / "evaluation.json");
  write_file_atomically(folder / "metrics.jsonl", read_file(folder / "metrics.jsonl") +
                                                      R"({"epoch":5,"test_loss":null})"
                                                      "\n");
  EXPECT_FALSE(RunRecord::read(folder.path()).loss().has_value());
}

TEST(RunRecord, NeedsPrivacy) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal(folder.path()), HasSubstr("holds no privacy.json"));
}

TEST(RunRecord, DamagedFilesAreNamed) {
  for (const char* file : {"privacy.json", "config.json", "evaluation.json"}) {
    const TemporaryFolder folder;
    write_run(folder.path());
    write_file_atomically(folder / file, "{\"a\": 1,\n oops");
    EXPECT_THAT(refusal(folder.path()), AllOf(HasSubstr(file), HasSubstr(":2:2: not valid JSON")))
        << file;
    write_file_atomically(folder / file, "[1]");
    EXPECT_THAT(refusal(folder.path()), AllOf(HasSubstr(file), HasSubstr("found array"))) << file;
  }
}

TEST(RunRecord, PromisesMustBeWhole) {
  struct Damage {
    const char* key;
    json value;
  };
  for (const auto& [key, value] :
       {Damage{"private", "yes"}, Damage{"epsilon", "small"}, Damage{"epsilon", -1},
        Damage{"epsilon", nullptr}, Damage{"delta", 0}, Damage{"delta", "tiny"},
        Damage{"steps", -4}, Damage{"steps", 1.5}, Damage{"statement", "fine"},
        Damage{"plan", nullptr}, Damage{"plan", {{"sampling", "poisson"}}}}) {
    const TemporaryFolder folder;
    write_run(folder.path());
    edit_json(folder / "privacy.json", [&](json& privacy) { privacy[key] = value; });
    EXPECT_THAT(refusal(folder.path()), AllOf(HasSubstr("privacy.json"), HasSubstr(key)))
        << key << " " << value;
  }
}

TEST(RunRecord, EvaluationMustAgreeWithItself) {
  struct Damage {
    std::string pointer;
    json value;
    const char* named;
  };
  for (const auto& [pointer, value, named] :
       {Damage{"/accuracy", 1.5, "accuracy"}, Damage{"/confusion", {{1, 2}, {3}}, "row 2"},
        Damage{"/confusion/0/1", -1, "row 1"}, Damage{"/confusion/0/1", "x", "row 1"},
        Damage{"/class_names", {"one"}, "class_names"}, Damage{"/class_names", 3, "class_names"},
        Damage{"/predictions/0/label", 3, "label 3"},
        Damage{"/predictions/0/prediction", nullptr, "prediction"},
        Damage{"/predictions/0/pixels", "!!!!", "base64"},
        Damage{"/predictions/0/height", 5, "evaluation.json"},
        Damage{"/profile/0/seconds", "long", "profile"}}) {
    const TemporaryFolder folder;
    write_run(folder.path());
    edit_json(folder / "evaluation.json",
              [&](json& evaluation) { evaluation[json::json_pointer(pointer)] = value; });
    EXPECT_THAT(refusal(folder.path()), AllOf(HasSubstr("evaluation.json"), HasSubstr(named)))
        << pointer << " " << value;
  }
}

TEST(RunRecord, AnInterruptedLastLineIsNoDamageAnyOtherIs) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const auto metrics = read_file(folder / "metrics.jsonl");
  write_file_atomically(folder / "metrics.jsonl", metrics + "{\"epoch\":5,\"te");
  EXPECT_EQ(RunRecord::read(folder.path()).metrics().size(), 4U);
  write_file_atomically(folder / "metrics.jsonl", "{\"epoch\":\n" + metrics);
  EXPECT_THAT(refusal(folder.path()), HasSubstr("metrics.jsonl:1:"));
}

TEST(RunRecord, ARepeatedEpochCountsOnce) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const auto metrics = read_file(folder / "metrics.jsonl");
  write_file_atomically(folder / "metrics.jsonl",
                        metrics + R"({"epoch":4,"test_accuracy":0.5,"epsilon":"Infinity"})"
                                  "\n");
  const auto line = RunRecord::read(folder.path()).series("epoch", "test_accuracy");
  EXPECT_THAT(line.xs, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(line.ys.back(), 0.5);
}

// Held-out records take part in no step, and their release has a curve of its own.
TEST(RunTradeoff, AReleaseAboutHeldOutRecordsIsNotForgotten) {
  const TemporaryFolder folder;
  write_run(folder.path());
  EXPECT_FALSE(tradeoff_of(RunRecord::read(folder.path())).is_of_one_pair());
  edit_json(folder / "privacy.json", [](nlohmann::json& privacy) {
    privacy["held_out"] = {{"epsilon", privacy.at("epsilon")}};
  });
  EXPECT_TRUE(tradeoff_of(RunRecord::read(folder.path())).is_of_one_pair());
}

TEST(RunRecord, WithoutItsLedgerNothingIsProved) {
  const TemporaryFolder folder;
  write_run(folder.path());
  EXPECT_TRUE(RunRecord::read(folder.path()).is_proved());
  std::filesystem::remove(folder / "ledger.jsonl");
  const auto run = RunRecord::read(folder.path());
  EXPECT_TRUE(run.is_private());
  EXPECT_FALSE(run.is_proved());
  EXPECT_THAT(run.contradictions(), ElementsAre(HasSubstr("ledger.jsonl) is missing")));
  EXPECT_TRUE(std::isinf(run.epsilon()));
  EXPECT_FALSE(run.delta().has_value());
  EXPECT_TRUE(run.series("epoch", "epsilon").xs.empty());
}

// privacy.json names the charge: the release may have been made again without it.
TEST(RunRecord, WithoutTheLedgerOfItsHeldOutReleaseNothingIsProved) {
  const TemporaryFolder folder;
  write_run(folder.path());
  write_held_out_release(folder.path(), 0.5);
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(), ElementsAre());
  std::filesystem::rename(folder / "held_out.jsonl", folder / "aside");
  const auto run = RunRecord::read(folder.path());
  EXPECT_FALSE(run.is_proved());
  EXPECT_TRUE(std::isinf(run.epsilon()));
  EXPECT_THAT(run.contradictions(), ElementsAre(HasSubstr("held_out.jsonl) is missing")));
  auto other = Ledger::create(folder / "held_out.jsonl", {{"release", "answers"}, {"epsilon", 1}});
  other.charge_event("held-out answers", {{"epsilon", 1}});
  EXPECT_FALSE(RunRecord::read(folder.path()).is_proved());
}

// What generators, and runs of before, set aside and may not have released.
TEST(RunRecord, AReleaseThatNamesNoChargeNeedsNoLedger) {
  const TemporaryFolder folder;
  write_run(folder.path());
  edit_json(folder / "privacy.json", [](json& privacy) {
    privacy["held_out"] = {{"epsilon", 0.5}, {"delta", 0}};
  });
  EXPECT_TRUE(RunRecord::read(folder.path()).is_proved());
}

// It has none, and promises nothing.
TEST(RunRecord, WithoutPrivacyNoLedgerIsMissing) {
  const TemporaryFolder folder;
  write_plain_run(folder.path(), "mnist");
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(), ElementsAre());
}

TEST(RunRecord, TooSmallAnEpsilonIsAContradiction) {
  const TemporaryFolder folder;
  write_run(folder.path());
  edit_json(folder / "privacy.json", [](json& privacy) { privacy["epsilon"] = 0.01; });
  const auto run = RunRecord::read(folder.path());
  EXPECT_THAT(run.contradictions(), ElementsAre(HasSubstr("its plan and steps cost at least")));
  EXPECT_TRUE(std::isinf(run.epsilon()));
}

TEST(RunRecord, AnotherPlanThanTheLedgersIsAContradiction) {
  const TemporaryFolder folder;
  write_run(folder.path());
  edit_json(folder / "privacy.json", [](json& privacy) {
    privacy["plan"]["noise_multiplier"] = privacy["plan"]["noise_multiplier"].get<double>() * 4;
  });
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(),
              ElementsAre(HasSubstr("not the one that the ledger charged")));
}

TEST(RunRecord, StepsThatThePromiseForgetsAreAContradiction) {
  const TemporaryFolder folder;
  write_run(folder.path());
  {
    auto ledger = Ledger::resume(folder / "ledger.jsonl", json_of(plan_of({})));
    ledger.charge_step();
  }
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(),
              ElementsAre(HasSubstr("charged 41 steps")));
  std::filesystem::remove(folder / "ledger.jsonl");
  auto other = Ledger::create(folder / "ledger.jsonl", json_of(plan_of({})));
  other.charge_steps(40);
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(),
              ElementsAre(HasSubstr("another run's")));
}

TEST(RunRecord, ReleasesThatNobodyPricedAreAContradiction) {
  const TemporaryFolder folder;
  write_run(folder.path());
  auto ledger = Ledger::resume(folder / "ledger.jsonl", json_of(plan_of({})));
  const QueriesHeader budget{{{10, 0}, mechanisms::Composing::kBasic}};
  ledger.charge_event(kQueryBudgetEvent, budget.to_json());
  ledger.charge_event(kQueryEvent,
                      {{"epsilon", 2}, {"delta", 0}, {"gaussian_multiplier", nullptr}});
  ledger.flush();
  EXPECT_TRUE(RunRecord::read(folder.path()).contradictions().empty());
  ASSERT_EQ(RunRecord::read(folder.path()).queries().size(), 1U);
  EXPECT_EQ(RunRecord::read(folder.path()).queries()[0].cost.epsilon, 2);
  ledger.charge_event("histogram", {{"epsilon", 0.5}});
  ledger.flush();
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(),
              ElementsAre(HasSubstr("a release named 'histogram'")));
}

// Whoever asks may stop in view of the answers: no composition theorem for fixed numbers of queries
// holds then. 160 counts at ε = 0.1 were once reported as 5.7.
TEST(RunRecord, QueriesOfABasicBudgetAreSummed) {
  const auto with_queries = [](mechanisms::Composing composing, double delta) {
    const TemporaryFolder folder;
    write_run(folder.path());
    auto ledger = Ledger::resume(folder / "ledger.jsonl", json_of(plan_of({})));
    const QueriesHeader budget{{{50, 1e-4}, composing}};
    ledger.charge_event(kQueryBudgetEvent, budget.to_json());
    for (int i = 0; i < 160; ++i) {
      ledger.charge_event(kQueryEvent,
                          {{"epsilon", 0.1}, {"delta", delta}, {"gaussian_multiplier", nullptr}});
    }
    ledger.flush();
    return std::pair(RunRecord::read(folder.path()).epsilon(),
                     cost_with_queries(RunRecord::read(folder.path()))->cost);
  };
  const auto [run, summed] = with_queries(mechanisms::Composing::kBasic, 0);
  EXPECT_GE(summed.epsilon, run * 0.999 + 16);
  EXPECT_LT(with_queries(mechanisms::Composing::kTight, 0).second.epsilon, run + 8);
  const auto risky = with_queries(mechanisms::Composing::kBasic, 1e-8).second;
  EXPECT_GE(risky.delta, summed.delta + 1e-4);  // all that could have been spent
  EXPECT_GE(risky.epsilon, summed.epsilon * 0.999);
}

// A tight budget is no bound of the queries' own δ: three of them were once left out, and an ε of
// 0.9 was reported where the ledger had counted 20.
TEST(RunRecord, GaussianQueriesOfATightBudgetAreComposed) {
  const TemporaryFolder folder;
  write_run(folder.path());
  auto ledger = Ledger::resume(folder / "ledger.jsonl", json_of(plan_of({})));
  const QueriesHeader budget{{{50, 1e-5}, mechanisms::Composing::kTight}};
  ledger.charge_event(kQueryBudgetEvent, budget.to_json());
  ledger.charge_event(kQueryEvent,
                      {{"epsilon", 0.001}, {"delta", 0.99}, {"gaussian_multiplier", 0.33}});
  ledger.flush();
  const auto cost = cost_with_queries(RunRecord::read(folder.path()))->cost;
  EXPECT_GT(cost.epsilon, 12);  // of N(0, 0.33²) alone at 2e-5: 1/(2σ²) + 4.1/σ, about 17
  EXPECT_TRUE(std::isfinite(cost.epsilon));
}

// δ(ε) of a count with discrete Gaussian noise, by its definition: Σ max(0, p(x) − e^ε p(x + 1)).
double delta_of_count(double sigma, double epsilon) {
  const auto weight = [&](int x) { return std::exp(-0.5 * x * x / (sigma * sigma)); };
  double all = 0;
  double above = 0;
  for (int x = -60; x <= 60; ++x) {
    all += weight(x);
    above += std::max(0.0, weight(x) - std::exp(epsilon) * weight(x + 1));
  }
  return above / all;
}

// Continuous noise of the same σ has a δ that is several times smaller.
TEST(RunRecord, DiscreteGaussianQueriesAreNotPricedAsContinuousOnes) {
  for (const auto& [sigma, epsilon] : {std::pair(0.885, 6.0), std::pair(0.4465, 13.4)}) {
    const TemporaryFolder folder;
    RunFiles quiet;
    quiet.noise_multiplier = 100;
    write_run(folder.path(), quiet);
    auto ledger = Ledger::resume(folder / "ledger.jsonl", json_of(plan_of(quiet)));
    const QueriesHeader budget{{{100, 2e-6}, mechanisms::Composing::kTight}};
    ledger.charge_event(kQueryBudgetEvent, budget.to_json());
    ledger.charge_event(kQueryEvent,
                        {{"epsilon", epsilon}, {"delta", 1e-6}, {"gaussian_multiplier", sigma}});
    ledger.flush();
    const auto cost = cost_with_queries(RunRecord::read(folder.path()))->cost;
    EXPECT_LE(delta_of_count(sigma, cost.epsilon), cost.delta) << sigma;
  }
}

TEST(RunRecord, TheConditionOfComposedQueriesIsInTheSentence) {
  for (const auto composing : {mechanisms::Composing::kBasic, mechanisms::Composing::kTight}) {
    const TemporaryFolder folder;
    write_run(folder.path());
    auto ledger = Ledger::resume(folder / "ledger.jsonl", json_of(plan_of({})));
    ledger.charge_event(kQueryBudgetEvent, QueriesHeader{{{100, 2e-6}, composing}}.to_json());
    ledger.charge_event(kQueryEvent,
                        {{"epsilon", 1}, {"delta", 0}, {"gaussian_multiplier", nullptr}});
    ledger.flush();
    const auto sentence = cost_with_queries(RunRecord::read(folder.path()))->sentence;
    EXPECT_EQ(sentence.find("before any answer or model was seen") != std::string::npos,
              composing == mechanisms::Composing::kTight)
        << sentence;
  }
}

TEST(RunRecord, QueriesAboutOtherDataAreAContradiction) {
  const TemporaryFolder folder;
  write_run(folder.path());
  auto config = json::parse(read_file(folder / "config.json"));
  config["data_identity"] = "one";
  write_file_atomically(folder / "config.json", config.dump());
  auto ledger = Ledger::resume(folder / "ledger.jsonl", json_of(plan_of({})));
  const QueriesHeader budget{{{10, 0}, mechanisms::Composing::kBasic}, "another"};
  ledger.charge_event(kQueryBudgetEvent, budget.to_json());
  ledger.flush();
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(),
              ElementsAre(HasSubstr("about other data")));
}

// LibTorch's kernels in batches of varying size: told of by a statement of before.
TEST(RunRecord, AnEarlierPromiseThatIsNotProvedIsNamed) {
  const TemporaryFolder folder;
  write_run(folder.path());
  auto privacy = json::parse(read_file(folder / "privacy.json"));
  privacy["arithmetic"] = "One thing is assumed: what LibTorch computes for a sample does not ...";
  write_file_atomically(folder / "privacy.json", privacy.dump());
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(),
              ElementsAre(HasSubstr("without fixed places")));
}

}  // namespace
}  // namespace sotto::runs
