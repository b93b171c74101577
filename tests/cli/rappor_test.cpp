#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

const std::string kFlags = " -k 128 --hashes 2 -m 16 -f 0.5 -p 0.5 -q 0.75 ";

// A thousand people and three homepages.
std::string values_csv() {
  std::string text = "client,value\n";
  for (int i = 0; i < 4000; ++i) {
    const char* value = i % 2 == 0 ? "https://a.org" : i % 4 == 1 ? "https://b.org" : "\"c, d\"";
    text += "client-" + std::to_string(i) + ',' + value + '\n';
  }
  return text;
}

class Rappor : public testing::Test {
 protected:
  Rappor() {
    write_file_atomically(folder_ / "values.csv", values_csv());
    write_file_atomically(folder_ / "candidates.txt", "https://a.org\nhttps://b.org\nc, d\nnone\n");
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Outcome run(const std::string& arguments) const { return run_program("rappor " + arguments); }
  Outcome encode(const std::string& output, const std::string& flags) const {
    return run("encode" + flags + "--secret " + path("secret.txt") + " --metric m --input " +
               path("values.csv") + " --output " + path(output));
  }

  TemporaryFolder folder_;
};

TEST_F(Rappor, ParamsTellThePrivacy) {
  const auto json = run("params" + kFlags + "--reports 1e6 --candidates 300 --json").json();
  EXPECT_NEAR(json["epsilon_one"].get<double>(), 1.074286, 1e-6);
  EXPECT_NEAR(json["epsilon_infinity"].get<double>(), 4.394449, 1e-6);
  EXPECT_NEAR(json["detection_frequency"].get<double>(), 0.0101, 2e-4);
  const auto once = run("params -k 32 --hashes 1 -m 1 -f 0 -p 0.5 -q 0.75 --json").json();
  EXPECT_EQ(once["epsilon_infinity"], "Infinity");
}

TEST_F(Rappor, ParamsAreDesignedAndReadBack) {
  const auto designed =
      run("params --epsilon-one 1 --epsilon-infinity 4 --json --output " + path("params.csv"))
          .json();
  EXPECT_NEAR(designed["epsilon_one"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(designed["epsilon_infinity"].get<double>(), 4, 1e-9);
  const auto read = run("params --json --params " + path("params.csv")).json();
  EXPECT_EQ(read["p"], designed["p"]);
}

// From values to frequencies, by either format of reports, in one piece and in parts.
TEST_F(Rappor, WholePipeline) {
  const std::string flags = " -k 32 --hashes 2 -m 4 -f 0.25 -p 0.1 -q 0.9 ";
  ASSERT_EQ(encode("reports.bin", flags).status, 0);
  ASSERT_EQ(encode("reports.csv", flags).status, 0);
  const auto sum = run("sum " + path("reports.bin") + " --json --partial " + path("sum.json") +
                       " --counts " + path("counts.csv"))
                       .json();
  EXPECT_EQ(sum["reports"], 4000);
  EXPECT_EQ(sum["malformed"], 0);
  EXPECT_EQ(run("sum" + flags + path("reports.csv") + " --counts " + path("counts2.csv")).status,
            0);
  ASSERT_EQ(
      run("map" + flags + "--candidates " + path("candidates.txt") + " --output " + path("map.csv"))
          .status,
      0);
  for (const std::string& counts :
       {" --counts " + path("sum.json"), flags + "--counts " + path("counts.csv"),
        flags + "--counts " + path("counts2.csv")}) {
    const auto json = run("decode" + counts + " --map " + path("map.csv") + " --json").json();
    // One of those that nobody has may come up by chance.
    EXPECT_GE(json["found"], 3) << counts;
    EXPECT_LE(json["found"], 4) << counts;
    EXPECT_EQ(json["strings"][0]["string"], "https://a.org");
    EXPECT_NEAR(json["strings"][0]["proportion"].get<double>(), 0.5, 0.12);
  }
}

// The permanent response stays the same from run to run: only the instantaneous coins are new.
TEST_F(Rappor, SecretsMakeResponsesPermanent) {
  const std::string flags = " -k 32 --hashes 2 -m 4 -f 0.5 -p 0 -q 1 ";
  ASSERT_EQ(encode("one.csv", flags).status, 0);
  ASSERT_EQ(encode("two.csv", flags).status, 0);
  EXPECT_EQ(read_file(folder_ / "one.csv"), read_file(folder_ / "two.csv"));
  std::filesystem::remove(folder_ / "secret.txt");
  ASSERT_EQ(encode("three.csv", flags).status, 0);
  EXPECT_NE(read_file(folder_ / "one.csv"), read_file(folder_ / "three.csv"));
}

// Two first encodes at once: a secret that replaced another would release the values anew.
TEST_F(Rappor, FirstEncodesAtOnceShareOneSecret) {
  write_file_atomically(folder_ / "values.csv", "client,value\nann,x\nbob,y\n");
  const std::string flags = " -k 128 --hashes 2 -m 4 -f 0.5 -p 0 -q 1 ";  // the permanent response
  for (int pair = 0; pair < 100; ++pair) {
    const auto encode_with = [&](const std::string& output) {
      return "rappor encode" + flags + "--secret " + path("s" + std::to_string(pair)) +
             " --metric m --input " + path("values.csv") + " --force --output " + path(output);
    };
    const auto both =
        run_program_at("{ " SOTTO_PROGRAM,
                       encode_with("one.csv") + " & first=$!; " SOTTO_PROGRAM " " +
                           encode_with("two.csv") + "; second=$?; wait $first && exit $second; }");
    ASSERT_EQ(both.status, 0) << both.err;
    ASSERT_EQ(read_file(folder_ / "one.csv"), read_file(folder_ / "two.csv")) << "pair " << pair;
  }
}

TEST_F(Rappor, ReportsNeverReplaceTheNewSecret) {
  std::filesystem::create_directories(folder_ / "sub");
  for (const auto& [output, secret] :
       {std::pair{"secretX", "secretX"}, {"./secretY", "sub/../secretY"}}) {
    for (const char* force : {" ", " --force "}) {
      expect_refused("rappor encode" + kFlags + "--metric habit --input " + path("values.csv") +
                         " --output " + path(output) + " --secret " + path(secret) + force,
                     "is read as well (--secret)");
      EXPECT_FALSE(std::filesystem::exists(folder_ / secret));
    }
  }
}

// Nobody is to keep what has randomised nothing; what others may have used stays.
TEST_F(Rappor, AFailedEncodeTakesItsNewSecretBack) {
  const auto values = read_file(folder_ / "values.csv");
  const auto fail = [&] {
    write_file_atomically(folder_ / "values.csv", "client,value\nann,x\nbob\n");
    EXPECT_EQ(encode("reports.bin", kFlags).status, 2);
    write_file_atomically(folder_ / "values.csv", values);
  };
  fail();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "secret.txt"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "reports.bin"));
  EXPECT_EQ(encode("/dev/full", kFlags).status, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "secret.txt"));
  ASSERT_EQ(encode("first.bin", kFlags).status, 0);
  const auto secret = read_file(folder_ / "secret.txt");
  fail();
  EXPECT_EQ(read_file(folder_ / "secret.txt"), secret);
}

// Reading standard input took the buffer of standard output away, and what was printed with it.
TEST_F(Rappor, ValuesAndReportsComeFromStandardInput) {
  const auto encoded =
      run("encode" + kFlags + "--secret " + path("secret.txt") + " --metric m --input - --output " +
          path("reports.bin") + " <" + path("values.csv"));
  EXPECT_EQ(encoded.status, 0) << encoded.err;
  EXPECT_EQ(encoded.out.rfind("4000 reports in ", 0), 0U) << encoded.out;
  EXPECT_EQ(run("sum - --json <" + path("reports.bin")).json()["reports"], 4000);
}

TEST_F(Rappor, SecretsAreForTheirOwnerAlone) {
  const auto under_umask = [&](const std::string& mask) {
    return run_program_at("umask " + mask + "; " SOTTO_PROGRAM,
                          "rappor encode" + kFlags + "--secret " + path("secret.txt") +
                              " --metric m --input " + path("values.csv") + " --output " +
                              path("reports.csv"));
  };
  ASSERT_EQ(under_umask("000").status, 0);
  namespace fs = std::filesystem;
  const auto owner = fs::perms::owner_read | fs::perms::owner_write;
  EXPECT_EQ(fs::status(folder_ / "secret.txt").permissions(), owner);
  fs::permissions(folder_ / "secret.txt", owner | fs::perms::group_read | fs::perms::others_read);
  const std::string words = path("secret.txt") + ": has mode 0644";
  expect_refused("rappor encode" + kFlags + "--secret " + path("secret.txt") +
                     " --metric m --input " + path("values.csv") + " --force --output " +
                     path("reports.csv"),
                 words);
  fs::remove(folder_ / "reports.csv");
  fs::permissions(folder_ / "secret.txt", fs::perms::owner_read);
  EXPECT_EQ(encode("reports.csv", kFlags).status, 0);
}

TEST_F(Rappor, ReportsHoldNeitherFilterNorPermanentResponse) {
  ASSERT_EQ(encode("reports.csv", kFlags).status, 0);
  const std::string text = read_file(folder_ / "reports.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), "client,cohort,bloom,prr,irr");
  const std::string row = text.substr(text.find('\n') + 1);
  EXPECT_NE(row.find(",,,"), std::string::npos);
}

// "none" was reported by nobody, and is found with probability 3e-10.
TEST_F(Rappor, BasicCategories) {
  const std::string flags = " --categories " + path("candidates.txt") + " -f 0 -p 0.25 -q 0.75 ";
  ASSERT_EQ(encode("reports.bin", flags).status, 0);
  ASSERT_EQ(run("sum " + path("reports.bin") + " --partial " + path("sum.json")).status, 0);
  const auto json = run("decode --counts " + path("sum.json") + " --categories " +
                        path("candidates.txt") + " --alpha 1e-9 --json")
                        .json();
  EXPECT_EQ(json["found"], 3);
}

// Three reports, of which two of three answers are seen in all: unbiased estimates are impossible.
TEST_F(Rappor, FewReportsGiveNoImpossibleShares) {
  write_file_atomically(folder_ / "answers.txt", "yes\nno\nmaybe\n");
  ASSERT_EQ(run("params --answers " + path("answers.txt") + " --target-epsilon 2 --output " +
                path("params.json"))
                .status,
            0);
  write_file_atomically(folder_ / "counts.csv", "3,3,2,0\n");
  const std::string decode = "decode --all --params " + path("params.json") + " --counts " +
                             path("counts.csv") + " --output " + path("table.csv") + " --force ";
  const auto text = run(decode).out;
  EXPECT_NE(text.find("yes         100.000 %  49.620 % - 100.000 %   3 "), std::string::npos)
      << text;
  EXPECT_NE(text.find("maybe       0.000 %    0.000 % - 50.380 %     0 "), std::string::npos)
      << text;
  EXPECT_NE(text.find("Unknown     0.000 % ± 55.398 %"), std::string::npos) << text;
  EXPECT_NE(text.find("Limit       too few reports: not even a string"), std::string::npos) << text;
  const auto decoded = run(decode + "--json").json();
  for (const auto& string : decoded["strings"]) {
    EXPECT_GE(string["low"].get<double>(), 0);
    EXPECT_LE(string["high"].get<double>(), 1);
    if (string["string"] == "yes") {
      EXPECT_GT(string["estimate"].get<double>(), 3) << "unbiased";
    }
  }
  EXPECT_NE(read_file(path("table.csv")).find(",0.4962005329658079,1,"), std::string::npos);
}

// The quick start: one file says all that clients and server must agree on.
TEST_F(Rappor, KnownAnswersFromTargetToFrequencies) {
  const auto params = run("params --answers " + path("candidates.txt") +
                          " --target-epsilon 2 --json --output " + path("params.json"))
                          .json();
  EXPECT_EQ(params["k"], 4);
  EXPECT_EQ(params["h"], 1);
  EXPECT_EQ(params["m"], 1);
  EXPECT_LE(params["epsilon_infinity"].get<double>(), 2);
  EXPECT_GT(params["epsilon_infinity"].get<double>(), 1.999999);
  EXPECT_LE(params["epsilon_one"].get<double>(), 2);
  const std::string agreed = " --params " + path("params.json") + " ";
  ASSERT_EQ(encode("reports.bin", agreed).status, 0);
  ASSERT_EQ(run("sum " + path("reports.bin") + " --partial " + path("sum.json")).status, 0);
  const auto json =
      run("decode" + agreed + "--counts " + path("sum.json") + " --all --json").json();
  EXPECT_GE(json["found"], 3);
  EXPECT_EQ(json["strings"][0]["string"], "https://a.org");
  EXPECT_NEAR(json["strings"][0]["proportion"].get<double>(), 0.5, 0.12);
  EXPECT_EQ(json["strings"].size(), 4U);
  // CSV reports do not know their parameters, and six numbers do not know the answers.
  ASSERT_EQ(encode("reports.csv", agreed).status, 0);
  EXPECT_EQ(run("sum" + agreed + path("reports.csv") + " --json").json()["reports"], 4000);
  expect_refused("rappor decode" + agreed + "--counts " + path("sum.json") + " --candidates " +
                     path("candidates.txt"),
                 "--candidates");
}

// A report may reveal ε once, or all of them together.
TEST_F(Rappor, TargetsAreKeptToInEveryWay) {
  const std::string known = "params --json --answers " + path("candidates.txt");
  const auto once = run(known + " --target-epsilon 1 --one-time").json();
  EXPECT_LE(once["epsilon_one"].get<double>(), 1);
  EXPECT_EQ(once["epsilon_infinity"], "Infinity");
  const auto fresh = run(known + " --target-epsilon 2 --epsilon-one 1").json();
  EXPECT_LE(fresh["epsilon_one"].get<double>(), 1);
  EXPECT_LE(fresh["epsilon_infinity"].get<double>(), 2);
  EXPECT_GT(fresh["p"], 0);
  const auto google = run(known + " --target-epsilon 2 --profile google-cpp").json();
  EXPECT_LE(google["epsilon_one"].get<double>(), 2);
  EXPECT_LE(google["epsilon_infinity"].get<double>(), 2);
  const auto unknown = run("params --json --unknown-answers --target-epsilon 2").json();
  EXPECT_EQ(unknown["k"], 128);
  EXPECT_LE(unknown["epsilon_infinity"].get<double>(), 2);
  EXPECT_TRUE(unknown["answers"].is_null());
}

TEST_F(Rappor, TargetsNeedToKnowWhatTheyAreFor) {
  const std::string answers = " --answers " + path("candidates.txt");
  const auto refused = [](const std::string& flags, const std::string& words) {
    expect_refused("rappor params" + flags, words);
  };
  refused(" --target-epsilon 2", "--unknown-answers");
  refused(answers, "--target-epsilon");
  refused(answers + " --unknown-answers --target-epsilon 2", "--unknown-answers contradict");
  refused(answers + " --target-epsilon 2 --epsilon-infinity 2", "--epsilon-infinity contradict");
  refused(answers + " --target-epsilon 2 -f 0.5", "-f, -p or -q contradict");
  refused(answers + " --target-epsilon 2 -k 128", "-k, --hashes or -m contradict");
  refused(answers + " --target-epsilon 1 --epsilon-one 2", "--target-epsilon '1'");
  refused(answers + " --target-epsilon 0", "--target-epsilon '0'");
  refused(" --answers " + path("none.txt") + " --target-epsilon 2", "none.txt");
  write_file_atomically(folder_ / "twice.txt", "a\nb\na\n");
  refused(" --answers " + path("twice.txt") + " --target-epsilon 2", "occurs twice");
}

// A refusal names the line: whoever reads logs need not know the value.
TEST_F(Rappor, ValuesThatAreNoAnswerAreRefusedByTheirLine) {
  ASSERT_EQ(run("params --answers " + path("candidates.txt") + " --target-epsilon 2 --output " +
                path("params.json"))
                .status,
            0);
  write_file_atomically(folder_ / "values.csv", "client,value\nann,none\nbob,secret-habit\n");
  const auto outcome = encode("reports.bin", " --params " + path("params.json") + " ");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("values.csv, line 3: the value is not one of the 4 possible answers"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("secret-habit"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "reports.bin"));
}

// What the program shows on a terminal on which `lines` are typed, and its status.
Outcome at_terminal(const std::vector<std::string>& arguments, const std::string& lines) {
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (process == 0) {
    std::vector<char*> words;
    std::string program = SOTTO_PROGRAM;
    words.push_back(program.data());
    for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    execv(program.c_str(), words.data());
    _exit(127);
  }
  EXPECT_EQ(write(terminal, lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
  std::string shown;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(terminal, part.data(), part.size())) > 0;) {
    shown.append(part.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(process, &status, 0);
  close(terminal);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, shown, ""};
}

TEST_F(Rappor, ParamsAsksWhetherAnswersAreKnown) {
  const auto known = at_terminal({"rappor", "params", "--output", path("known.json")},
                                 "perhaps\ny\n" + path("candidates.txt") + "\n2\n");
  EXPECT_EQ(known.status, 0) << known.out;
  EXPECT_NE(known.out.find("Can all possible answers be listed"), std::string::npos) << known.out;
  EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "known.json"))["answers"].size(), 4U);
  const auto unknown =
      at_terminal({"rappor", "params", "--output", path("unknown.json")}, "n\n2\n");
  EXPECT_EQ(unknown.status, 0) << unknown.out;
  EXPECT_TRUE(nlohmann::json::parse(read_file(folder_ / "unknown.json"))["answers"].is_null());
  EXPECT_EQ(at_terminal({"rappor", "params"}, "y\n\x04").status, 2);  // the end, instead of a file
}

TEST_F(Rappor, DamagedReportsAreRefused) {
  ASSERT_EQ(encode("reports.bin", kFlags).status, 0);
  const std::string bytes = read_file(folder_ / "reports.bin");
  const std::string counts = " --counts " + path("counts.csv");
  const auto refused = [&](const std::string& content, const std::string& words) {
    write_file_atomically(folder_ / "damaged.bin", content);
    const auto outcome = run("sum " + path("damaged.bin") + counts);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "counts.csv"));
  };
  refused(bytes.substr(0, bytes.size() / 2), "cut off");
  refused(bytes + bytes, "continues after its end");
  std::string flipped = bytes;
  flipped[1000] = static_cast<char>(flipped[1000] ^ 4);
  refused(flipped, "checksum");
  const auto twice = run("sum " + path("reports.bin") + " " + path("reports.bin") + counts);
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.err.find("given twice"), std::string::npos);
}

TEST_F(Rappor, MalformedRowsAreReported) {
  ASSERT_EQ(encode("reports.csv", kFlags).status, 0);
  std::ofstream(folder_ / "reports.csv", std::ios::app) << "x,99,,,01\n";
  const auto outcome = run("sum" + kFlags + path("reports.csv") + " --json");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.json()["malformed"], 1);
  EXPECT_NE(outcome.err.find("line 4002"), std::string::npos) << outcome.err;
  EXPECT_EQ(run("sum" + kFlags + path("reports.csv") + " --strict").status, 2);
  EXPECT_EQ(run("sum" + kFlags + path("reports.csv") + " --expect 4001 --json").status, 2);
  EXPECT_EQ(run("sum" + kFlags + path("reports.csv") + " --expect 4000 --json").status, 0);
}

TEST_F(Rappor, SimulationWritesTableAndPicture) {
  const auto json =
      run("simulate --distribution normal --reports 20000 --json --output " + path("bell")).json();
  EXPECT_EQ(json["reports"], 20000);
  EXPECT_NEAR(json["epsilon_one"].get<double>(), 1.098612, 1e-6);
  for (const char* key : {"true_strings", "found", "false_positives", "total_variation"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_NE(read_file(folder_ / "bell.svg").find("</svg>"), std::string::npos);
  EXPECT_EQ(read_file(folder_ / "bell.csv").substr(0, 22), "string,true_frequency,");
}

TEST_F(Rappor, BadUsageIsOneLineAndStatusTwo) {
  const std::string missing = " --input " + path("nothing.csv");
  for (const std::string& arguments :
       {std::string("nonsense"),
        std::string("params"),
        std::string("params -k 128"),
        std::string("params -k 0 --hashes 2 -m 16 -f 0.5 -p 0.5 -q 0.75"),
        std::string("params -k 128 --hashes 2 -m 16 -f 1.5 -p 0.5 -q 0.75"),
        std::string("params -k 65536 --hashes 2 -m 65536 -f 0.5 -p 0.5 -q 0.75"),
        std::string("params --epsilon-one 2 --epsilon-infinity 1"),
        std::string("params --params none.csv"),
        "params" + kFlags + "--profile java",
        "encode" + kFlags,
        std::string("sum"),
        std::string("sum nothing.bin"),
        "sum " + path("values.csv"),
        "sum" + kFlags + path("values.csv"),
        "map" + kFlags,
        "decode" + kFlags,
        "decode" + kFlags + "--counts " + path("values.csv") + " --candidates " +
            path("candidates.txt"),
        std::string("simulate --distribution poisson"),
        std::string("simulate --reports 0"),
        std::string("simulate --reports many"),
        std::string("simulate -p 0.5 -q 0.5 --reports 10"),
        "encode" + kFlags + "--secret " + path("s") + " --metric m --output " + path("o") +
            missing}) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(Rappor, HelpHasExamples) {
  EXPECT_NE(run("--help").out.find("simulate"), std::string::npos);
  for (const char* command : {"params", "encode", "sum", "map", "decode", "simulate"}) {
    const auto outcome = run(std::string(command) + " --help");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out.find("Examples:"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace sotto::cli
