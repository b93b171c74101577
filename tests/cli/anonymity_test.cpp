#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class AnonymityTest : public testing::Test {
 protected:
  AnonymityTest() {
    std::ofstream(file("raw.csv")) << "name,age,zip,illness\n"
                                      "A,19,25000,Asthme\nB,43,25200,Cancer\nC,73,25170,Leucémie\n"
                                      "D,27,25480,VIH\nE,35,25120,VIH\nF,61,25000,Leucémie\n";
    std::ofstream(file("zip.csv")) << "25000,Besançon\n25170,Besançon\n25480,Besançon\n"
                                      "25200,Montbéliard\n25120,Montbéliard\n";
  }

  std::string file(const std::string& name) const { return (folder.path() / name).string(); }
  Outcome run(const std::string& name, const std::string& rest) const {
    return run_program("anonymity --data " + file(name) + " --quasi age,zip --sensitive illness " +
                       rest);
  }
  std::string shapes() const {
    return " --bins age=18,31,35,46,60 --hierarchy zip=" + file("zip.csv") + " --release " +
           file("public.csv");
  }

  TemporaryFolder folder;
};

TEST_F(AnonymityTest, MakesTheHospitalTableAndFindsWhatItGivesAway) {
  const auto made = run("raw.csv", "--json --k 2" + shapes());
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.json()["k"], 2);
  EXPECT_EQ(made.json()["suppressed"], 0);
  EXPECT_EQ(read_file(file("public.csv")),
            "age,zip,illness\n18-30,Besançon,Asthme\n18-30,Besançon,VIH\n"
            "35-45,Montbéliard,Cancer\n35-45,Montbéliard,VIH\n"
            "60+,Besançon,Leucémie\n60+,Besançon,Leucémie\n");
  const auto enough = run("public.csv", "--k 2");
  EXPECT_EQ(enough.status, 0) << enough.out;
  const auto measured = run("public.csv", "--json --k 2 --l 2");
  EXPECT_EQ(measured.status, 1);
  const auto json = measured.json();
  EXPECT_EQ(json["k"], 2);
  EXPECT_EQ(json["l"], 1);
  EXPECT_FALSE(json["holds"]);
  ASSERT_EQ(json["failing"].size(), 1U);
  EXPECT_EQ(json["failing"][0]["quasi"], (std::vector<std::string>{"60+", "Besançon"}));
  const auto text = run("public.csv", "--k 2 --l 2 --t 0.2");
  EXPECT_EQ(text.status, 1);
  EXPECT_NE(text.out.find("60+, Besançon: ℓ = 1 < 2"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("does not protect"), std::string::npos) << text.out;
}

TEST_F(AnonymityTest, ReadsAndWritesWithTheSeparatorOfTheFirstLine) {
  std::ofstream(file("semi.csv")) << "name;age;zip;illness\nA;19;25000;\"x;y\"\nD;27;25480;a,b\n";
  std::ofstream(file("semizip.csv")) << "25000;Besançon\n25480;Besançon\n";
  const auto made =
      run("semi.csv", "--json --k 2 --bins age=18,31 --hierarchy zip=" + file("semizip.csv") +
                          " --release " + file("public.csv"));
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(read_file(file("public.csv")),
            "age;zip;illness\n18-30;Besançon;a,b\n18-30;Besançon;\"x;y\"\n");
  EXPECT_EQ(run("public.csv", "--json --k 2").json()["k"], 2);
}

TEST_F(AnonymityTest, ShowsNoMoreOfAFieldThanAGlance) {
  std::ofstream(file("long.csv")) << "age,zip,illness\n19," << std::string(3000000, '7')
                                  << ",Asthme\n";
  const auto lacking = run("long.csv", "--k 2" + shapes());
  EXPECT_EQ(lacking.status, 2);
  EXPECT_LT(lacking.err.size(), 500U);
  EXPECT_NE(lacking.err.find("lacks the value '777"), std::string::npos) << lacking.err;
  EXPECT_LT(run("long.csv", "--k 2").out.size(), 2000U);
}

TEST_F(AnonymityTest, WritesNothingIfItCannotBeDone) {
  const auto outcome = run("raw.csv", "--k 7" + shapes());
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
  EXPECT_FALSE(std::filesystem::exists(file("public.csv")));
}

TEST_F(AnonymityTest, RefusesBadUsage) {
  const std::string raw = "anonymity --data " + file("raw.csv");
  for (const auto& [arguments, named] : std::vector<std::pair<std::string, std::string>>{
           {"anonymity", "--data"},
           {raw, "--quasi"},
           {raw + " --quasi age", "--sensitive"},
           {raw + " --quasi age --sensitive age", "'age'"},
           {raw + " --quasi rank --sensitive illness", "'rank'"},
           {raw + " --quasi aeg --sensitive illness", "did you mean 'age'?"},
           {raw + " --quasi age --sensitive illness --k 0", "--k '0'"},
           {raw + " --quasi age --sensitive illness --l 0.5", "--l '0.5'"},
           {raw + " --quasi age --sensitive illness --t 2", "--t '2'"},
           {raw + " --quasi age --sensitive illness --l 2 --l-kind x", "--l-kind 'x'"},
           {raw + " --quasi age --sensitive illness --bins age=1,2", "--release"},
           {raw + " --quasi age --sensitive illness --release x.csv", "--release"},
           {raw + " --quasi age --sensitive illness --k 2 --release x.csv --bins zip=1", "--bins"},
           {raw + " --quasi age --sensitive illness --k 2 --release x.csv --bins age", "--bins"},
           {raw + " --quasi age --sensitive illness --k 2 --release x.csv --bins age=2,1",
            "--bins"},
           {raw + " --quasi age --sensitive illness --k 2 --release x.csv --hierarchy age=none.csv",
            "--hierarchy 'none.csv'"},
       }) {
    const auto outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << '\n' << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(named), std::string::npos) << arguments << '\n' << outcome.err;
    EXPECT_FALSE(std::filesystem::exists("x.csv"));
  }
}

}  // namespace
}  // namespace sotto::cli
