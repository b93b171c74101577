// Bars and escape codes on a terminal, and names that would steer it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/cli/terminal_run.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class TerminalTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::vector<std::string> training(const std::string& name, const std::string& flag,
                                    const std::string& value) const {
    return {"train",    "--dataset", "digits", "--model", "softmax",  "--batch-size", "500",
            "--epochs", "1",         flag,     value,     "--output", path(name)};
  }
  TemporaryFolder folder;
};

TEST_F(TerminalTest, TheBarShowsWhatIsSpentOfTheTarget) {
  const auto run = run_on_terminal(training("run", "--target-epsilon", "2.5"), 100);
  ASSERT_EQ(run.status, 0) << run.written;
  EXPECT_THAT(run.written, HasSubstr(" of 2.5"));
  EXPECT_THAT(run.written, HasSubstr("\033[K"));
}

TEST_F(TerminalTest, TheBarBeginsWithNothingSpent) {
  const auto run = run_on_terminal(training("run", "--target-epsilon", "2.5"), 100);
  ASSERT_EQ(run.status, 0) << run.written;
  const auto first = run.written.substr(0, run.written.find(" of 2.5"));
  EXPECT_THAT(first, testing::EndsWith("  0 %  ε 0")) << run.written;
  EXPECT_THAT(run.written, HasSubstr("ε 0 of 2.5\033[K")) << "no time is foretold yet";
}

TEST_F(TerminalTest, WithoutATargetItIsOfWhatAllStepsCost) {
  const auto run =
      run_on_terminal(training("run", "--noise-multiplier", "1"), 100, {{"NO_COLOR", "1"}});
  ASSERT_EQ(run.status, 0) << run.written;
  EXPECT_THAT(run.written, testing::ContainsRegex("ε [0-9.]+ of [0-9.]+"));
  EXPECT_THAT(run.written, HasSubstr("\r"));
  EXPECT_THAT(run.written, Not(HasSubstr("\033")));
}

TEST_F(TerminalTest, ADumbTerminalGetsLinesOnly) {
  const auto run =
      run_on_terminal(training("run", "--target-epsilon", "2.5"), 100, {{"TERM", "dumb"}});
  ASSERT_EQ(run.status, 0) << run.written;
  EXPECT_THAT(run.written, Not(HasSubstr(" of 2.5")));
  EXPECT_THAT(run.written, Not(HasSubstr("\033")));
}

TEST_F(TerminalTest, HelpFitsTheTerminal) {
  const auto run = run_on_terminal({"train", "--help"}, 60);
  ASSERT_EQ(run.status, 0);
  EXPECT_THAT(run.written, Not(HasSubstr("\033")));
  EXPECT_THAT(run.written, HasSubstr("\r\n"));
  EXPECT_LT(run_on_terminal({"train", "--help"}, 200).written.size(), run.written.size());
}

// Three answers, one of which takes more room than the terminal has.
class WideTable : public TerminalTest {
 protected:
  WideTable() {
    write_file_atomically(folder / "answers.txt", "yes\nno\n" + kLong + "\n");
    write_file_atomically(folder / "counts.csv", "3000,1900,1500,900\n");
    EXPECT_EQ(run_program("rappor params --answers " + path("answers.txt") +
                          " --target-epsilon 2 --output " + path("params.json"))
                  .status,
              0);
  }
  std::vector<std::string> decode() const {
    return {"rappor",   "decode",          "--all", "--params", path("params.json"),
            "--counts", path("counts.csv")};
  }
  static std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const auto begins = [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
      };
      const auto width = std::count_if(line.begin(), line.end(), begins) - line.ends_with('\r');
      widest = std::max(widest, static_cast<std::size_t>(width));
    }
    return widest;
  }
  const std::string kLong =
      "another answer with all that belongs to it, in the words of the survey";
};

TEST_F(WideTable, IsCutInItsWordsToFitTheTerminal) {
  const auto run = run_on_terminal(decode(), 80);
  ASSERT_EQ(run.status, 0) << run.written;
  EXPECT_LE(widest_line(run.written), 80U) << run.written;
  EXPECT_THAT(run.written, HasSubstr("another answer with all t…  6.721 %   3.287 % - 10.154 %"));
}

TEST_F(WideTable, GoesOnBelowWhereItsNumbersAloneAreTooWide) {
  const auto run = run_on_terminal(decode(), 200, {{"COLUMNS", "45"}});
  ASSERT_EQ(run.status, 0) << run.written;
  EXPECT_LE(widest_line(run.written), 45U) << run.written;
  EXPECT_THAT(run.written, HasSubstr("string    reports  p-value\r\n"));
}

TEST_F(WideTable, IsWholeInAPipe) {
  std::string words;
  for (const auto& word : decode()) words += word + " ";
  EXPECT_THAT(run_program(words).out, HasSubstr(kLong));
}

constexpr const char* kHostile = "evil\x1b]0;owned\x07name";
constexpr const char* kShown = "evil\\x1b]0;owned\\x07name";

TEST_F(TerminalTest, NamesInErrorsAreShownEscaped) {
  const auto file = path(kHostile) + "\n\xff\u202e.json";
  const auto refused = run_program("train --dataset digits --schema \"" + file + "\"");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr(std::string(kShown) + "\\n\\xff\\u202e.json"));
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1);
  EXPECT_THAT(refused.err, Not(HasSubstr("\x1b")));
}

TEST_F(TerminalTest, UnknownCommandsAndFlagsAreShownEscaped) {
  for (const std::string command : {"\"", "budget \"--", "sweep \"--"}) {
    const auto outcome = run_program(command + kHostile + "\"");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr(kShown));
  }
}

TEST_F(TerminalTest, KeysOfATomlFileAreShownEscaped) {
  write_file_atomically(folder / "sweep.toml", "[train]\n\"evil\\u001b[2J\" = 3\n");
  const auto outcome = run_program("sweep --config " + path("sweep.toml"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("evil\\x1b[2J"));
}

TEST_F(TerminalTest, NamesInAnswersAreShownEscapedAndUtf8Stays) {
  write_file_atomically(folder / "t.csv",
                        "größe,ill\nsmall\x1b[2J,cold\nsmall\x1b[2J,flu\nbig,flu\nbig,cold\n");
  const std::string flags = "anonymity --data " + path("t.csv") + " --quasi größe --sensitive ill";
  const auto outcome = run_program(flags + " --k 3");
  EXPECT_THAT(outcome.out, HasSubstr("small\\x1b[2J"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outcome.out, HasSubstr("ℓ"));
  EXPECT_THAT(run_program(flags + " --k 3 --json").json().dump(), HasSubstr("small\\u001b[2J"));
}

TEST_F(TerminalTest, DataOnStdoutStayAsTheyAre) {
  write_file_atomically(folder / "names.txt", "plain\nodd\x1b[2J\n");
  const auto outcome = run_program("rappor map -k 16 --hashes 2 -m 1 -f 0.5 -p 0.5 -q 0.75 " +
                                   std::string("--candidates ") + path("names.txt"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("odd\x1b[2J"));
}

}  // namespace
}  // namespace sotto::cli
