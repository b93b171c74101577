#include "tests/cli/published.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "core/atomic_file.h"

namespace sotto::cli {

namespace fs = std::filesystem;

Published run_and_keep(const std::string& arguments, const fs::path& folder,
                       const std::string& kept_as) {
  const auto run = folder / "run";
  Published published{run_program(arguments + " --output " + run.string()), folder / kept_as};
  EXPECT_EQ(published.outcome.status, 0) << published.outcome.err;
  if (fs::exists(run)) fs::rename(run, published.folder);
  return published;
}

std::set<std::string> file_names(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

std::string without_numbers(const std::string& text) {
  static const std::regex number(R"(-?[0-9][0-9.]*(e-?[0-9]+)?)");
  return std::regex_replace(text, number, "#");
}

std::string without_identity(const std::string& text) {
  static const std::regex identity(
      R"re("(created|id)":"[^"]*"|"(ledger_)?hash": ?"[0-9a-f]*"|ledger hash \| [0-9a-f]*)re"
      R"re(|"data_identity": ?"[^"]*"|"config.json": ?"[0-9a-f]{64}")re");
  return std::regex_replace(text, identity, "");
}

std::string page_without_times(const fs::path& folder) {
  static const std::regex hash("[0-9a-f]{64}");
  const auto page = read_file(folder / "report.html");
  const auto begin = page.find("Where the time went");
  const auto end = page.find("</section>", begin);
  EXPECT_NE(begin, std::string::npos);
  return without_numbers(
      std::regex_replace(page.substr(0, begin) + page.substr(end), hash, "hash"));
}

nlohmann::json metrics_without_times(const Published& run) {
  auto lines = nlohmann::json::array();
  std::istringstream text(read_file(run.folder / "metrics.jsonl"));
  for (std::string line; std::getline(text, line);) {
    lines.push_back(nlohmann::json::parse(line));
    lines.back().erase("seconds");
  }
  return lines;
}

void expect_same_file(const Published& a, const Published& b, const std::string& name) {
  EXPECT_TRUE(without_identity(read_file(a.folder / name)) ==
              without_identity(read_file(b.folder / name)))
      << name;
}

void expect_same_words(const Published& a, const Published& b, const std::string& name) {
  EXPECT_EQ(without_numbers(without_identity(read_file(a.folder / name))),
            without_numbers(without_identity(read_file(b.folder / name))))
      << name;
}

}  // namespace sotto::cli
