// sotto memory as a user calls it, and the flags of sotto train that go with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

TEST(MemoryCommandTest, PredictsAndMeasuresEveryPhase) {
  const auto outcome = run_program("memory --model cnn --batch-size 256 --measure --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty());
  const auto answer = json::parse(outcome.out);
  const double predicted = answer.at("predicted_bytes").get<double>();
  EXPECT_NEAR(predicted / answer.at("measured_bytes").get<double>(), 1, 0.1);
  EXPECT_GT(answer.at("peak_resident_bytes").get<double>(), predicted);
  ASSERT_EQ(answer.at("phases").size(), 5U);
  double before = 0;
  for (const auto& phase : answer.at("phases")) {
    if (phase.at("phase") == "step") continue;  // what is left, not what is added
    EXPECT_GE(phase.at("predicted_bytes").get<double>(), before) << phase;
    EXPECT_TRUE(phase.at("measured_bytes").is_number()) << phase;
    before = phase.at("predicted_bytes").get<double>();
  }
  double sum = 0;
  for (const auto& part : answer.at("parts").items()) sum += part.value().get<double>();
  EXPECT_NEAR(sum, predicted, 0.05 * predicted);
}

TEST(MemoryCommandTest, TableAndPictureOfSeveralMethods) {
  const TemporaryFolder folder;
  const auto outcome =
      run_program("memory --batch-size 32,64 --path plain,fused --optimizer adam --csv " +
                  (folder / "m.csv").string() + " --plot " + (folder / "m.svg").string());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto table = read_file(folder / "m.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
  EXPECT_THAT(table, HasSubstr("\ncnn,adam,fused,64,"));
  EXPECT_THAT(read_file(folder / "m.svg"), StartsWith("<svg"));
}

TEST(MemoryCommandTest, LargestBatchWithinALimit) {
  const auto wide = json::parse(run_program("memory --path graph --limit 2GiB --json").out);
  const auto narrow = json::parse(run_program("memory --method graph --limit 1GiB --json").out);
  EXPECT_GT(narrow.at("largest_batch"), 1000);
  EXPECT_GT(wide.at("largest_batch"), narrow.at("largest_batch"));
  EXPECT_EQ(json::parse(run_program("memory --limit 1MB --json").out).at("largest_batch"), 0);
}

TEST(MemoryCommandTest, RefusesBadUsageInOneLine) {
  expect_refused("memory --model nothing", "--model: model 'nothing': accepted are");
  expect_refused("memory --model lstm --path fused", "--path 'fused'");
  expect_refused("memory --model lstm --classes 3", "'lstm' has its own");
  expect_refused("memory --path magic", "--path 'magic': expected auto");
  expect_refused("memory --batch-size 0", "--batch-size '0'");
  expect_refused("memory --limit lots", "--limit 'lots'");
  expect_refused("memory --input-shape 3x4", "--input-shape '3x4'");
  expect_refused("memory --optimizer best", "--optimizer 'best'");
}

TEST(MemoryCommandTest, TableAndPictureAreTwoFiles) {
  const TemporaryFolder folder;
  const auto file = (folder / "m.csv").string();
  expect_refused("memory --csv " + file + " --plot " + file, "is what --csv writes, too");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(MemoryCommandTest, FlagsOfTrainingThatGoWithIt) {
  expect_refused("train --memory-limit lots", "--memory-limit 'lots'");
  expect_refused("train --memory-limit 2GiB --disable-dp", "--memory-limit");
  expect_refused("train --image-factor 3", "--image-factor '3': expected 1, 2 or 4");
  expect_refused("train --image-factor 2 --image-size 64", "give one of them");
  expect_refused("train --hidden-units 64", "--hidden-units: only with --model vgg16");
  expect_refused("train --model vgg16 --dataset cifar10 --freeze features", "--weights must name");
  expect_refused("train --clipping laplace", "only clipless training");
}

TEST(MemoryCommandTest, TrainingStaysTheSameWithinALimit) {
  const TemporaryFolder folder;
  const auto outcome = run_program(
      "train --dataset digits --epochs 1 --batch-size 200 --memory-limit 4GiB --output " +
      (folder / "run").string() + " --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("samples at once, to stay within the memory limit"));
  EXPECT_TRUE(json::parse(outcome.out).at("private").get<bool>());
  EXPECT_TRUE(std::filesystem::exists(folder / "run" / "report.html"));
}

}  // namespace
}  // namespace sotto::cli
