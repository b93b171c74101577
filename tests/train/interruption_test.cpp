// What an interruption leaves: each epoch told once, and nothing lost that is paid for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "sotto/core/error.h"
#include "sotto/train/trainer.h"
#include "tests/core/temporary_folder.h"

namespace sotto::train {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Asked after each step but the last; messages are kept.
class Stopper : public TrainingObserver {
 public:
  explicit Stopper(int after) : left_(after) {}
  bool stop_requested() override { return --left_ == 0; }
  void on_message(const std::string& text) override { messages += text + '\n'; }

  std::string messages;

 private:
  int left_;
};

class InterruptionTest : public testing::Test {
 protected:
  static TrainingConfig config(accounting::Sampling sampling) {
    TrainingConfig c;
    c.dataset = "digits";
    c.model = "softmax";
    c.batch_size = 2500;
    c.epochs = 3;  // of 4 steps
    c.sampling = sampling;
    return c;
  }
  // What it says of where it stopped.
  std::string interrupted(accounting::Sampling sampling, Stopper& stopper) const {
    try {
      train(config(sampling), run(), stopper);
    } catch (const runs::Interrupted& stopped) {
      return stopped.what();
    }
    return "it went on to the end";
  }
  std::vector<int> epochs_told() const {
    std::vector<int> epochs;
    std::istringstream lines(read_file(run() / "metrics.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      epochs.push_back(nlohmann::json::parse(line).at("epoch").get<int>());
    }
    return epochs;
  }
  std::filesystem::path run() const { return folder / "run"; }
  std::int64_t charged() const { return Ledger::read(run() / "ledger.jsonl").steps_charged; }

  TemporaryFolder folder;
  TrainingObserver quiet;
};

TEST_F(InterruptionTest, EveryEpochIsToldOnceWheneverItStopped) {
  for (const int steps : {1, 4, 5, 8, 11}) {
    std::filesystem::remove_all(run());
    Stopper stopper(steps);
    const auto said = interrupted(accounting::Sampling::kPoisson, stopper);
    EXPECT_THAT(said, HasSubstr("stopped after step " + std::to_string(steps) + " of 12"));
    resume(run(), quiet);
    EXPECT_THAT(epochs_told(), ElementsAre(1, 2, 3)) << steps;
  }
}

// A kill after the checkpoint, and before its line.
TEST_F(InterruptionTest, AnEpochWhoseLineIsMissingIsToldLater) {
  Stopper stopper(8);
  static_cast<void>(interrupted(accounting::Sampling::kPoisson, stopper));
  ASSERT_THAT(epochs_told(), ElementsAre(1, 2));
  write_file_atomically(run() / "metrics.jsonl", "");
  resume(run(), quiet);
  EXPECT_THAT(epochs_told(), ElementsAre(1, 2, 3));
}

TEST_F(InterruptionTest, AShuffledPassIsFinishedFirst) {
  Stopper stopper(6);
  const auto said = interrupted(accounting::Sampling::kShuffled, stopper);
  EXPECT_THAT(said, HasSubstr("stopped after step 8 of 12; nothing is lost"));
  EXPECT_THAT(stopper.messages, HasSubstr("stopping after this pass, in 2 steps"));
  EXPECT_EQ(charged(), 8);
  EXPECT_EQ(resume(run(), quiet).steps, 12);
  EXPECT_EQ(charged(), 12);
  EXPECT_THAT(epochs_told(), ElementsAre(1, 2, 3));
}

TEST_F(InterruptionTest, InTheLastPassARunFinishesInstead) {
  Stopper stopper(9);
  EXPECT_EQ(train(config(accounting::Sampling::kShuffled), run(), stopper).steps, 12);
}

// All is charged, and what was trained with it is gone.
TEST_F(InterruptionTest, AnUntrainedModelIsNeverPublished) {
  train(config(accounting::Sampling::kPoisson), run(), quiet);
  std::filesystem::remove(run() / "model.pt");
  std::filesystem::remove(run() / "checkpoint.pt");
  EXPECT_THROW(resume(run(), quiet), InvalidArgument);
  EXPECT_THROW(finish(run(), quiet), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(run() / "model.pt"));
}

}  // namespace
}  // namespace sotto::train
