// Clipless training, inspect and certificates as a user runs them.
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class CliplessCommandTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  std::string quick(const std::string& name, const std::string& flags = "") const {
    return "train --method clipless --dataset digits --batch-size 500 --epochs 1 --output " +
           path(name) + " " + flags;
  }
  TemporaryFolder folder;
};

TEST_F(CliplessCommandTest, TrainsInspectsAndCertifies) {
  const auto trained = run_program(quick("run", "--json"));
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_LE(trained.json()["epsilon"].get<double>(), 3);
  EXPECT_GT(trained.json()["test_accuracy"].get<double>(), 0.3);
  const auto statement = read_file(path("run/privacy.md"));
  EXPECT_NE(statement.find("No record's gradient is clipped"), std::string::npos);

  const auto bounds = run_program("inspect " + path("run") + " --json").json();
  EXPECT_TRUE(bounds["clipless"].get<bool>());
  EXPECT_NEAR(bounds["gradient_bound"].get<double>(), 0.1 * 14 * std::sqrt(2.0), 1e-9);
  EXPECT_LE(bounds["lipschitz_constant"].get<double>(), 1.001);

  const auto certified =
      run_program("evaluate " + path("run") + " --certify --radius 100 --json").json();
  ASSERT_EQ(certified["certified"].size(), 6U);
  double last = certified["test_accuracy"].get<double>();
  for (const auto& row : certified["certified"]) {
    EXPECT_LE(row["certified_accuracy"].get<double>(), last);
    last = row["certified_accuracy"].get<double>();
  }
  EXPECT_EQ(last, 0);
}

TEST_F(CliplessCommandTest, ResumesWithItsSpend) {
  const auto whole = run_program(quick("run",
                                       "--noise-strategy per-layer --clipping adaptive "
                                       "--loss cross-entropy --json"));
  ASSERT_EQ(whole.status, 0) << whole.err;
  const auto again = run_program("train --resume --output " + path("run") + " --json");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["epsilon"], whole.json()["epsilon"]);
}

// The bound is that of the run's own loss: HKR's gradient is larger than the cross-entropy's.
TEST_F(CliplessCommandTest, InspectsTheRunsOwnLoss) {
  ASSERT_EQ(run_program(quick("run", "--loss hkr --max-grad-norm 4")).status, 0);
  EXPECT_EQ(run_program("inspect " + path("run") + " --json").json()["loss_gradient"], 4);
}

TEST_F(CliplessCommandTest, InspectsNetworksByName) {
  const auto resnet = run_program("inspect lip-resnet --json").json();
  EXPECT_NEAR(resnet["loss_gradient"].get<double>(), std::sqrt(2.0), 1e-12);
  const auto table = run_program("inspect lip-cnn --input-shape 3x32x32");
  EXPECT_EQ(table.status, 0);
  EXPECT_NE(table.out.find("conv1.weight"), std::string::npos);
  const auto ordinary = run_program("inspect mlp --json").json();
  EXPECT_TRUE(ordinary["fit_for_private_training"].get<bool>());
  EXPECT_FALSE(ordinary["clipless"].get<bool>());
}

TEST_F(CliplessCommandTest, RefusesWhatDoesNotFit) {
  expect_refused(quick("run", "--model cnn"), "lip-mlp");
  expect_refused("train --model lip-mlp --dataset digits --output " + path("run"),
                 "--method clipless");
  expect_refused("train --loss kr --dataset digits --output " + path("run"), "--loss");
  expect_refused(quick("run", "--loss hinge"), "--loss 'hinge'");
  expect_refused(quick("run", "--clipping per-layer"), "flat, adaptive or laplace");
  expect_refused(quick("run", "--noise-strategy both"), "global or per-layer");
  expect_refused(quick("run", "--show-norms"), "--show-norms");
  expect_refused(quick("run", "--input-bound 0"), "--input-bound");
  expect_refused(quick("run", "--gradients fused"), "--gradients fused");
  EXPECT_FALSE(std::filesystem::exists(path("run")));
  expect_refused("inspect nothing", "lip-cnn");
  expect_refused("inspect lip-cnn --input-shape 28", "8x8");
  expect_refused("inspect lip-cnn --input-shape 1x2", "--input-shape");
  ASSERT_EQ(run_program("train --dataset digits --model softmax --batch-size 500 --epochs 1 "
                        "--output " +
                        path("plain"))
                .status,
            0);
  expect_refused("inspect " + path("plain") + " --classes 3", "--classes");
  expect_refused("evaluate " + path("plain") + " --certify", "--certify");
  expect_refused("evaluate " + path("plain") + " --radius 1", "--radius");
}

}  // namespace
}  // namespace sotto::cli
