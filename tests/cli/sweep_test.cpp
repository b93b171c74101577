// `sotto sweep` for real, over a program that only claims to train.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/atomic_file.h"
#include "sweep/run_count.h"
#include "sweep/sweep_plan.h"
#include "tests/cli/program.h"
#include "tests/sweep/fake_train.h"

namespace sotto::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SweepTest : public testing::Test {
 protected:
  Outcome sweep(const std::string& arguments) const {
    return run_program_at(train.program().string(),
                          "sweep --output " + train.sweep().string() + ' ' + arguments);
  }

  // Starts a sweep that goes on by itself.
  pid_t start(const std::vector<std::string>& flags) const {
    std::vector<std::string> words{train.program().string(), "sweep", "--output",
                                   train.sweep().string()};
    words.insert(words.end(), flags.begin(), flags.end());
    const std::string errors = (train.path() / "stderr").string();
    const pid_t child = fork();
    if (child != 0) return child;
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(127);
  }

  void wait_for_waiting(std::size_t runs) const {
    while (train.waiting().size() < runs) sched_yield();
  }

  static int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  // Returns when neither a sweep nor a run of it works in the folder.
  void wait_until_free() const {
    const int folder = open(train.sweep().c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_EQ(flock(folder, LOCK_EX), 0);
    close(folder);
  }

  std::string file(const std::string& name) const { return read_file(train.sweep() / name); }
  std::string stderr_text() const { return read_file(train.path() / "stderr"); }

  sweep::FakeTrain train;
};

TEST_F(SweepTest, TriesEveryCombinationAndTellsWhatChoosingCosts) {
  const auto outcome = sweep("--lr 1,2,3 --noise-multiplier 1,2 --model cnn --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  EXPECT_EQ(json["finished"], 6);
  EXPECT_NEAR(json["best"]["accuracy"]["mean"].get<double>(), 0.83, 1e-9);
  EXPECT_EQ(json["best"]["flags"]["learning-rate"], "3");
  EXPECT_EQ(json["epsilon_of_best"].get<double>(), sweep::fake_epsilon(2, 100));
  // Three runs of 100 steps at each noise.
  accounting::Composition all;
  all.add(accounting::PoissonGaussianEvent(0.05, 1), 300);
  all.add(accounting::PoissonGaussianEvent(0.05, 2), 300);
  EXPECT_EQ(json["epsilon_of_tuning"].get<double>(),
            accounting::cost_at_delta(all, accounting::Neighbours(), 1e-5).epsilon);
  EXPECT_EQ(json["tuning"]["basis"], "composition");
  EXPECT_EQ(json["pareto"], nlohmann::json({6}));
  EXPECT_EQ(nlohmann::json::parse(file("sweep.json")), json);
  EXPECT_THAT(
      file("results.csv"),
      AllOf(HasSubstr("run,configuration,repeat,learning-rate,noise-multiplier,model,status"),
            HasSubstr("run-0006,6,1,3,2,cnn,finished,")));
  EXPECT_THAT(file("accuracy-against-epsilon.svg"), HasSubstr("best"));
}

TEST_F(SweepTest, RepeatsHaveMeanAndDeviation) {
  const auto outcome = sweep("--lr 1 --repeats 3 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto best = outcome.json()["best"];
  EXPECT_EQ(best["finished"], 3);
  EXPECT_NEAR(best["accuracy"]["standard_deviation"].get<double>(), 0, 1e-12);
  // As `sotto budget` prices three times the steps.
  const auto budget = run_program("budget -s 1000 -b 50 -n 1 --steps 300 -d 1e-5 --json").json();
  EXPECT_NEAR(outcome.json()["epsilon_of_tuning"].get<double>(), budget["epsilon"].get<double>(),
              1e-3 * budget["epsilon"].get<double>());
}

TEST_F(SweepTest, SaysItInPlainWords) {
  const auto outcome = sweep("--lr 1,2");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("for one run of it alone"),
                                 HasSubstr("for having chosen"), HasSubstr("composition")));
}

TEST_F(SweepTest, FlagsWinOverTheFile) {
  std::ofstream(train.path() / "s.toml")
      << "[train]\nlearning-rate = [1, 2]\ndisable-dp = [false, true]\n[sweep]\nrepeats = 2\n";
  const auto outcome =
      sweep("--config " + (train.path() / "s.toml").string() + " --lr 5 --repeats 1 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["finished"], 2);
  EXPECT_THAT(train.starts()[1],
              HasSubstr("--learning-rate 5 --disable-dp --one-of-several --output"));
  // The one without privacy is not called the best, but has looked at the data without bound.
  EXPECT_EQ(json["best"]["flags"]["disable-dp"], "false");
  EXPECT_EQ(json["epsilon_of_tuning"], "Infinity");
  EXPECT_THAT(json["tuning"]["statement"].get<std::string>(), HasSubstr("trained without privacy"));
  EXPECT_THAT(file("accuracy-against-epsilon.svg"), HasSubstr("without privacy: 85.0 %"));
}

// A run without privacy to compare with, beside those of several ε.
TEST_F(SweepTest, ARunLeavesOutWhatItHasNoUseFor) {
  const auto outcome = sweep("--disable-dp false,true --noise-multiplier 1 --delta 1e-5 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["finished"], 2);
  ASSERT_EQ(train.starts().size(), 2U);
  EXPECT_THAT(train.starts()[0],
              HasSubstr("--noise-multiplier 1 --delta 1e-5 --one-of-several --output"));
  EXPECT_THAT(train.starts()[1], HasSubstr("--disable-dp --one-of-several --output"));
  const auto flags = outcome.json()["configurations"][1]["flags"];
  EXPECT_EQ(flags, (nlohmann::json{
                       {"disable-dp", "true"}, {"noise-multiplier", nullptr}, {"delta", nullptr}}));
  EXPECT_THAT(file("results.csv"), AllOf(HasSubstr("run-0001,1,1,false,1,1e-5,finished"),
                                         HasSubstr("run-0002,2,1,true,,,finished")));
}

TEST_F(SweepTest, TheTableHasNoValueOfAFlagThatARunHasNoUseFor) {
  const auto outcome = sweep("--disable-dp false,true --noise-multiplier 1,2");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("true +- +8"));
  EXPECT_THAT(outcome.out, Not(testing::ContainsRegex("true +[12] ")));
}

// Too many combinations to look at each: what decides whether --temperature is read is looked at.
TEST_F(SweepTest, AFlagThatTwoOthersDecideAboutIsTaken) {
  std::ofstream(train.path() / "s.toml")
      << "[train]\nmethod = [\"dp-sgd\", \"clipless\"]\n"
         "loss = [\"multiclass-hinge\", \"cross-entropy\"]\nclipping = [\"flat\", \"adaptive\"]\n"
         "temperature = { from = 1.0, to = 9.0 }\ninput-bound = { from = 1.0, to = 9.0 }\n"
         "learning-rate = { from = 0.1, to = 1.0 }\nweight-decay = { from = 0.1, to = 1.0 }\n"
         "average = { from = 0.1, to = 0.9 }\nmax-grad-norm = { from = 0.1, to = 1.0 }\n"
         "delta = { from = 1e-6, to = 1e-5 }\nepochs = { from = 1, to = 9 }\n"
         "[sweep]\nmode = \"random\"\nsamples = 2\n";
  const auto outcome = sweep("--json --config " + (train.path() / "s.toml").string());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["finished"], 2);
}

// Older versions planned flags that no run reads; training refuses them now.
TEST_F(SweepTest, AnOlderPlanWithUselessFlagsGoesOnByItsOwnFlags) {
  const std::string flags = "--lr 1,2 --seed 3 --insecure-seed 4 --margin 2 --json";
  EXPECT_THAT(sweep(flags).err, HasSubstr("--margin: only with"));
  sweep::SweepSettings settings;
  settings.flags = {
      {"learning-rate", {"1", "2"}}, {"seed", {"3"}}, {"insecure-seed", {"4"}}, {"margin", {"2"}}};
  std::filesystem::create_directory(train.sweep());
  sweep::plan_for(settings, train.sweep() / "sweep-plan.json");
  const auto outcome = sweep(flags);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["finished"], 2);
  EXPECT_THAT(train.starts()[0], HasSubstr("--learning-rate 1 --insecure-seed 4 --one-of-several"));
}

TEST_F(SweepTest, AFailureIsRecordedAndTheOthersGoOn) {
  const auto outcome = sweep("--lr 1,13,2 --json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("run-0002 failed: ended with status 1: unlucky"));
  const auto json = outcome.json();
  EXPECT_EQ(json["finished"], 2);
  EXPECT_EQ(json["failed"], 1);
  // Its 50 steps are paid for.
  EXPECT_EQ(json["runs"][1]["epsilon"].get<double>(), sweep::fake_epsilon(1, 50));
  EXPECT_EQ(json["epsilon_of_tuning"].get<double>(), sweep::fake_epsilon(1, 250));
  // Trying again goes on from its ledger, and leaves the finished ones alone.
  EXPECT_EQ(sweep("--json").status, 1);
  ASSERT_EQ(train.starts().size(), 4U);
  EXPECT_THAT(train.starts()[3], AllOf(HasSubstr("--resume"), HasSubstr("run-0002")));
}

// Whatever its exit status says: a run is what its folder holds.
TEST_F(SweepTest, ARunWithoutAResultHasFailed) {
  const auto outcome = sweep("--lr 1,44 --json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("run-0002 failed: "), HasSubstr("run-0002: this run was "
                                                                           "interrupted")));
  EXPECT_EQ(outcome.json()["runs"][1]["epsilon"].get<double>(), sweep::fake_epsilon(1, 50));
}

TEST_F(SweepTest, APromiseThatDoesNotHoldIsNotTakenFromARun) {
  ASSERT_EQ(sweep("--lr 1,2").status, 0);
  runs::edit_json(train.sweep() / "run-0002" / "privacy.json",
                  [](auto& privacy) { privacy["epsilon"] = 1e-3; });
  const auto json = sweep("--json").json();
  EXPECT_EQ(json["runs"][1]["epsilon"], "Infinity");
  EXPECT_EQ(json["best"]["flags"]["learning-rate"], "1");
  EXPECT_EQ(json["epsilon_of_tuning"], "Infinity");
  EXPECT_THAT(json["tuning"]["statement"].get<std::string>(),
              HasSubstr("run-0002: its promise does not hold: privacy.json promises"));
  EXPECT_EQ(train.starts().size(), 2U) << "a finished run is never trained again";
}

TEST_F(SweepTest, ARefusedConfigurationStopsTheSweep) {
  const auto outcome = sweep("--lr 1,66,2 --json");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              StartsWith("sotto sweep: configuration 2 (learning-rate 66): it does not suit the "
                         "data; its runs so far have cost ε ≤ "));
  EXPECT_EQ(train.starts().size(), 2U);
  EXPECT_THAT(file("results.csv"), HasSubstr("run-0001,1,1,1,finished"));
}

// What no data are needed for is found before anything is spent or made.
TEST_F(SweepTest, EveryConfigurationIsCheckedBeforeTheFirstRunStarts) {
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const auto outcome = sweep(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_FALSE(std::filesystem::exists(train.sweep())) << arguments;
  };
  refused("--lr 0.1,x",
          "configuration 2 (learning-rate x): --learning-rate 'x': expected a number above 0");
  refused("--model softmax,nomodel",
          "configuration 2 (model nomodel): --model 'nomodel': expected");
  refused("--model softmax,lip-mlp", "configuration 2 (model lip-mlp): --model 'lip-mlp'");
  refused("--method dp-sgd --margin 2,3", "--margin: only with --method clipless");
  refused("--disable-dp --noise-multiplier 1,2", "--noise-multiplier: only with privacy");
  refused("--dataset digits --classes 5 --lr 1,2",
          "--classes: only with --dataset idx:DIR; got digits");
  refused("--seed 1 --insecure-seed 2,3", "--seed: nothing reads it beside --insecure-seed");
  refused("--weights nowhere.pt --lr 1,2", "--weights 'nowhere.pt'");
  const std::string draw = " --draw geometric --mean 2";
  refused("--lr 1,2,3,4,5,x" + draw, "--learning-rate 'x'");
  refused("--model softmax,cnn,nomodel --lr 1,2" + draw, "--model 'nomodel'");
  std::ofstream(train.path() / "d.toml") << "[train]\nlearning-rate = { from = -1.0, to = 2.0 }\n"
                                            "[sweep]\ndraw = \"geometric\"\nmean = 2\n";
  refused("--config " + (train.path() / "d.toml").string(), "--learning-rate '-1'");
  EXPECT_TRUE(train.starts().empty());
}

TEST_F(SweepTest, ADeltaThatPromisesTooLittleIsToldBeforeTheFirstRun) {
  const auto outcome = sweep("--dataset digits --delta 0.01 --lr 1,2 --json");
  EXPECT_THAT(outcome.err, HasSubstr("WARNING: δ = 0.01 is not below 1/10000"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << "said once";
}

TEST_F(SweepTest, RefusesWhatItCannotSweep) {
  const auto line = [&](const std::string& arguments) {
    const auto outcome = sweep(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(line("--learning-speed 1,2"),
              HasSubstr("--learning-speed: unknown; did you mean --learning-rate?"));
  EXPECT_THAT(line("--lr 1 --threads 3"), HasSubstr("--threads: a sweep sets this"));
  EXPECT_THAT(line("--lr"), HasSubstr("--lr: expected a value"));
  EXPECT_THAT(line("--lr 1,,2"), HasSubstr("--lr '1,,2': expected values"));
  EXPECT_THAT(line("extra"), HasSubstr("'extra'"));
  EXPECT_THAT(line("--lr 1 --mode all"), HasSubstr("--mode 'all': expected grid or random"));
  EXPECT_THAT(line("--lr 1 --memory lots"), HasSubstr("--memory 'lots'"));
  EXPECT_THAT(line("--lr 1 --jobs 0"), HasSubstr("--jobs '0'"));
  EXPECT_THAT(line("--lr 1 --draw dice --mean 3"), HasSubstr("--draw 'dice'"));
  EXPECT_THAT(line("--lr 1 --draw geometric"), HasSubstr("--draw and --mean"));
  EXPECT_THAT(line("--config nowhere.toml"), HasSubstr("--config 'nowhere.toml'"));
  EXPECT_THAT(line("--json"), HasSubstr("no sweep to go on with"));
  std::ofstream(train.path() / "s.toml") << "[train]\nlearning-speed = 1\n";
  EXPECT_THAT(line("--config " + (train.path() / "s.toml").string()),
              HasSubstr("s.toml: [train] learning-speed: unknown; did you mean learning-rate?"));
  EXPECT_FALSE(std::filesystem::exists(train.sweep()));
  std::filesystem::create_directory(train.sweep());
  std::ofstream(train.sweep() / "diary.txt") << "mine";
  EXPECT_THAT(line("--lr 1"), HasSubstr("expected a new or empty folder"));
}

TEST_F(SweepTest, AnotherPlanForTheSameFolderIsRefused) {
  ASSERT_EQ(sweep("--lr 1,2").status, 0);
  const auto other = sweep("--lr 1,3");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("train.learning-rate"), HasSubstr(R"(["1","2"])")));
  EXPECT_EQ(sweep("--lr 1,2 --repeats 2").status, 2);
  EXPECT_EQ(train.starts().size(), 2U);
  EXPECT_EQ(sweep("--lr 1,2 --jobs 2").status, 0) << "how it runs is no part of the plan";
  EXPECT_EQ(train.starts().size(), 2U);
}

TEST_F(SweepTest, GoesOnAfterKillNine) {
  const pid_t child = start({"--learning-rate", "1,77,2"});
  wait_for_waiting(1);
  kill(child, SIGKILL);
  EXPECT_EQ(status_of(child), -SIGKILL);
  wait_until_free();  // the run was told to end
  train.release();
  const auto outcome = sweep("--json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["finished"], 3);
  const auto starts = train.starts();
  ASSERT_EQ(starts.size(), 4U);
  EXPECT_THAT(starts[1], AllOf(HasSubstr("--learning-rate 77"), HasSubstr("run-0002")));
  EXPECT_THAT(starts[2], AllOf(HasSubstr("--resume"), HasSubstr("run-0002")));
  EXPECT_THAT(starts[3], AllOf(HasSubstr("--learning-rate 2"), HasSubstr("run-0003")));
}

TEST_F(SweepTest, StopsItsRunsOnASignalAndSaysHowToGoOn) {
  const pid_t child = start({"--learning-rate", "1,77,2"});
  wait_for_waiting(1);
  kill(child, SIGINT);
  EXPECT_EQ(status_of(child), 1);
  EXPECT_THAT(stderr_text(),
              StartsWith("sotto sweep: stopped after 1 of 3 runs; its runs so far have cost ε ≤ "));
  EXPECT_THAT(stderr_text(), EndsWith("; nothing is lost: continue with sotto sweep --output " +
                                      train.sweep().string() + "\n"));
  EXPECT_THAT(train.events(), ElementsAre("begin", "end", "begin", "end"));
  // What the interrupted run was charged is counted.
  const auto json = nlohmann::json::parse(file("sweep.json"));
  EXPECT_EQ(json["pending"], 2);
  EXPECT_EQ(json["epsilon_of_tuning"].get<double>(), sweep::fake_epsilon(1, 150));
  EXPECT_THAT(json["tuning"]["statement"].get<std::string>(), HasSubstr("so far"));
}

// Each run is private, but answers about held-out records choose among them.
TEST_F(SweepTest, SaysWhereCostsAreToldIfNoneHoldsForTheChoice) {
  const pid_t child = start({"--learning-rate", "1,77,2"});
  wait_for_waiting(1);
  runs::edit_json(train.sweep() / "run-0001" / "privacy.json", [](auto& privacy) {
    privacy["held_out"] = {{"epsilon", 1}};
  });
  kill(child, SIGINT);
  EXPECT_EQ(status_of(child), 1);
  EXPECT_THAT(stderr_text(), HasSubstr("; no ε holds for choosing among its runs"));
  EXPECT_THAT(stderr_text(), HasSubstr("sotto spent --runs " + train.sweep().string() + ";"));
}

TEST_F(SweepTest, ASecondSweepInTheSameFolderIsRefused) {
  const pid_t child = start({"--learning-rate", "77"});
  wait_for_waiting(1);
  const auto second = sweep("--learning-rate 77");
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.err, HasSubstr("another process is working in this folder"));
  train.release();
  EXPECT_EQ(status_of(child), 0);
}

TEST_F(SweepTest, RunsSeveralAtOnce) {
  const pid_t child = start({"--learning-rate", "77", "--noise-multiplier", "1,2", "--jobs", "2"});
  wait_for_waiting(2);
  train.release();
  EXPECT_EQ(status_of(child), 0);
}

TEST_F(SweepTest, MemoryLimitsHowManyRunAtOnce) {
  ASSERT_EQ(sweep("--learning-rate 1,2,3 --jobs 3 --memory 1KiB").status, 0);
  EXPECT_THAT(train.events(), ElementsAre("begin", "end", "begin", "end", "begin", "end"));
}

// The first run shows what one takes; then two fit.
TEST_F(SweepTest, MemoryThatSufficesLetsTheOthersRunTogether) {
  const pid_t child = start(
      {"--learning-rate", "1,77", "--noise-multiplier", "1,2", "--jobs", "4", "--memory", "1GiB"});
  wait_for_waiting(2);
  train.release();
  EXPECT_EQ(status_of(child), 0);
}

TEST_F(SweepTest, ADrawnNumberOfRunsIsPricedByItsTheorem) {
  const auto outcome =
      sweep("--learning-rate 1,2,3 --noise-multiplier 2 --draw geometric --mean 4 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["tuning"]["basis"], "random-number-of-runs");
  const accounting::RdpAccountant one(sweep::swept_plan(2).composition(100),
                                      accounting::Neighbours());
  EXPECT_EQ(
      json["epsilon_of_tuning"].get<double>(),
      sweep::RandomCount(sweep::RunsDistribution::kGeometric, 4).cost_of_best(one, 1e-5).epsilon);
  EXPECT_THAT(json["tuning"]["theorem"].get<std::string>(), HasSubstr("Theorem 2"));
  const auto dear = sweep("--learning-rate 1,2 --noise-multiplier 1,2 --draw geometric --mean 4");
  EXPECT_EQ(dear.status, 2);
  EXPECT_THAT(dear.err, HasSubstr("noise-multiplier: with draw every run must cost the same"));
}

TEST_F(SweepTest, ALostLedgerDoesNotMakeTuningCheaper) {
  ASSERT_EQ(sweep("--lr 1,2").status, 0);
  std::filesystem::remove(train.sweep() / "run-0001" / "ledger.jsonl");
  const auto json = sweep("--json").json();
  EXPECT_EQ(json["epsilon_of_tuning"], "Infinity");
  EXPECT_EQ(json["runs"][0]["epsilon"], "Infinity");
  EXPECT_THAT(json["runs"][0]["message"].get<std::string>(), HasSubstr("is missing"));
  EXPECT_TRUE(json["runs"][1]["epsilon"].is_number());
}

TEST_F(SweepTest, HelpNeedsNoTraining) {
  std::filesystem::remove(train.script());
  const auto outcome = sweep("--help");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("--config"), HasSubstr("Examples")));
  const auto without = sweep("--lr 1");
  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.err, Not(HasSubstr("\n\n")));
}

}  // namespace
}  // namespace sotto::cli
