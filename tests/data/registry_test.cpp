#include "data/registry.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "data/png_image.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/idx_bytes.h"
#include "tests/data/messages.h"
#include "tests/data/scoped_variable.h"
#include "tests/data/test_images.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

TEST(Registry, FashionMnist) {
  const auto data = load(DataSource::parse("fashion-mnist"));
  EXPECT_EQ(data.name, "fashion-mnist");
  EXPECT_EQ(data.train.size(), 60'000);
  EXPECT_EQ(data.train.class_names[9], "Ankle boot");
  EXPECT_NO_THROW(data.validate());
}

TEST(Registry, Digits) {
  LoadOptions options;
  options.digits = {12, 6, 1};
  EXPECT_EQ(load(DataSource::parse("digits"), options).train.size(), 12);
}

TEST(Registry, IdxAndKnownSetsOfThatFormat) {
  const TemporaryFolder home;
  const ScopedVariable variable("SOTTO_DATA", home.path().string());
  std::filesystem::create_directory(home / "mnist");
  for (const std::string part : {"train", "t10k"}) {
    write_file_atomically(home / "mnist" / (part + "-images-idx3-ubyte"),
                          idx_bytes({1, 1, 1}, "a"));
    write_file_atomically(home / "mnist" / (part + "-labels-idx1-ubyte"),
                          idx_bytes({1}, std::string(1, '\4')));
  }
  EXPECT_EQ(load(DataSource::parse("mnist")).train.class_names.size(), 10U);
  const auto source = DataSource::parse("idx:" + (home / "mnist").string());
  EXPECT_EQ(load(source).train.class_names.size(), 5U);
  LoadOptions options;
  options.idx_class_count = 7;
  EXPECT_EQ(load(source, options).train.class_names.size(), 7U);
}

TEST(Registry, Csv) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "t.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n5,a\n6,a\n");
  write_file_atomically(folder / "s.json",
                        R"({"label":"y","classes":["a","b"],"columns":{"x":{"low":0,"high":9}}})");
  const auto source = DataSource::parse("csv:" + (folder / "t.csv").string());
  LoadOptions options;
  EXPECT_THAT(message_of([&] { load(source, options); }), HasSubstr("t.csv: needs a schema"));
  options.csv_schema = folder / "s.json";
  EXPECT_EQ(load(source, options).train.size(), 4);
  options.held_out = HeldOut::kNothing;
  EXPECT_EQ(load(source, options).train.size(), 6);
  options.csv_test = folder / "t.csv";
  EXPECT_EQ(load(source, options).train.size(), 6);
}

TEST(Registry, Images) {
  const TemporaryFolder folder;
  for (const std::string part : {"train", "test"}) {
    std::filesystem::create_directories(folder / part / "cat");
    write_file_atomically(folder / part / "cat" / "a.png", encode_png(plain_image(3, 3, "a")));
  }
  LoadOptions options;
  options.images.class_names = {"cat", "dog"};
  const auto data = load(DataSource::parse("images:" + folder.path().string()), options);
  EXPECT_EQ(data.test.features.size(), 3U * 32 * 32);
}

TEST(Registry, WhatIsMissingIsToldHowToGet) {
  const TemporaryFolder home;
  const ScopedVariable variable("SOTTO_DATA", home.path().string());
  EXPECT_EQ(message_of([] { load(DataSource::parse("mnist")); }),
            "mnist: not in " + (home / "mnist").string() + "; run: sotto data get mnist");
  EXPECT_EQ(message_of([] { load(DataSource::parse("cifar10")); }),
            "cifar10: not in " + (home / "cifar10").string() + "; run: sotto data get cifar10");
}

}  // namespace
}  // namespace sotto::data
