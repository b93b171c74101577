#include "data/gzip.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/gzip_bytes.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

std::string some_content() {
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += std::to_string(i * 7919 % 10'007);
  return content;
}

TEST(Gzip, InflatesWhatWasCompressed) {
  const std::string content = some_content();
  EXPECT_EQ(inflate_gzip(gzip(content), "x"), content);
  EXPECT_EQ(inflate_gzip(gzip(""), "x"), "");
  EXPECT_EQ(inflate_gzip(gzip(std::string(3'000'000, 'a')), "x"), std::string(3'000'000, 'a'));
}

TEST(Gzip, InflatesSeveralMembers) {
  EXPECT_EQ(inflate_gzip(gzip("one ") + gzip("two"), "x"), "one two");
}

TEST(Gzip, FilesMayBeCompressedOrNot) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "plain", "text");
  write_file_atomically(folder / "packed", gzip("text"));
  EXPECT_EQ(read_inflated(folder / "plain"), "text");
  EXPECT_EQ(read_inflated(folder / "packed"), "text");
  EXPECT_THROW(read_inflated(folder / "none"), FileError);
}

TEST(Gzip, EveryTruncationIsAnErrorThatNamesTheFile) {
  const std::string packed = gzip("a short text, a short text, a short text");
  for (std::size_t size = 2; size < packed.size(); ++size) {
    EXPECT_THAT(message_of([&] { inflate_gzip(packed.substr(0, size), "cut.gz"); }),
                HasSubstr("cut.gz: gzip data cut short"));
  }
}

TEST(Gzip, CorruptionIsAnError) {
  std::string packed = gzip(some_content());
  packed[packed.size() / 2] ^= 0x55;
  EXPECT_THAT(message_of([&] { inflate_gzip(packed, "bad.gz"); }),
              HasSubstr("bad.gz: corrupt gzip data"));
  std::string wrong_sum = gzip("text");
  wrong_sum[wrong_sum.size() - 6] ^= 1;
  EXPECT_THAT(message_of([&] { inflate_gzip(wrong_sum, "sum.gz"); }),
              HasSubstr("sum.gz: corrupt gzip data"));
}

TEST(Gzip, TrailingBytesAreAnError) {
  EXPECT_THAT(message_of([&] { inflate_gzip(gzip("text") + "more", "tail.gz"); }),
              HasSubstr("tail.gz: 4 bytes after the end of the gzip data"));
}

TEST(Gzip, ContentAboveTheLimitIsRefused) {
  const std::string bomb = gzip(std::string(10'000'000, '\0'));
  EXPECT_LT(bomb.size(), 20'000U);
  EXPECT_THAT(message_of([&] { inflate_gzip(bomb, "bomb.gz", 9'999'999); }),
              HasSubstr("bomb.gz: inflates to more than 9999999 bytes"));
  EXPECT_EQ(inflate_gzip(bomb, "bomb.gz", 10'000'000).size(), 10'000'000U);
  const TemporaryFolder folder;
  write_file_atomically(folder / "plain", "text");
  EXPECT_THAT(message_of([&] { read_inflated(folder / "plain", 3); }),
              HasSubstr("plain: 4 bytes, must be at most 3"));
}

}  // namespace
}  // namespace sotto::data
