// Every bad value gets one line that names the flag, and exit status 2.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

struct BadUsage {
  std::string arguments;
  std::string named;  // what the line must mention
};

void PrintTo(const BadUsage& usage, std::ostream* out) { *out << "sotto " << usage.arguments; }

class BadUsageTest : public testing::TestWithParam<BadUsage> {};

TEST_P(BadUsageTest, GetsOneLineAndStatusTwo) {
  const auto outcome = run_program(GetParam().arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().named), std::string::npos) << outcome.err;
}

std::vector<BadUsage> bad_usages() {
  const std::string sizes = "budget -s 60000 -b 64 ";
  const std::string rest = " -n 1 -e 15";
  return {
      {"budget --sample-rate 1.5 --steps 10 -n 1", "--sample-rate '1.5'"},
      {"budget --sample-rate 0 --steps 10 -n 1", "--sample-rate '0'"},
      {"budget --sample-rate -0.1 --steps 10 -n 1", "--sample-rate '-0.1'"},
      {sizes + "-n -1 -e 15", "--noise-multiplier '-1'"},
      {sizes + "-n nan -e 15", "--noise-multiplier 'nan'"},
      {sizes + "-n inf -e 15", "--noise-multiplier 'inf'"},
      {sizes + "-n 1e400 -e 15", "--noise-multiplier '1e400'"},
      {sizes + "-n '' -e 15", "--noise-multiplier ''"},
      {sizes + "-n 1x -e 15", "--noise-multiplier '1x'"},
      {sizes + "-n 0x10 -e 15", "--noise-multiplier '0x10'"},
      {sizes + "-n 1 -e 0", "--epochs '0'"},
      {sizes + "-n 1 -e -3", "--epochs '-3'"},
      {sizes + "-n 1 -e 1.5", "--epochs '1.5'"},
      {sizes + "-n 1 -e 1e17", "--epochs '1e17'"},
      {sizes + "-n 1 --steps 0", "--steps '0'"},
      {sizes + "-n 1 -e 15 -d 0", "--delta '0'"},
      {sizes + "-n 1 -e 15 -d 1", "--delta '1'"},
      {sizes + "-n 1 -e 15 -d -1e-5", "--delta '-1e-5'"},
      {sizes + "-n 1 -e 15 -d 1e-300", "delta"},
      {"budget -s 0 -b 64" + rest, "--dataset-size '0'"},
      {"budget -s 60000 -b 0" + rest, "--batch-size '0'"},
      {"budget -s 64 -b 60000" + rest, "--batch-size 60000 exceeds --dataset-size 64"},
      {"budget -b 64" + rest, "--dataset-size is missing"},
      {"budget -s 60000" + rest, "--batch-size is missing"},
      {"budget" + rest, "--sample-rate"},
      {"budget", "missing"},
      {sizes + "-e 15", "--noise-multiplier"},
      {sizes + "-n 1", "--epochs"},
      {sizes + "-n 1 -e 15 --steps 10", "--epochs and --steps"},
      {sizes + rest + " --sample-rate 0.1", "--batch-size and --sample-rate"},
      {sizes + rest + " --epsilon 1 --delta 1e-5", "--epsilon and --delta"},
      {sizes + rest + " --epsilon 1 --target-epsilon 1", "--target-epsilon and --epsilon"},
      {sizes + rest + " --target-epsilon 1", "--target-epsilon leaves nothing to find"},
      {sizes + "--target-epsilon 1", "--target-epsilon needs"},
      {sizes + "-e 15 --target-epsilon 0", "--target-epsilon '0'"},
      {sizes + rest + " --epsilon -1", "--epsilon '-1'"},
      {sizes + rest + " --sampling shuffle", "--sampling 'shuffle'"},
      {sizes + rest + " --adjacency swap", "--adjacency 'swap'"},
      {sizes + rest + " --accountant moments", "--accountant 'moments'"},
      {sizes + rest + " --conversion new", "--conversion 'new'"},
      {sizes + rest + " -a 1,2", "--alphas '1'"},
      {sizes + rest + " -a 2,x", "--alphas 'x'"},
      {sizes + rest + " --group-size 0", "--group-size '0'"},
      {sizes + rest + " --group-size 1.5", "--group-size '1.5'"},
      {sizes + rest + " --tuning-runs 0", "--tuning-runs '0'"},
      {sizes + rest + " --sampling fixed-size --adjacency add-remove", "replace-one"},
      {sizes + rest + " --sampling shuffled --adjacency add-remove", "zero-out"},
      {sizes + rest + " --adjacency replace-one --accountant rdp", "no valid analysis"},
      {sizes + rest + " --noise", "--noise"},
      {sizes + rest + " extra", "extra"},
      {"budget -s", "-s"},
      {"explain", "--epsilon is missing"},
      {"explain --epsilon -1", "--epsilon '-1'"},
      {"explain --epsilon 1 --delta 1", "--delta '1'"},
      {"explain --epsilon one", "--epsilon 'one'"},
      {"explain --epsilon 1 -n 1", "--epsilon and --noise-multiplier contradict each other"},
      {"explain --epsilon 1 /nowhere", "RUN '/nowhere' and --epsilon contradict each other"},
      {"explain /nowhere", "RUN '/nowhere': expected the folder of a finished run"},
      {"explain -s 1000 -b 10 -e 1", "--noise-multiplier is missing"},
      {"explain -s 1000 -b 10 -n 1", "--epochs (or --steps) is missing"},
      {"explain -s 1000 -b 10 -e 1 -n 0", "--noise-multiplier '0'"},
      {"explain --epsilon 1 --plot curve.gif", "--plot 'curve.gif': expected a file ending in"},
      {"explode", "unknown command 'explode'"},
      {"--explode", "unknown command"},
  };
}

INSTANTIATE_TEST_SUITE_P(Budget, BadUsageTest, testing::ValuesIn(bad_usages()),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST(FailingRun, HasStatusOneAndOneLine) {
  const auto outcome = run_program("budget -s 1000 -b 900 -n 0.3 --target-epsilon 0.01");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("not even one epoch"), std::string::npos);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
}

// Whoever asked for output has not got it, whichever program was to print it.
TEST(StandardOutput, ThatFailsIsAFailure) {
  for (const std::string& arguments :
       {std::string("budget -s 1000 -b 10 -n 1 -e 1"), std::string("--help"),
        std::string("explain 1 --json"), std::string("plot --help"),
        std::string("inspect softmax --input-shape 1x4x4")}) {
    for (const auto& [redirection, reason] :
         {std::pair{">/dev/full", "No space left on device"}, {">&-", "Bad file descriptor"}}) {
      const auto outcome =
          run_program_at("{ " SOTTO_PROGRAM, arguments + " " + redirection + "; }");
      EXPECT_EQ(outcome.status, 1) << arguments << redirection;
      EXPECT_EQ(outcome.err, std::string("sotto: standard output: cannot write: ") + reason + "\n")
          << arguments << redirection;
    }
  }
}

// More than any buffer holds, and byte by byte.
TEST(StandardOutput, OfDataForProgramsThatFailsIsAFailure) {
  const TemporaryFolder folder;
  std::string names;
  for (int i = 0; i < 2000; ++i) names += "name " + std::to_string(i) + "\n";
  write_file_atomically(folder / "names.txt", names);
  const auto outcome = run_program_at("{ " SOTTO_PROGRAM,
                                      "rappor map -k 16 --hashes 2 -m 4 -f 0.5 -p 0.5 -q 0.75 "
                                      "--candidates " +
                                          (folder / "names.txt").string() + " >/dev/full; }");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "sotto: standard output: cannot write: No space left on device\n");
}

TEST(StandardOutput, ThatIsClosedIsNoFileThatIsWritten) {
  const TemporaryFolder folder;
  const auto params = (folder / "params.csv").string();
  const auto outcome = run_program_at(
      "{ " SOTTO_PROGRAM,
      "rappor params -k 16 --hashes 2 -m 4 -f 0.5 -p 0.5 -q 0.75 --output " + params + " >&-; }");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(read_file(params).rfind("k,h,m,p,q,f\n", 0), 0U);
}

TEST(StandardOutput, LeavesOtherFailuresTheirStatus) {
  const auto outcome = run_program_at("{ " SOTTO_PROGRAM, "budget --epochs 0 >&-; }");
  EXPECT_EQ(outcome.status, 2);
}

}  // namespace
}  // namespace sotto::cli
