#include "runs/metrics_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/atomic_file.h"
#include "tests/core/temporary_folder.h"

namespace sotto::runs {
namespace {

class MetricsFileTest : public testing::Test {
 protected:
  // The file after one line is added to `before`.
  std::string after(const std::string& before) const {
    std::ofstream(path, std::ios::binary) << before;
    append_json_line(path, {{"epoch", 2}});
    return read_file(path);
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "metrics.jsonl";
};

TEST_F(MetricsFileTest, MakesTheFileAndAddsLines) {
  append_json_line(path, {{"epoch", 1}});
  append_json_line(path, {{"epoch", 2}});
  EXPECT_EQ(read_file(path), "{\"epoch\":1}\n{\"epoch\":2}\n");
}

// A full disk, or a kill, in the middle of a line.
TEST_F(MetricsFileTest, CutsOffATornLine) {
  const std::string whole = "{\"epoch\":1}\n";
  const std::string torn = "{\"epoch\":2,\"train_loss\":0.5}";
  for (std::size_t size = 1; size < torn.size(); ++size) {
    EXPECT_EQ(after(whole + torn.substr(0, size)), whole + "{\"epoch\":2}\n");
  }
  EXPECT_EQ(after("{\"epo"), "{\"epoch\":2}\n");
  EXPECT_EQ(after(whole + std::string(5, '\0')), whole + "{\"epoch\":2}\n");
}

TEST_F(MetricsFileTest, EndsALineThatLacksOnlyItsNewline) {
  EXPECT_EQ(after("{\"epoch\":1}"), "{\"epoch\":1}\n{\"epoch\":2}\n");
}

// A run that goes on from before them.
TEST_F(MetricsFileTest, TakesThePlaceOfLinesThatAreRepeated) {
  EXPECT_EQ(after("{\"epoch\":1}\n{\"epoch\":2,\"old\":1}\n{\"epoch\":3}\n"),
            "{\"epoch\":1}\n{\"epoch\":2}\n");
  append_json_line(path, {{"epoch", 3}});
  EXPECT_EQ(last_epoch_of(path), 3);
  write_file_atomically(path, "{\"step\":10}\n{\"step\":20}\n");
  append_json_line(path, {{"step", 10}});
  EXPECT_EQ(read_file(path), "{\"step\":10}\n");
  EXPECT_EQ(last_epoch_of(path), 0);
}

TEST_F(MetricsFileTest, WhatCannotBeWrittenIsAnError) {
  EXPECT_THROW(append_json_line(path / "below" / "nothing", {{"epoch", 1}}), FileError);
}

}  // namespace
}  // namespace sotto::runs
