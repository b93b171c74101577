#include "data/checksum.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "core/sha256.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/gzip_bytes.h"
#include "tests/data/messages.h"
#include "tests/data/scoped_variable.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

TEST(Checksum, TheInstalledFashionMnistIsTheKnownOne) {
  const auto checks = check(DataSource::parse("fashion-mnist"));
  EXPECT_EQ(checks.size(), 4U);
  EXPECT_TRUE(all_ok(checks));
}

TEST(Checksum, EveryFileHasItsState) {
  const TemporaryFolder folder;
  const std::string sum = sha256_hex("content");
  write_file_atomically(folder / "plain", "content");
  write_file_atomically(folder / "packed.gz", gzip("content"));
  write_file_atomically(folder / "other", "contents");
  write_file_atomically(folder / "broken", gzip("content").substr(0, 12));
  const auto checks = check_files(
      folder.path(),
      {{"plain", sum}, {"packed", sum}, {"other", sum}, {"broken", sum}, {"none", sum}});
  ASSERT_EQ(checks.size(), 5U);
  EXPECT_EQ(checks[0].state, FileState::kOk);
  EXPECT_EQ(checks[1].state, FileState::kOk);
  EXPECT_EQ(checks[2].state, FileState::kDiffers);
  EXPECT_EQ(checks[3].state, FileState::kDiffers);
  EXPECT_EQ(checks[4].state, FileState::kMissing);
  EXPECT_EQ(checks[4].name, "none");
  EXPECT_FALSE(all_ok(checks));
}

TEST(Checksum, AMissingFolderMissesAllItsFiles) {
  const TemporaryFolder home;
  const ScopedVariable variable("SOTTO_DATA", home.path().string());
  for (const auto& file : check(DataSource::parse("cifar10"))) {
    EXPECT_EQ(file.state, FileState::kMissing);
  }
}

TEST(Checksum, OthersHaveNone) {
  EXPECT_THAT(message_of([] { check(DataSource::parse("digits")); }),
              HasSubstr("known only for fashion-mnist, mnist and cifar10"));
}

}  // namespace
}  // namespace sotto::data
