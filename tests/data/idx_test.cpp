#include "data/idx.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/gzip_bytes.h"
#include "tests/data/idx_bytes.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kTwoImages = idx_bytes({2, 1, 3}, std::string("\x00\x33\xff\x66\x00\x99", 6));
const std::string kTwoLabels = idx_bytes({2}, std::string("\x01\x00", 2));

void write_folder(const TemporaryFolder& folder) {
  write_file_atomically(folder / "train-images-idx3-ubyte", kTwoImages);
  write_file_atomically(folder / "train-labels-idx1-ubyte.gz", gzip(kTwoLabels));
  write_file_atomically(folder / "t10k-images.idx3-ubyte", kTwoImages);
  write_file_atomically(folder / "t10k-labels.idx1-ubyte.gz", gzip(kTwoLabels));
}

TEST(Idx, ReadsAFolderInEverySpelling) {
  const TemporaryFolder folder;
  write_folder(folder);
  const auto data = read_idx_folder(folder.path());
  EXPECT_THAT(data.train.shape, ElementsAre(1, 1, 3));
  EXPECT_THAT(data.train.features,
              ElementsAre(0.0F, 51 / 255.0F, 1.0F, 102 / 255.0F, 0.0F, 153 / 255.0F));
  EXPECT_THAT(data.test.labels, ElementsAre(1, 0));
  EXPECT_THAT(data.train.class_names, ElementsAre("0", "1"));
  EXPECT_EQ(read_idx_folder(folder.path(), 10).test.class_names.size(), 10U);
}

TEST(Idx, ReadsColourImages) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "images", idx_bytes({1, 3, 1, 2}, "abcdef"));
  write_file_atomically(folder / "labels", idx_bytes({1}, std::string(1, '\2')));
  const auto data = read_idx_pair(folder / "images", folder / "labels", 0);
  EXPECT_THAT(data.shape, ElementsAre(3, 1, 2));
  EXPECT_EQ(data.class_names.size(), 3U);
}

TEST(Idx, FashionMnistIsWhatItIs) {
  const auto data = read_idx_folder("/usr/share/datasets/fashion-mnist", 10);
  EXPECT_EQ(data.train.size(), 60'000);
  EXPECT_EQ(data.test.size(), 10'000);
  EXPECT_THAT(data.train.shape, ElementsAre(1, 28, 28));
  EXPECT_EQ(data.train.labels[0], 9);  // the ankle boot
  EXPECT_EQ(std::count(data.train.labels.begin(), data.train.labels.end(), 3), 6'000);
}

TEST(Idx, WrongMagicNumbers) {
  const std::string text = "not an IDX file at all";
  EXPECT_THAT(message_of([&] { parse_idx(text, "a.txt"); }),
              AllOf(HasSubstr("a.txt: magic number 1852797984"), HasSubstr("2051")));
  std::string floats = kTwoImages;
  floats[2] = '\x0d';
  EXPECT_THAT(message_of([&] { parse_idx(floats, "f"); }), HasSubstr("magic number 3331"));
  EXPECT_THAT(message_of([&] { parse_idx(idx_bytes({1, 1}, "a"), "f"); }), HasSubstr("2050"));
  EXPECT_THAT(message_of([] { parse_idx("abc", "f"); }), HasSubstr("f: 3 bytes are too few"));
}

TEST(Idx, HeadersThatPromiseMoreOrLess) {
  EXPECT_THAT(message_of([&] { parse_idx(kTwoImages.substr(0, 9), "cut"); }),
              HasSubstr("cut: 9 bytes, the header alone has 16"));
  EXPECT_THAT(message_of([&] { parse_idx(kTwoImages.substr(0, 21), "cut"); }),
              HasSubstr("cut: 5 bytes after the header, which promises 6"));
  EXPECT_THAT(message_of([&] { parse_idx(kTwoImages + "x", "long"); }),
              HasSubstr("long: 7 bytes after the header, which promises 6"));
  EXPECT_THAT(message_of([&] {
                parse_idx(idx_bytes({3, 0, 2}, ""), "zero");
              }),
              HasSubstr("zero: extent 2 is 0"));
}

TEST(Idx, ExtentsWhoseProductOverflows) {
  // 2^32 - 1 four times, and a product that is 2^64 = 0 modulo 2^64.
  EXPECT_THAT(message_of([&] {
                parse_idx(idx_bytes({~0U, ~0U, ~0U, ~0U}, ""), "huge");
              }),
              HasSubstr("huge: the header promises more than 2147483648 bytes"));
  const std::uint32_t half = 1U << 31U;
  EXPECT_THAT(message_of([&] {
                parse_idx(idx_bytes({half, half, 4}, ""), "wrap");
              }),
              HasSubstr("wrap: the header promises more than"));
}

TEST(Idx, ImagesAndLabelsMustFit) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "images", kTwoImages);
  write_file_atomically(folder / "labels", idx_bytes({3}, "abc"));
  EXPECT_THAT(message_of([&] { read_idx_pair(folder / "images", folder / "labels", 0); }),
              AllOf(HasSubstr("labels: 3 labels for 2 images in "), HasSubstr("images")));
  EXPECT_THAT(message_of([&] { read_idx_pair(folder / "labels", folder / "labels", 0); }),
              HasSubstr("labels: rank 1, images must have rank 3 or 4"));
  EXPECT_THAT(message_of([&] { read_idx_pair(folder / "images", folder / "images", 0); }),
              HasSubstr("images: rank 3, labels must have rank 1"));
  write_file_atomically(folder / "labels", kTwoLabels);
  EXPECT_THAT(message_of([&] { read_idx_pair(folder / "images", folder / "labels", 1); }),
              HasSubstr("labels: sample 0 has label 1, must be in [0, 1)"));
}

TEST(Idx, AMissingFileIsCalledByAllItsNames) {
  const TemporaryFolder folder;
  write_folder(folder);
  std::filesystem::remove(folder / "t10k-images.idx3-ubyte");
  EXPECT_THAT(message_of([&] { read_idx_folder(folder.path()); }),
              AllOf(HasSubstr(folder.path().string()),
                    HasSubstr("t10k-images-idx3-ubyte, t10k-images-idx3-ubyte.gz, "
                              "t10k-images.idx3-ubyte, t10k-images.idx3-ubyte.gz")));
}

// They would be evaluated without noise.
TEST(Idx, TestFilesMustNotBeTrainingFiles) {
  for (const std::string part : {"images-idx3-ubyte", "labels-idx1-ubyte"}) {
    const TemporaryFolder folder;
    write_folder(folder);
    const auto train = find_idx_file(folder.path(), "train-" + part);
    const auto test = find_idx_file(folder.path(), "t10k-" + part);
    std::filesystem::remove(test);
    std::filesystem::create_hard_link(train, test);
    EXPECT_THAT(message_of([&] { read_idx_folder(folder.path()); }),
                HasSubstr("is a training file"));
    std::filesystem::remove(test);
    std::filesystem::create_symlink(train, test);
    EXPECT_THAT(message_of([&] { read_idx_folder(folder.path()); }),
                HasSubstr("is a training file"));
  }
}

TEST(Idx, TrainAndTestMustHaveOneShape) {
  const TemporaryFolder folder;
  write_folder(folder);
  write_file_atomically(folder / "t10k-images.idx3-ubyte", idx_bytes({2, 3, 1}, "abcdef"));
  EXPECT_THAT(message_of([&] { read_idx_folder(folder.path()); }),
              HasSubstr("shape (1,1,3) and test samples of shape (1,3,1) must agree"));
}

}  // namespace
}  // namespace sotto::data
