// A finished run knows its settings and models again.
#include "runs/file_hashes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "runs/run_record.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/runs/run_files.h"

namespace sotto::runs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FileHashes : public testing::Test {
 protected:
  FileHashes() {
    write_run(folder.path());
    write_file_atomically(folder / "model.pt", "a model");
    record_files(folder.path());
  }

  TemporaryFolder folder;
};

TEST_F(FileHashes, WhatWasWrittenIsKnownAgain) {
  EXPECT_THAT(altered_files(folder.path()), IsEmpty());
  EXPECT_NO_THROW(require_unaltered(folder.path(), {"config.json", "model.pt", "else.txt"}));
  EXPECT_THAT(RunRecord::read(folder.path()).altered(), IsEmpty());
}

TEST_F(FileHashes, AnEditIsNoticed) {
  write_file_atomically(folder / "model.pt", "b model");
  EXPECT_THAT(altered_files(folder.path()), ElementsAre(HasSubstr("model.pt")));
  EXPECT_THROW(require_unaltered(folder.path(), {"model.pt"}), InvalidArgument);
  EXPECT_NO_THROW(require_unaltered(folder.path(), {"config.json"}));
  EXPECT_THAT(RunRecord::read(folder.path()).altered(), ElementsAre(HasSubstr("model.pt")));
  EXPECT_THAT(RunRecord::read(folder.path()).contradictions(), IsEmpty());
}

// The model alone may be given away.
TEST_F(FileHashes, WhatIsNotThereIsNotAltered) {
  std::filesystem::remove(folder / "model.pt");
  EXPECT_THAT(altered_files(folder.path()), IsEmpty());
}

TEST_F(FileHashes, EarlierRunsRecordedNothing) {
  std::filesystem::remove(folder / kFileHashes);
  write_file_atomically(folder / "model.pt", "b model");
  EXPECT_THAT(altered_files(folder.path()), IsEmpty());
}

TEST_F(FileHashes, ALostRecordIsNoticed) {
  edit_json(folder / "privacy.json",
            [](nlohmann::json& privacy) { privacy["files"] = kFileHashes; });
  std::filesystem::remove(folder / kFileHashes);
  EXPECT_THAT(altered_files(folder.path()), ElementsAre(HasSubstr("missing")));
  EXPECT_THROW(require_unaltered(folder.path(), {"model.pt"}), InvalidArgument);
}

TEST_F(FileHashes, ADamagedRecordIsNamed) {
  write_file_atomically(folder / kFileHashes, "[]");
  EXPECT_THROW(altered_files(folder.path()), InvalidArgument);
}

}  // namespace
}  // namespace sotto::runs
