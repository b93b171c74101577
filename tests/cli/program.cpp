#include "tests/cli/program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sotto::cli {

namespace {

// A file that is gone when the test is.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string name = (std::filesystem::temp_directory_path() / "sotto-test-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    EXPECT_GE(descriptor, 0);
    close(descriptor);
    path_ = name;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.string(); }
  std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

nlohmann::json Outcome::json() const {
  const auto parsed = nlohmann::json::parse(out, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(parsed.is_object()) << "not one JSON object: " << out;
  return parsed;
}

Outcome run_program(const std::string& arguments) {
  return run_program_at(SOTTO_PROGRAM, arguments);
}

Outcome run_program_at(const std::string& program, const std::string& arguments) {
  const TemporaryFile out;
  const TemporaryFile err;
  const std::string command = program + " " + arguments + " >" + out.path() + " 2>" + err.path();
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out.content(), err.content()};
}

void expect_refused(const std::string& arguments, const std::string& words) {
  const auto outcome = run_program(arguments);
  EXPECT_EQ(outcome.status, 2) << arguments;
  EXPECT_NE(outcome.err.find(words), std::string::npos) << arguments << ": " << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.out.empty()) << outcome.out;
}

}  // namespace sotto::cli
