// A folder with one ledger in it, and ways to damage it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"

namespace sotto {

class LedgerTest : public ::testing::Test {
 protected:
  void overwrite(std::string_view bytes) const {
    std::filesystem::remove(path_);  // ext4 writes a file to disk that is cut to nothing and closed
    std::ofstream(path_, std::ios::binary) << bytes;
  }

  std::vector<std::string> file_lines() const {
    std::vector<std::string> lines;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  void overwrite_lines(const std::vector<std::string>& lines) const {
    std::string bytes;
    for (const auto& line : lines) bytes += line + "\n";
    overwrite(bytes);
  }

  // Header, four steps in three charges, an event and a note: six lines.
  void write_small_ledger() const {
    Ledger ledger = Ledger::create(path_, plan_);
    ledger.charge_step();
    ledger.charge_event("histogram", {{"epsilon", 0.5}});
    ledger.note("paused");
    ledger.charge_steps(2);
    ledger.charge_step();
  }

  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "ledger.jsonl";
  const nlohmann::json plan_ = {{"clip", 1.0}, {"noise", {{"multiplier", 1.1}, {"seed", nullptr}}}};
};

// The message of the Error that `action` must throw; empty, and a failed test, if it does not.
template <typename Error>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "more than one line";
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

// Reading the file is refused with a message that has the parts, the path among them.
inline void expect_refused(const std::filesystem::path& path,
                           const std::vector<std::string>& parts) {
  const auto message = message_of<InvalidArgument>([&] { Ledger::read(path); });
  EXPECT_NE(message.find(path.string()), std::string::npos) << message;
  for (const auto& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << message << " has no " << part;
  }
}

}  // namespace sotto
