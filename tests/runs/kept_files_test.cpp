#include "runs/kept_files.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "core/same_place.h"
#include "runs/irreplaceable_files.h"
#include "tests/core/temporary_folder.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;

class KeptFilesTest : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text = "text") const {
    fs::create_directories((folder / name).parent_path());
    write_file_atomically(folder / name, text);
    return folder / name;
  }
  TemporaryFolder folder;
};

TEST_F(KeptFilesTest, AnInputMayBeNamedInManyWays) {
  const auto file = write("a.csv");
  const auto other = write("b.csv");
  for (const std::string before : {"", "csv:", "zip=", "@names,"}) {
    const auto input = before + file.string();
    EXPECT_EQ(reason_not_to_write(input, InputKind::kText, file), "is read as well") << input;
    EXPECT_EQ(reason_not_to_write(input, InputKind::kText, other), "") << input;
  }
}

TEST_F(KeptFilesTest, WhatIsMadeIsReadEvenBeforeItIsThere) {
  const auto file = folder / "secret.txt";
  EXPECT_EQ(reason_not_to_write(file.string(), InputKind::kMade, file), "is read as well");
  EXPECT_EQ(reason_not_to_write(file.string(), InputKind::kText, file), "");
}

TEST_F(KeptFilesTest, ARunKeepsItsFilesAndItsData) {
  const auto table = write("table.csv");
  write("run/config.json", R"({"dataset":"csv:)" + table.string() + R"("})");
  const auto run = (folder / "run").string();
  EXPECT_EQ(reason_to_keep(run, folder / "run/model.pt"), "is a file of the run");
  EXPECT_NE(reason_to_keep(run, table), "");
  EXPECT_EQ(reason_to_keep(run, folder / "run/report.html"), "");
  EXPECT_EQ(reason_to_keep(run, folder / "other.csv"), "");
}

TEST_F(KeptFilesTest, ASecretIsNeverReplaced) {
  std::string text(65, 'a');
  text.back() = '\n';
  EXPECT_EQ(reason_never_to_replace(write("s.txt", text)), "is a key or a secret");
  EXPECT_EQ(reason_never_to_replace(write("t.txt", text.substr(1))), "");
}

TEST_F(KeptFilesTest, PlacesAreTheSameByAnyLink) {
  const auto file = write("a.csv");
  fs::create_symlink(file, folder / "link.csv");
  EXPECT_TRUE(is_same_place(file, folder / "link.csv"));
  EXPECT_TRUE(is_same_place(folder / "new", folder / "x/../new"));
  EXPECT_FALSE(is_same_place(file, folder / "b.csv"));
}

}  // namespace
}  // namespace sotto::runs
