#include "sweep/sweep_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"

namespace sotto::sweep {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SweepFileTest : public testing::Test {
 protected:
  SweepFile read(const std::string& text) const {
    write_file_atomically(folder / "s.toml", text);
    return read_sweep_file(folder / "s.toml");
  }
  std::string refusal_of(const std::string& text) const {
    try {
      read(text);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "accepted";
  }

  TemporaryFolder folder;
};

TEST_F(SweepFileTest, ReadsFlagsInTheirOrder) {
  const auto file = read(R"(
[train]
noise-multiplier = [0.9, 1, 1.2]
dataset = "digits"
batch-size = [64, 32]
disable-dp = false
learning-rate = { from = 0.01, to = 1.0, log = true }
epochs = { from = 2, to = 9 }
[sweep]
mode = "random"
samples = 12
repeats = 3
seed = 5
jobs = 2
memory = "4GiB"
output = "sweeps/a"
)");
  ASSERT_EQ(file.settings.flags.size(), 6U);
  EXPECT_EQ(file.settings.flags[0].name, "noise-multiplier");
  EXPECT_THAT(file.settings.flags[0].values, ElementsAre("0.9", "1", "1.2"));
  EXPECT_THAT(file.settings.flags[1].values, ElementsAre("digits"));
  EXPECT_THAT(file.settings.flags[2].values, ElementsAre("64", "32"));
  EXPECT_THAT(file.settings.flags[3].values, ElementsAre("false"));
  EXPECT_TRUE(file.settings.flags[4].range->logarithmic);
  EXPECT_FALSE(file.settings.flags[4].range->whole);
  EXPECT_TRUE(file.settings.flags[5].range->whole);
  EXPECT_EQ(file.settings.mode, Mode::kRandom);
  EXPECT_EQ(file.settings.samples, 12);
  EXPECT_EQ(file.settings.repeats, 3);
  EXPECT_EQ(file.settings.seed, 5U);
  EXPECT_EQ(file.jobs, 2);
  EXPECT_EQ(file.memory, std::uint64_t{4} << 30U);
  EXPECT_EQ(file.output, "sweeps/a");
}

TEST_F(SweepFileTest, ReadsHowTheNumberOfRunsIsDrawn) {
  const auto file = read("[sweep]\ndraw = \"poisson\"\nmean = 7\n");
  EXPECT_EQ(file.settings.draw->distribution(), RunsDistribution::kPoisson);
  EXPECT_EQ(file.settings.draw->mean(), 7);
}

TEST_F(SweepFileTest, RefusalsNameFileKeyAndWhatIsAccepted) {
  EXPECT_THAT(refusal_of("[train]\nepochs = \n"), HasSubstr("s.toml:2:10: not valid TOML"));
  EXPECT_THAT(refusal_of("epochs = 3\n"), HasSubstr("s.toml: epochs: expected the tables"));
  EXPECT_THAT(refusal_of("[train]\nepochs = []\n"),
              HasSubstr("s.toml: [train] epochs = []: expected at least one value"));
  EXPECT_THAT(refusal_of("[train]\nepochs = [[1]]\n"), HasSubstr("expected a value, a list"));
  EXPECT_THAT(refusal_of("[train]\nepochs = { from = 1 }\n"), HasSubstr("from and to"));
  EXPECT_THAT(refusal_of("[train]\nepochs = { from = 1, to = \"x\" }\n"),
              HasSubstr("[train] epochs.to = 'x': expected a number"));
  EXPECT_THAT(refusal_of("[train]\nepochs = { from = 1, to = 2, step = 1 }\n"),
              HasSubstr("from, to and log only"));
  EXPECT_THAT(refusal_of("[sweep]\nmode = \"all\"\n"),
              HasSubstr("s.toml: [sweep] mode = 'all': expected \"grid\" or \"random\""));
  EXPECT_THAT(refusal_of("[sweep]\nrepeats = 0\n"),
              HasSubstr("[sweep] repeats = 0: expected a whole number from 1 to 1000"));
  EXPECT_THAT(refusal_of("[sweep]\nrepeats = 1.5\n"), HasSubstr("repeats = 1.5"));
  EXPECT_THAT(refusal_of("[sweep]\nmemory = \"a lot\"\n"), HasSubstr("memory = 'a lot'"));
  EXPECT_THAT(refusal_of("[sweep]\ndraw = \"poisson\"\n"), HasSubstr("draw and mean"));
  EXPECT_THAT(refusal_of("[sweep]\ndraw = \"dice\"\nmean = 3\n"), HasSubstr("draw = 'dice'"));
  EXPECT_THAT(refusal_of("[sweep]\ndraw = \"poisson\"\nmean = 0.5\n"), HasSubstr("mean = 0.5"));
  EXPECT_THAT(refusal_of("[sweep]\nthreads = 3\n"), HasSubstr("threads: unknown; accepted are"));
  EXPECT_THROW(read_sweep_file(folder / "not-there.toml"), FileError);
}

}  // namespace
}  // namespace sotto::sweep
