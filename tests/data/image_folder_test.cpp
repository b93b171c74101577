#include "data/image_folder.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "data/png_image.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/jpeg_bytes.h"
#include "tests/data/messages.h"
#include "tests/data/test_images.h"

namespace sotto::data {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

void put(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  write_file_atomically(path, bytes);
}

const std::string kRed = encode_png(plain_image(6, 4, std::string("\xff\x00\x00", 3)));
const ImageOptions kPets{32, 32, 3, {"bird", "cat"}};
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
  const auto data = read_image_folder(folder.path(), {2, 3, 3, {"bird", "cat"}});
  EXPECT_THAT(data.train.class_names, ElementsAre("bird", "cat"));
  EXPECT_EQ(data.test_part, TestPart::kPublic);
  EXPECT_THAT(data.train.shape, ElementsAre(3, 2, 3));
  EXPECT_THAT(data.train.labels, ElementsAre(0, 0, 1));
  EXPECT_THAT(data.test.labels, ElementsAre(1));
  EXPECT_THAT(data.test.features,
              ElementsAre(1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  const auto grey = read_image_folder(folder.path(), {5, 5, 1, {"bird", "cat"}});
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
  const auto all = read_image_folder(folder.path(), {1, 1, 1, {"cat", "dog"}});
  EXPECT_EQ(all.train.size() + all.test.size(), 60);
  EXPECT_NEAR(all.test.size(), 10, 9);
  EXPECT_EQ(all.test_part, TestPart::kHeldOut);
  EXPECT_EQ(
      read_image_folder(folder.path(), {1, 1, 1, {"cat", "dog"}}, HeldOut::kNothing).train.size(),
      60);
  // One file less changes nothing else.
  std::filesystem::remove(folder / "cat/0.png");
  const auto fewer = read_image_folder(folder.path(), {1, 1, 1, {"cat", "dog"}});
  EXPECT_EQ(std::abs(all.test.size() - fewer.test.size()) +
                std::abs(all.train.size() - fewer.train.size()),
            1);
}

TEST(ImageFolder, UnreadableFilesAreNamed) {
  const TemporaryFolder folder;
  put_parts(folder);
  put(folder / "train/cat/b.png", "no picture");
  EXPECT_EQ(message_of([&] { read_image_folder(folder.path(), kPets); }),
            (folder / "train/cat/b.png").string() + ": neither a PNG nor a JPEG file");
  put(folder / "train/cat/b.png", kRed.substr(0, 45));
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path(), kPets); }),
              HasSubstr((folder / "train/cat/b.png").string() + ": not a readable PNG file"));
}

TEST(ImageFolder, WrongLayoutsAreNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { read_image_folder(folder / "none", kPets); }),
              HasSubstr("none: no such folder of classes"));
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path(), kPets); }),
              HasSubstr("the training part holds no samples"));
  put_parts(folder);
  put(folder / "test/horse/a.png", kRed);
  EXPECT_EQ(message_of([&] { read_image_folder(folder.path(), kPets); }),
            (folder / "test/horse").string() + ": a folder that class_names does not list");
  std::filesystem::remove_all(folder / "test");
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path(), kPets); }),
              HasSubstr("test: no such folder of classes"));
  std::filesystem::create_directory_symlink(folder / "train", folder / "test");
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path(), kPets); }),
              HasSubstr("train and test have a file in common"));
  std::filesystem::remove(folder / "test");
  std::filesystem::create_directories(folder / "test/cat");
  const auto picture = std::filesystem::directory_iterator(folder / "train/cat")->path();
  std::filesystem::create_hard_link(picture, folder / "test/cat/other.png");
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path(), kPets); }),
              HasSubstr("train and test have a file in common"));
  std::filesystem::remove_all(folder / "test");
  std::filesystem::create_directory(folder / "test");
  std::filesystem::create_directory_symlink(folder / "train/cat", folder / "test/cat");
  EXPECT_THAT(message_of([&] { read_image_folder(folder.path(), kPets); }),
              HasSubstr("train and test have a file in common"));
  EXPECT_THAT(message_of([&] {
                read_image_folder(folder.path(), {0, 1, 1, {"bird", "cat"}});
              }),
              HasSubstr("1 x 0 pixels asked for"));
  EXPECT_THAT(message_of([&] {
                read_image_folder(folder.path(), {1, 1, 2, {"bird", "cat"}});
              }),
              HasSubstr("2 channels asked for"));
}

TEST(ImageFolder, ClassesAreWhatIsDeclaredWhateverTheFoldersHold) {
  const TemporaryFolder folder;
  for (int i = 0; i < 30; ++i) put(folder / ("cat/" + std::to_string(i) + ".png"), kRed);
  put(folder / "rare/only.png", kRed);
  const ImageOptions options{1, 1, 1, {"rare", "cat", "never"}};
  const auto with = read_image_folder(folder.path(), options);
  std::filesystem::remove(folder / "rare/only.png");
  const auto empty = read_image_folder(folder.path(), options);
  std::filesystem::remove(folder / "rare");
  const auto missing = read_image_folder(folder.path(), options);
  for (const auto* data : {&with, &empty, &missing}) {
    EXPECT_THAT(data->train.class_names, ElementsAre("rare", "cat", "never"));
  }
  EXPECT_EQ(empty.train.labels, missing.train.labels);
  EXPECT_EQ(empty.test.labels, missing.test.labels);
  EXPECT_EQ(with.train.size() + with.test.size(), missing.train.size() + missing.test.size() + 1);
}

TEST(ImageFolder, ClassNamesMustBeGivenAndMakeSense) {
  const TemporaryFolder folder;
  put_parts(folder);
  EXPECT_THAT(message_of([&] {
                read_image_folder(folder.path(), {1, 1, 1});
              }),
              HasSubstr("class_names must list the classes"));
  for (const auto& names : std::vector<std::vector<std::string>>{
           {"cat"}, {"cat", "cat"}, {"cat", ""}, {"cat", "a/b"}, {"cat", ".."}}) {
    EXPECT_THAT(message_of([&] { check_class_names(names); }), HasSubstr("class names: "));
  }
}

}  // namespace
}  // namespace sotto::data
