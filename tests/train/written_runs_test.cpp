// Runs that were written with each release of LibTorch (tests/train/write_runs), read with this
// one.
#include <gtest/gtest.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "runs/run_record.h"
#include "sotto/core/error.h"
#include "sotto/train/model_file.h"
#include "sotto/train/trainer.h"
#include "tests/core/temporary_folder.h"

namespace sotto::train {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> written_runs() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(SOTTO_SOURCE_DIR "/tests/train/written")) {
    folders.push_back(entry.path());
  }
  return folders;
}

TEST(WrittenRuns, ModelsOfEveryReleaseGiveTheSameScores) {
  const auto folders = written_runs();
  EXPECT_GE(folders.size(), 3U);
  for (const auto& folder : folders) {
    SCOPED_TRACE(folder.string());
    const auto expected = nlohmann::json::parse(read_file(folder / "scores.json"));
    auto loaded = load_model(folder / "finished" / "model.pt");
    const auto rows = expected["rows"].get<std::vector<std::vector<float>>>();
    const auto scores = expected["scores"].get<std::vector<std::vector<float>>>();
    ASSERT_EQ(rows.size(), scores.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto got = loaded.model->forward(torch::tensor(rows[i]).unsqueeze(0)).squeeze(0);
      EXPECT_TRUE(torch::allclose(got, torch::tensor(scores[i]), 1e-5, 1e-5)) << got;
    }
  }
}

TEST(WrittenRuns, RecordsOfEveryReleaseAreVerified) {
  for (const auto& folder : written_runs()) {
    SCOPED_TRACE(folder.string());
    const auto run = runs::RunRecord::read(folder / "finished");
    EXPECT_TRUE(run.is_private());
    EXPECT_TRUE(run.contradictions().empty());
  }
}

// The data lie beside the runs, under a relative name.
std::string message_of_resuming(const fs::path& folder) {
  const auto here = fs::current_path();
  const TemporaryFolder copy;
  fs::copy(folder, copy.path(), fs::copy_options::recursive);
  fs::permissions(copy / ".sotto-key", fs::perms::owner_read | fs::perms::owner_write);
  fs::current_path(copy.path());
  TrainingObserver observer;
  std::string message;
  try {
    const auto result = resume("interrupted", observer);
    const auto record = runs::RunRecord::read(copy / "interrupted");
    EXPECT_TRUE(record.contradictions().empty());
    EXPECT_EQ(result.steps, *record.ledger_steps());
  } catch (const InvalidArgument& error) {
    message = error.what();
  }
  fs::current_path(here);
  return message;
}

TEST(WrittenRuns, CheckpointsOfEveryReleaseGoOn) {
  for (const auto& folder : written_runs()) {
    EXPECT_EQ(message_of_resuming(folder), "") << folder;
  }
}

// Up to version 0.2 LibTorch wrote them: the release that did goes on, another may refuse.
TEST(WrittenRuns, CheckpointsOfEarlierVersionsGoOnOrAreRefused) {
  const auto message = message_of_resuming(SOTTO_SOURCE_DIR "/tests/train/written_before/1.13");
  if (TORCH_VERSION_MAJOR >= 2 && !message.empty()) {
    EXPECT_NE(message.find("checkpoint.pt: is damaged, or of another model"), std::string::npos);
  } else {
    EXPECT_EQ(message, "");
  }
}

}  // namespace
}  // namespace sotto::train
