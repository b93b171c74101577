#include "sotto/data/image_folder.h"

#include <gtest/gtest.h>

#include "sotto/core/atomic_file.h"
#include "sotto/data/png_image.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/jpeg_bytes.h"
#include "tests/data/messages.h"
#include "tests/data/test_images.h"

namespace sotto::data {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

void put(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  write_file_atomically(path, bytes);
}

const std::string kRed = encode_png(plain_image(6, 4, std::string("\xff\x00\x00", 3)));
const std::string kWhitePhoto = encode_jpeg(plain_image(40, 40, "\xff"));

void put_parts(const TemporaryFolder& folder) {
  put(folder / "train/cat/a.png", kRed);
  put(folder / "train/bird/a.JPG", kWhitePhoto);
  put(folder / "train/bird/b.jpeg", kWhitePhoto);
  put(folder / "train/bird/notes.txt", "passed over");
  put(folder / "train/bird/.hidden.png", "passed over");
  put(folder / "test/cat/z.png", kRed);
}

TEST(ImageFolder, TrainAndTestFolders) {
  const TemporaryFolder folder;
  put_parts(folder);
  const auto data = read_image_folder(folder.path(), {2, 3, 3});
  EXPECT_THAT(data.train.class_names, ElementsAre("bird", "cat"));
  EXPECT_THAT(data.train.shape, ElementsAre(3, 2, 3));
  EXPECT_THAT(data.train.labels, ElementsAre(0, 0, 1));
  EXPECT_THAT(data.test.labels, ElementsAre(1));
  EXPECT_THAT(data.test.features,
              ElementsAre(1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  const auto grey = read_image_folder(folder.path(), {5, 5, 1});
  EXPECT_EQ(grey.train.features.size(), 75U);
  EXPECT_THAT(std::vector<float>(grey.train.features.begin(), grey.train.features.begin() + 50),
              Each(1.0F));
}

TEST(ImageFolder, OneFolderIsSplitByTheFilesNames) {
  const TemporaryFolder folder;
  for (int i = 0; i < 30; ++i) {
    put(folder / ("cat/" + std::to_string(i) + ".png"), kRed);
    put(folder / ("dog/" + std::to_string(i) + ".png"), kRed);
  }
  const auto all = read_image_folder(folder.path(), {1, 1, 1});
  EXPECT_EQ(all.train.size() + all.test.size(), 60);
  EXPECT_NEAR(all.test.size(), 10, 9);
  // One file less changes nothing else.
  std::filesystem::remove(folder / "cat/0.png");
  const auto fewer = read_image_folder(folder.path(), {1, 1, 1});
  EXPECT_EQ(std::abs(all.test.size() - fewer.test.size()) +
                std::abs(all.train.size() - fewer.train.size()),
            1);
}

TEST(ImageFolder, UnreadableFilesAreNamed) {
  const TemporaryFolder folder;
  put_parts(folder);
  put(folder / "train/cat/b.png", "no picture");
  EXPECT_EQ(message_of([&] { read_image_folder(folder.path()); }),
            (folder / "train/cat/b.png").string() + ": neither a PNG nor a JPEG file");
  put(folder / "train/cat/b.png", kRed.substr(0, 45));
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path()); }),
              HasSubstr((folder / "train/cat/b.png").string() + ": not a readable PNG file"));
}

TEST(ImageFolder, WrongLayoutsAreNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { read_image_folder(folder / "none"); }),
              HasSubstr("none: no such folder of classes"));
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path()); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("no folders")));
  put_parts(folder);
  std::filesystem::create_directory(folder / "train/dog");
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path()); }),
              HasSubstr("train/dog: no images, must hold .png, .jpg or .jpeg files"));
  std::filesystem::remove(folder / "train/dog");
  put(folder / "test/horse/a.png", kRed);
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path()); }),
              HasSubstr("test/horse: a class that has no training folder"));
  std::filesystem::remove_all(folder / "test");
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path()); }),
              HasSubstr("test: no such folder of classes"));
  EXPECT_THAT(message_of([&] {
                read_image_folder(folder.path(), {0, 1, 1});
              }),
              HasSubstr("1 x 0 pixels asked for"));
  EXPECT_THAT(message_of([&] {
                read_image_folder(folder.path(), {1, 1, 2});
              }),
              HasSubstr("2 channels asked for"));
}

}  // namespace
}  // namespace sotto::data
