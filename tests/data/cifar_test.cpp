#include "data/cifar.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "data/png_image.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/messages.h"
#include "tests/data/test_images.h"

namespace sotto::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string record(int label, const std::string& colour) {
  return static_cast<char>(label) + std::string(1024, colour[0]) + std::string(1024, colour[1]) +
         std::string(1024, colour[2]);
}

void write_batches(const TemporaryFolder& folder) {
  for (int i = 1; i <= 5; ++i) {
    write_file_atomically(folder / ("data_batch_" + std::to_string(i) + ".bin"),
                          record(i, "abc") + record(i + 1, "abc"));
  }
  write_file_atomically(folder / "test_batch.bin", record(9, "\xff\x01\x02"));
}

void write_sheets(const TemporaryFolder& folder) {
  for (int i = 1; i <= 5; ++i) {
    write_file_atomically(folder / ("data_batch_" + std::to_string(i) + ".png"),
                          encode_png(plain_image(2, 1024, "abc")));
  }
  write_file_atomically(folder / "test_batch.png",
                        encode_png(plain_image(1, 1024, "\xff\x01\x02")));
  write_file_atomically(folder / "train_lables.json", "[1,2,2,3,3,4,4,5,5,6]");
  write_file_atomically(folder / "test_lables.json", "[9]");
}

TEST(Cifar, BinaryBatches) {
  const TemporaryFolder folder;
  write_batches(folder);
  const auto data = read_cifar10_folder(folder.path());
  EXPECT_THAT(data.train.labels, ElementsAre(1, 2, 2, 3, 3, 4, 4, 5, 5, 6));
  EXPECT_THAT(data.test.shape, ElementsAre(3, 32, 32));
  EXPECT_EQ(data.test.class_names[9], "truck");
  EXPECT_EQ(data.test.features[0], 1.0F);
  EXPECT_EQ(data.test.features[1024], 1 / 255.0F);
  EXPECT_EQ(data.test.features[3071], 2 / 255.0F);
}

TEST(Cifar, SheetsHoldTheSameData) {
  const TemporaryFolder batches;
  const TemporaryFolder sheets;
  write_batches(batches);
  write_sheets(sheets);
  const auto expected = read_cifar10_folder(batches.path());
  const auto data = read_cifar10_folder(sheets.path());
  EXPECT_EQ(data.train.features, expected.train.features);
  EXPECT_EQ(data.train.labels, expected.train.labels);
  EXPECT_EQ(data.test.features, expected.test.features);
}

TEST(Cifar, BrokenBatchesAreNamed) {
  const TemporaryFolder folder;
  write_batches(folder);
  write_file_atomically(folder / "data_batch_3.bin", record(1, "abc").substr(1));
  EXPECT_EQ(
      message_of([&] { read_cifar10_folder(folder.path()); }),
      (folder / "data_batch_3.bin").string() + ": 3072 bytes, must be a positive multiple of 3073");
  write_file_atomically(folder / "data_batch_3.bin", record(1, "abc") + record(10, "abc"));
  EXPECT_THAT(message_of([&] { read_cifar10_folder(folder.path()); }),
              HasSubstr("data_batch_3.bin: record 1 has label 10, must be below 10"));
  std::filesystem::remove(folder / "data_batch_3.bin");
  EXPECT_THROW(read_cifar10_folder(folder.path()), FileError);
}

TEST(Cifar, BrokenSheetsAreNamed) {
  const TemporaryFolder folder;
  write_sheets(folder);
  const auto error = [&] { return message_of([&] { read_cifar10_folder(folder.path()); }); };
  write_file_atomically(folder / "train_lables.json", "[1,2,2]");
  EXPECT_THAT(error(), HasSubstr("train_lables.json: 3 labels are fewer than the images"));
  write_file_atomically(folder / "train_lables.json", "[1,2,2,3,3,4,4,5,5,6,6]");
  EXPECT_THAT(error(), HasSubstr("train_lables.json: 11 labels for 10 images"));
  write_file_atomically(folder / "train_lables.json", "[1,10]");
  EXPECT_THAT(error(), HasSubstr("train_lables.json: label 1 is '10', must be in [0, 10)"));
  write_file_atomically(folder / "train_lables.json", "{}");
  EXPECT_THAT(error(), HasSubstr("train_lables.json: must be a JSON array"));
  write_sheets(folder);
  write_file_atomically(folder / "data_batch_2.png", encode_png(plain_image(2, 1023, "abc")));
  EXPECT_THAT(error(), HasSubstr("data_batch_2.png: 1023 x 2 pixels, must be 1024 wide"));
}

TEST(Cifar, AnEmptyFolderIsToldWhatItShouldHold) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { read_cifar10_folder(folder.path()); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("data_batch_1.bin"),
                    HasSubstr("data_batch_1.png")));
}

}  // namespace
}  // namespace sotto::data
