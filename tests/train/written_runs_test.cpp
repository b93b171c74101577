// Runs that were written with each release of LibTorch (tests/train/write_runs), read with this
// one.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "runs/run_record.h"
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
  EXPECT_GE(folders.size(), 2U);
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
TEST(WrittenRuns, CheckpointsOfEveryReleaseGoOn) {
  const auto here = fs::current_path();
  for (const auto& folder : written_runs()) {
    SCOPED_TRACE(folder.string());
    const TemporaryFolder copy;
    fs::copy(folder, copy.path(), fs::copy_options::recursive);
    fs::permissions(copy / ".sotto-key", fs::perms::owner_read | fs::perms::owner_write);
    fs::current_path(copy.path());
    TrainingObserver observer;
    const auto result = resume("interrupted", observer);
    fs::current_path(here);
    EXPECT_TRUE(runs::RunRecord::read(copy / "interrupted").contradictions().empty());
    EXPECT_EQ(result.steps, *runs::RunRecord::read(copy / "interrupted").ledger_steps());
  }
}

}  // namespace
}  // namespace sotto::train
