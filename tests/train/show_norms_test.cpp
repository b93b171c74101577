// Gradient norms are told only if asked for, and then marked wherever they appear.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

#include "core/atomic_file.h"
#include "plan/norm_json.h"
#include "settings/config_json.h"
#include "sotto/core/error.h"
#include "sotto/train/trainer.h"
#include "tests/core/temporary_folder.h"

namespace sotto::train {
namespace {

class ShowNormsTest : public testing::Test {
 protected:
  static TrainingConfig quick(bool show_norms = true) {
    TrainingConfig config;
    config.dataset = "digits";
    config.model = "softmax";
    config.batch_size = 500;
    config.epochs = 2;
    config.show_norms = show_norms;
    return config;
  }
  std::filesystem::path output() const { return folder.path() / "run"; }
  nlohmann::json privacy() const {
    return nlohmann::json::parse(read_file(output() / "privacy.json"));
  }
  std::vector<nlohmann::json> metrics(const char* name = "metrics.private.jsonl") const {
    std::istringstream file(read_file(output() / name));
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
  }
  static bool lists_norms(const nlohmann::json& json) {
    const auto list = json.at("not_covered_by_epsilon").get<std::vector<std::string>>();
    return std::all_of(kNormKeys.begin(), kNormKeys.end(), [&](const char* key) {
      return std::find(list.begin(), list.end(), key) != list.end();
    });
  }

  TemporaryFolder folder;
  TrainingObserver observer;
};

TEST_F(ShowNormsTest, NothingIsToldUnlessAsked) {
  struct Witness : TrainingObserver {
    void on_epoch(const EpochReport& report) override { told = told || report.norms; }
    bool told = false;
  } witness;
  const auto result = train(quick(false), output(), witness);
  EXPECT_FALSE(witness.told);
  EXPECT_FALSE(result.norms);
  for (const auto& line : metrics("metrics.jsonl")) {
    for (const auto* key : kNormKeys) EXPECT_FALSE(line.contains(key)) << key;
  }
  EXPECT_FALSE(std::filesystem::exists(output() / "metrics.private.jsonl"));
  EXPECT_EQ(privacy().at("norms_shown"), false);
  EXPECT_FALSE(lists_norms(privacy()));
  EXPECT_EQ(read_file(output() / "privacy.md").find("norms were shown"), std::string::npos);
}

TEST_F(ShowNormsTest, EveryFileSaysThatTheyWereShown) {
  const auto result = train(quick(), output(), observer);
  ASSERT_TRUE(result.norms);
  EXPECT_EQ(result.norms->batches, 20);  // of the last epoch alone
  EXPECT_GT(result.norms->samples, 9000);
  EXPECT_LT(result.norms->samples, 11000);
  ASSERT_EQ(metrics().size(), 2U);
  for (const auto& line : metrics()) {
    EXPECT_TRUE(lists_norms(line));
    EXPECT_EQ(line.at("batch_sizes").at("batches"), 20);
    EXPECT_GE(line.at("clipped_share").get<double>(), 0);
  }
  for (const auto& line : metrics("metrics.jsonl")) {
    for (const auto* key : kNormKeys) EXPECT_FALSE(line.contains(key)) << key;
  }
  EXPECT_EQ(metrics().back().at("gradient_norms"), json_of(*result.norms).at("gradient_norms"));
  EXPECT_EQ(privacy().at("norms_shown"), true);
  EXPECT_TRUE(lists_norms(privacy()));
  const auto text = read_file(output() / "privacy.md");
  EXPECT_NE(text.find("norms were shown"), std::string::npos);
  EXPECT_NE(text.find("not covered by ε"), std::string::npos);
}

TEST_F(ShowNormsTest, ResumedRunsGoOnShowingThem) {
  struct Stop : TrainingObserver {
    void on_epoch(const EpochReport& report) override {
      EXPECT_TRUE(report.norms);
      throw std::runtime_error("interrupted");
    }
  } stop;
  EXPECT_THROW(train(quick(), output(), stop), std::runtime_error);
  std::ofstream(output() / "metrics.private.jsonl", std::ios::app)
      << "{\"epoch\": 2, \"tr";  // torn
  const auto result = resume(output(), observer);
  EXPECT_EQ(result.steps, 40);
  ASSERT_TRUE(result.norms);
  EXPECT_EQ(metrics().size(), 2U);
  EXPECT_TRUE(lists_norms(metrics().back()));
  EXPECT_TRUE(lists_norms(privacy()));
  const auto again = resume(output(), observer);  // finished: from metrics.private.jsonl
  ASSERT_TRUE(again.norms);
  EXPECT_EQ(json_of(*again.norms), json_of(*result.norms));
}

TEST_F(ShowNormsTest, NeedPrivacy) {
  auto config = quick();
  config.disable_dp = true;
  EXPECT_THROW(train(config, output(), observer), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(ShowNormsTest, OlderConfigurationsShowNothing) {
  auto json = json_of(quick());
  EXPECT_TRUE(settings::training_config_from_json(json).show_norms);
  json.erase("show_norms");
  EXPECT_FALSE(settings::training_config_from_json(json).show_norms);
}

}  // namespace
}  // namespace sotto::train
