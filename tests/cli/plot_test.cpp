#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/atomic_file.h"
#include "data/png_image.h"
#include "report/png_picture.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kRun = " -s 60000 -b 64 -n 1 -e 15 ";

// Rows of a CSV file without quotes, by the names of their columns.
using Row = std::map<std::string, std::string>;
std::vector<Row> read_rows(const std::filesystem::path& path) {
  std::istringstream text(read_file(path));
  const auto fields = [](const std::string& line) {
    std::vector<std::string> result;
    std::istringstream input(line);
    for (std::string field; std::getline(input, field, ',');) result.push_back(field);
    return result;
  };
  std::string line;
  std::getline(text, line);
  const auto names = fields(line);
  std::vector<Row> rows;
  while (std::getline(text, line)) {
    const auto values = fields(line);
    EXPECT_EQ(values.size(), names.size()) << line;
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values[i];
    rows.push_back(row);
  }
  return rows;
}

// What `sotto budget` says of the run in a row.
nlohmann::json budget_of(const Row& row) {
  return run_program("budget --json -s " + row.at("dataset_size") + " -b " + row.at("batch_size") +
                     " -n " + row.at("noise_multiplier") + " -e " + row.at("epochs") + " -d " +
                     row.at("delta") + " --sampling " + row.at("sampling") + " --adjacency " +
                     row.at("adjacency") + " --accountant " + row.at("accountant"))
      .json();
}

class PlotTest : public testing::Test {
 protected:
  std::string out(const std::string& name) const {
    return " --force -o " + (folder_ / name).string();
  }
  // Writes table.csv and reads it.
  std::vector<Row> rows_of(const std::string& arguments) const {
    const auto outcome = run_program("plot " + arguments + out("table.csv"));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return read_rows(folder_ / "table.csv");
  }
  TemporaryFolder folder_;
};

TEST_F(PlotTest, EveryEpsilonIsWhatBudgetSays) {
  for (const std::string plot :
       {"batch-size -s 60000 -n 1 -e 15", "dataset-size -b 64 -n 1 -e 15",
        "noise-multiplier -s 60000 -b 64 -e 15", "epochs -s 60000 -b 64 -n 1.1 --to 20",
        "delta -s 60000 -b 64 -n 1 -e 15", "plane -s 60000 -e 15",
        "epochs -s 60000 -b 64 -n 4 --sampling shuffled",
        "batch-size -s 60000 -n 2 -e 2 "
        "--sampling fixed-size --accountant rdp",
        "noise-multiplier -s 60000 -b 64 -e 15 --accountant gdp"}) {
    const auto rows = rows_of(plot + " --points 3");
    ASSERT_EQ(rows.size(), plot.find("plane") == 0 ? 9U : 3U) << plot;
    for (const auto& row : rows) {
      const auto budget = budget_of(row);
      EXPECT_EQ(row.at("epsilon"), budget["epsilon"].dump()) << plot;
      EXPECT_EQ(row.at("steps"), budget["steps"].dump()) << plot;
      EXPECT_EQ(row.at("sample_rate"), budget["sample_rate"].dump()) << plot;
      EXPECT_EQ(row.at("is_bound"), row.at("accountant") == "gdp" ? "false" : "true");
    }
  }
}

TEST_F(PlotTest, TheBestOrderIsTheOneOfBudget) {
  const auto json = run_program("plot alpha --json" + kRun + out("a.svg")).json();
  const auto budget = run_program("budget --json --accountant rdp" + kRun).json();
  const auto& curve = json["curves"][0];
  EXPECT_EQ(curve["optimum"]["alpha"], budget["order"]);
  EXPECT_EQ(curve["optimum"]["epsilon"], budget["epsilon"]);
  const auto ys = curve["y"].get<std::vector<double>>();
  EXPECT_EQ(*std::min_element(ys.begin(), ys.end()), budget["epsilon"].get<double>());
  EXPECT_GT(ys.front(), 10 * ys[50]);  // both arms of the U
  EXPECT_GT(ys.back(), 10 * ys[50]);
  EXPECT_THAT(read_file(folder_ / "a.svg"), HasSubstr("α = 13, ε ≤ 0.8726"));
}

TEST_F(PlotTest, OrdersMayBeGivenOrRanged) {
  const auto given = run_program("plot alpha --json -a 2,4,8" + kRun + out("a.svg")).json();
  EXPECT_EQ(given["curves"][0]["x"], nlohmann::json({2.0, 4.0, 8.0}));
  EXPECT_EQ(given["curves"][0]["optimum"]["at_edge"], true);
  const auto ranged =
      run_program("plot alpha --json --from 2 --to 20 --points 5 --linear-x" + kRun + out("a.svg"))
          .json();
  EXPECT_EQ(ranged["curves"][0]["x"], nlohmann::json({2.0, 6.5, 11.0, 15.5, 20.0}));
}

TEST_F(PlotTest, SeveralValuesAreSeveralCurves) {
  const auto json = run_program(
                        "plot epochs --json --points 4 --to 8 -s 60000 -b 64,128 "
                        "-n 0.8,1,1.3" +
                        out("e.svg"))
                        .json();
  ASSERT_EQ(json["curves"].size(), 6U);
  EXPECT_EQ(json["curves"][0]["label"], "b = 64, σ = 0.8");
  EXPECT_EQ(json["curves"][5]["label"], "b = 128, σ = 1.3");
  EXPECT_EQ(json["curves"][5]["settings"]["batch_size"], 128);
  EXPECT_FALSE(json["curves"][5]["settings"].contains("epochs"));
  const auto picture = read_file(folder_ / "e.svg");
  EXPECT_THAT(picture, HasSubstr("b = 128, σ = 1.3"));
  EXPECT_THAT(picture, HasSubstr("δ\u00a0=\u00a01e-5"));  // in the subtitle: all have it
  EXPECT_THAT(picture, HasSubstr("epochs (passes over the data)"));
}

TEST_F(PlotTest, AnApproximationIsCalledOne) {
  const auto outcome = run_program(
      "plot noise-multiplier --points 3 -s 60000 -b 64 -e 15 "
      "--accountant pld,rdp,gdp" +
      out("n.svg"));
  EXPECT_THAT(outcome.out, HasSubstr("gdp approximates"));
  const auto picture = read_file(folder_ / "n.svg");
  EXPECT_THAT(picture, HasSubstr("gdp (approximation, no bound)"));
  EXPECT_THAT(picture, Not(HasSubstr("ε (upper bound)")));
  const auto alone = run_program(
                         "plot epochs --points 3 --json --accountant gdp -s 60000 -b 64 "
                         "-n 1" +
                         out("alone.svg"))
                         .json();
  EXPECT_EQ(alone["curves"][0]["is_bound"], false);
  EXPECT_THAT(alone["warnings"].dump(), HasSubstr("gdp approximates"));
  EXPECT_THAT(read_file(folder_ / "alone.svg"),
              HasSubstr("gdp\u00a0(approximation,\u00a0no\u00a0bound)"));
}

TEST_F(PlotTest, ThePlaneHasContoursWhereItsEpsilonIs) {
  const auto json =
      run_program("plot plane --json --points 12 -s 60000 -e 15 --contours 1,3" + out("p.svg"))
          .json();
  ASSERT_EQ(json["epsilon"].size(), 12U);
  ASSERT_EQ(json["epsilon"][0].size(), 12U);
  ASSERT_EQ(json["contours"].size(), 2U);
  EXPECT_EQ(json["contours"][1]["epsilon"], 3.0);
  // Exact values at places on the line are near the level: interpolation errs a little.
  for (const auto& contour : json["contours"]) {
    const auto& line = contour["lines"][0];
    const auto& place = line[line.size() / 2];
    const auto batch = static_cast<long>(std::lround(place[0].get<double>()));
    const auto budget = run_program("budget --json -s 60000 -e 15 -b " + std::to_string(batch) +
                                    " -n " + place[1].dump())
                            .json();
    EXPECT_NEAR(budget["epsilon"].get<double>() / contour["epsilon"].get<double>(), 1, 0.1);
  }
}

TEST_F(PlotTest, ALackOfNoiseLeavesAGap) {
  const auto json = run_program(
                        "plot noise-multiplier --json --from 0 --to 2 --points 3 -s 60000 "
                        "-b 64 -e 15" +
                        out("n.svg"))
                        .json();
  EXPECT_EQ(json["curves"][0]["y"][0], "Infinity");
  EXPECT_GT(json["curves"][0]["y"][1].get<double>(), 0);
  EXPECT_THAT(read_file(folder_ / "n.svg"), Not(HasSubstr("inf")));
  EXPECT_EQ(
      rows_of("noise-multiplier --from 0 --to 2 --points 3 -s 60000 -b 64 -e 15")[0].at("epsilon"),
      "Infinity");
}

TEST_F(PlotTest, WithoutNoiseNoOrderIsBest) {
  const auto json = run_program("plot alpha --json -s 60000 -b 64 -n 0 -e 1" + out("a.svg")).json();
  EXPECT_FALSE(json["curves"][0].contains("optimum"));
  EXPECT_THAT(read_file(folder_ / "a.svg"), Not(HasSubstr("nan")));
}

TEST_F(PlotTest, WarnsOfADeltaThatPromisesTooLittle) {
  const auto plot = [&](const std::string& what) {
    return run_program("plot " + what + " --points 3 --json" + out("w.svg")).json()["warnings"];
  };
  const std::string run = " -b 64 -n 1 -e 2";
  EXPECT_EQ(plot("epochs -s 8000 -b 64 -n 1 --delta 0.01").at(0),
            "δ = 0.01 is not below 1/8000: a mechanism that publishes one record at random would "
            "satisfy it");
  EXPECT_THAT(plot("dataset-size --from 1000 --to 1e6 -d 1e-5" + run).dump(),
              HasSubstr("in places δ = 1e-05 is not below 1/"));
  EXPECT_TRUE(plot("epochs -b 64 -s 8000 -n 1").empty());
}

TEST_F(PlotTest, WarnsIfTheBestOrderIsAtTheEndOfTheGrid) {
  for (const std::string plot :
       {"alpha -s 60000 -b 64 -n 4 -e 1", "batch-size -s 60000 -n 4 -e 1 --accountant rdp"}) {
    const auto json = run_program("plot " + plot + " --json" + out("a.svg")).json();
    EXPECT_THAT(json["warnings"].dump(), HasSubstr("first or last of those tried")) << plot;
  }
  const auto json = run_program("plot alpha --json" + kRun + out("a.svg")).json();
  EXPECT_TRUE(json["warnings"].empty());
}

TEST_F(PlotTest, DeltaMayBeLinearOrLogarithmic) {
  const auto log = rows_of("delta --from 1e-6 --to 1e-4 --points 3" + kRun);
  EXPECT_NEAR(std::stod(log[1].at("delta")), 1e-5, 1e-12);
  const auto linear = rows_of("delta --from 1e-6 --to 1e-4 --points 3 --linear-x" + kRun);
  EXPECT_NEAR(std::stod(linear[1].at("delta")), 5.05e-5, 1e-12);
}

TEST_F(PlotTest, WritesEveryFormatAtOnce) {
  const auto json = run_program(
                        "plot epochs --points 3 --format svg,png,csv --theme dark --json "
                        "-s 60000 -b 64 -n 1" +
                        out("all"))
                        .json();
  EXPECT_EQ(json["files"].size(), 3U);
  const auto picture = read_file(folder_ / "all.svg");
  const auto image = data::decode_png(read_file(folder_ / "all.png"), "all.png", 3);
  EXPECT_EQ(image.width, 1920);
  EXPECT_NEAR(static_cast<double>(image.height),
              2 * std::stod(picture.substr(picture.find(" height=\"") + 9)), 1);
  EXPECT_EQ(image.pixels.substr(0, 3), "\x14\x19\x1f");  // the dark ground
  EXPECT_EQ(read_rows(folder_ / "all.csv").size(), 3U);
  EXPECT_NO_THROW(report::png_from_svg(picture));  // well-formed
}

TEST_F(PlotTest, TheUsualNameIsThatOfThePlot) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  const auto outcome = run_program("plot epochs --points 2 -s 60000 -b 64 -n 1");
  std::filesystem::current_path(before);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("plot-epochs.svg"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "plot-epochs.svg"));
}

TEST_F(PlotTest, HelpHasExamples) {
  const auto outcome = run_program("plot --help");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("Examples:"));
}

struct Refusal {
  std::string arguments;
  std::string named;  // what the line must mention
};

TEST_F(PlotTest, RefusesInOneLineAndWritesNothing) {
  const std::string sizes = " -s 60000 -b 64";
  const std::vector<Refusal> refusals{
      {"", "what to plot is missing"},
      {"gamma" + kRun, "cannot plot 'gamma'"},
      {"alpha extra" + kRun, "extra"},
      {"alpha" + sizes + " -e 15", "--noise-multiplier is missing"},
      {"alpha" + sizes + " -n 1", "--epochs (or --steps) is missing"},
      {"alpha -n 1 -e 15", "--dataset-size"},
      {"alpha --accountant pld" + kRun, "--accountant 'pld'"},
      {"alpha -a 2,3 --from 2" + kRun, "--alphas and --from"},
      {"alpha --from 1" + kRun, "--from '1'"},
      {"alpha --to 1e9" + kRun, "--to '1e9'"},
      {"alpha --contours 1" + kRun, "--contours '1'"},
      {"batch-size" + kRun, "--batch-size '64'"},
      {"batch-size -n 1 -e 15", "--dataset-size is missing"},
      {"batch-size -s 60000 -n 1 -e 15 --to 60001", "--to '60001'"},
      {"batch-size -s 60000 -n 1 -e 15 --from 1.5", "--from '1.5'"},
      {"batch-size --sample-rate 0.1 -n 1 -e 15", "--sample-rate '0.1'"},
      {"dataset-size" + kRun, "--dataset-size '60000'"},
      {"dataset-size -b 64 -n 1 -e 15 --from 63", "--from '63'"},
      {"dataset-size -n 1 -e 15", "--batch-size is missing"},
      {"noise-multiplier" + sizes + " -e 15 --from -1", "--from '-1'"},
      {"noise-multiplier" + sizes + " -e 15 --from 0 --log-x", "--from '0'"},
      {"noise-multiplier" + sizes + " -e 15 --from 3 --to 2", "--from '3'"},
      {"noise-multiplier" + sizes + " -e 15 --from 3 --to 3", "--from '3'"},
      {"noise-multiplier" + sizes + " -e 15 --to 0.1", "--to '0.1'"},
      {"epochs" + sizes + " -n 1 --steps 5", "--steps '5'"},
      {"epochs" + sizes + " -n 1 --from 0", "--from '0'"},
      {"epochs" + sizes + " -n 1 --points 1", "--points '1'"},
      {"epochs" + sizes + " -n 1 --points 1e9", "--points '1e9'"},
      {"epochs" + sizes + " -n 1 --points 2.5", "--points '2.5'"},
      {"epochs" + sizes + " -n 1 --points 5,5", "--points '5,5'"},
      {"epochs" + sizes + " -n 1,x", "--noise-multiplier 'x'"},
      {"epochs" + sizes + " -n 1,", "--noise-multiplier '1,'"},
      {"epochs" + sizes + " -n 1,1", "two curves would be the same"},
      {"epochs" + sizes + " -n 1,2,3,4,5,6,7,8,9,10,11,12,13", "at most 12"},
      {"epochs" + sizes + " -n 1 --log-x --linear-x", "--log-x and --linear-x"},
      {"epochs" + sizes + " -n 1 --log-y --linear-y", "--log-y and --linear-y"},
      {"epochs" + sizes + " -n 1 --accountant moments", "--accountant 'moments'"},
      {"epochs" + sizes + " -n 1 --sampling shuffled --adjacency add-remove", "zero-out"},
      {"epochs" + sizes + " -n 1 --sampling fixed-size --accountant gdp", "gdp has no analysis"},
      {"delta" + kRun + "-d 1e-5", "--delta '1e-5'"},
      {"delta" + kRun + "--from 0", "--from '0'"},
      {"delta" + kRun + "--to 1", "--to '1'"},
      {"plane -s 60000 -e 15 -n 1", "--noise-multiplier '1'"},
      {"plane -s 60000 -e 15 -b 64", "--batch-size '64'"},
      {"plane -s 60000,1000 -e 15", "a plane shows one run"},
      {"plane -s 60000 -e 15 --from 16", "--from '16'"},
      {"plane -s 60000 -e 15 --to 60001,2", "--to '60001"},
      {"plane -s 60000 -e 15 --points 500", "--points '500'"},
      {"plane -s 60000 -e 15 --contours 0", "--contours '0'"},
      {"plane -s 60000 -e 15 --contours a", "--contours 'a'"},
      {"alpha --theme blue" + kRun, "--theme 'blue'"},
      {"alpha --format gif" + kRun, "--format 'gif'"},
      {"alpha --format svg,svg" + kRun, "--format 'svg,svg'"},
      {"batch-size -s 1 -n 1 -e 1", "batch-size would run from 1 to 1"},
      {"alpha --epsilon 1" + kRun, "--epsilon"},
  };
  for (const auto& [arguments, named] : refusals) {
    const auto outcome = run_program("plot " + arguments + out("no.svg"));
    EXPECT_EQ(outcome.status, 2) << arguments << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(named)) << arguments;
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << arguments;
  }
}

TEST_F(PlotTest, RefusesNamesItCannotWrite) {
  for (const std::string output : {"picture.pdf", "picture", "no/picture.svg", ""}) {
    const auto outcome = run_program("plot alpha" + kRun + out(output));
    EXPECT_EQ(outcome.status, 2) << output << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--output '")) << output;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace sotto::cli
