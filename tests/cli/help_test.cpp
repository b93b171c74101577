// Help, versions, and what is said of words that are mistyped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/cli/program.h"

namespace sotto::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Typos, AreNamedAloneWithWhatWasMeant) {
  expect_refused("trian", "unknown command 'trian'; did you mean 'train'?");
  expect_refused("gan sampel", "unknown command 'sampel'; did you mean 'sample'?");
  expect_refused("rappor enc", "unknown command 'enc'; did you mean 'encode'?");
  expect_refused("--vresion", "did you mean '--version'?");
  expect_refused("data lsit",
                 "ACTION 'lsit': expected list, get, check or show; did you mean 'list'?");
  expect_refused("query cuont --data x", "did you mean 'count'?");
  for (const std::string command : {"train", "sweep", "budget"}) {
    expect_refused(command + " --epocs 3 --batch-size 4",
                   "sotto " + command + ": --epocs: unknown; did you mean --epochs?\n");
    expect_refused(command + " --epocs=3", "sotto " + command + ": --epocs: unknown; did you mean");
  }
  expect_refused("sweep --repaets 3", "--repaets: unknown; did you mean --repeats?");
  // A required argument that is missing is not the first thing to say.
  expect_refused("evaluate --shcema x.json", "--shcema: unknown; did you mean --schema?");
}

TEST(Typos, WithNothingNearSayWhereTheListIs) {
  expect_refused("xyzzy", "unknown command 'xyzzy'; accepted: train, ");
  expect_refused("budget --xyzzy 3", "--xyzzy: unknown; `sotto budget --help` lists the flags\n");
  expect_refused("budget -s 10 -b 1 -n 1 -e 1 more words",
                 "'more': not expected here; `sotto budget --help` shows what is\n");
  expect_refused("train --epochs", "--epochs: expected a value");
}

std::string help_of(const std::string& command) {
  const auto outcome = run_program(command);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

TEST(Help, OfACommandComesBothWays) {
  EXPECT_EQ(help_of("help budget"), help_of("budget --help"));
  EXPECT_EQ(help_of("help train"), help_of("train -h"));
  EXPECT_EQ(help_of("help gan train"), help_of("gan train --help"));
  EXPECT_EQ(help_of("gan help train"), help_of("gan train --help"));
  EXPECT_EQ(help_of("help rappor"), help_of("rappor --help"));
  EXPECT_EQ(help_of("help"), help_of("--help"));
  EXPECT_EQ(help_of(""), help_of("--help"));
  EXPECT_THAT(help_of("--help"), HasSubstr("  train"));
  expect_refused("help trian", "did you mean 'train'?");
}

TEST(Version, ComesFromTheProgramAndFromCommands) {
  const auto version = help_of("--version");
  EXPECT_THAT(version, testing::MatchesRegex("sotto [0-9.]+\n"));
  for (const char* other :
       {"-V", "budget --version", "train -V", "gan --version", "gan train -V"}) {
    EXPECT_EQ(help_of(other), version) << other;
  }
}

TEST(Help, GivesTypesAndDefaults) {
  const auto train = help_of("help train");
  EXPECT_THAT(train, HasSubstr("-e,--epochs N "));
  EXPECT_THAT(train, HasSubstr("--learning-rate,--lr X "));
  EXPECT_THAT(train, HasSubstr("--schema FILE "));
  EXPECT_THAT(train, HasSubstr("-o,--output DIR "));
  EXPECT_THAT(train, HasSubstr("--dataset DATA "));
  EXPECT_THAT(train, HasSubstr("--memory-limit SIZE "));
  EXPECT_THAT(train, HasSubstr("--optimizer sgd|momentum|adam|adamw|rmsprop\n"));
  EXPECT_THAT(train, HasSubstr("(default momentum)"));
  EXPECT_THAT(train, HasSubstr("--disable-dp "));
  EXPECT_THAT(help_of("help rappor encode"), HasSubstr("--format csv|binary "));
}

std::vector<std::string> all_commands(const std::string& group = "") {
  const auto description = run_program(group + " --describe").json();
  std::vector<std::string> names;
  if (!description.contains("commands")) return {group};
  for (const auto& command : description["commands"]) {
    const auto below = all_commands(group + " " + command["name"].get<std::string>());
    names.insert(names.end(), below.begin(), below.end());
  }
  return names;
}

TEST(Help, SaysOfEveryFlagWhatItTakes) {
  for (const auto& command : all_commands()) {
    const auto description = run_program(command + " --describe").json();
    for (const auto& flag : description["flags"]) {
      if (!flag["takes_value"]) continue;
      EXPECT_NE(flag["value"], "VALUE") << command << " " << flag["names"];
      EXPECT_NE(flag["help"], "") << command << " " << flag["names"];
    }
  }
}

// Words that cannot be broken: a label, or one long word.
bool may_be_long(const std::string& line) {
  std::istringstream words(line);
  std::string first;
  std::string second;
  std::string third;
  words >> first >> second >> third;
  return third.empty();
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

TEST(Help, IsWrappedToTheColumnsAndHasNoTrailingSpaces) {
  auto commands = all_commands();
  for (const char* group : {"", " gan", " rappor"}) commands.emplace_back(group);
  for (const std::size_t columns : {40U, 80U}) {
    const auto program = "COLUMNS=" + std::to_string(columns) + " " SOTTO_PROGRAM;
    for (const auto& command : commands) {
      std::istringstream lines(run_program_at(program, command + " --help").out);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_FALSE(line.ends_with(' ')) << command << ": " << line;
        EXPECT_TRUE(characters(line) <= columns || may_be_long(line)) << command << ": " << line;
      }
    }
  }
}

TEST(Help, IsNeverNarrowerThanFortyAndEightyByDefault) {
  const std::string program = SOTTO_PROGRAM;
  const auto help = [&](const std::string& columns) {
    return run_program_at("COLUMNS=" + columns + " " + program, "budget --help").out;
  };
  EXPECT_EQ(help("10"), help("40"));
  EXPECT_EQ(help("''"), help("80"));
  EXPECT_EQ(help("nonsense"), help("80"));
  EXPECT_NE(help("60"), help("80"));
}

TEST(Help, ListsBehindTheFlagsKeepTheirColumns) {
  const auto help = run_program_at("COLUMNS=60 " SOTTO_PROGRAM, "plot --help").out;
  EXPECT_THAT(help, HasSubstr("\n  plane             ε over batch size and noise multiplier:\n"
                              "                    colours and lines of equal ε\n"));
}

TEST(Help, ExamplesCanStillBeCopied) {
  const auto help = run_program_at("COLUMNS=50 " SOTTO_PROGRAM, "budget --help").out;
  EXPECT_THAT(help, HasSubstr("  sotto budget -s 60000 -b 64 -n 4 -e 15 \\\n      --sampling"));
}

}  // namespace
}  // namespace sotto::cli
