// What a run publishes, made comparable: noised numbers, times and identities taken out.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/cli/program.h"

namespace sotto::cli {

// What a run printed, and where its files are now.
struct Published {
  Outcome outcome;
  std::filesystem::path folder;
};

// `sotto ARGUMENTS --output FOLDER/run`, moved to FOLDER/kept_as afterwards: runs of equal
// arguments write equal paths. Fails the current test unless the status is 0.
Published run_and_keep(const std::string& arguments, const std::filesystem::path& folder,
                       const std::string& kept_as);

std::set<std::string> file_names(const std::filesystem::path& folder);

// Every number as "#".
std::string without_numbers(const std::string& text);

// Without a ledger's date and random id, every hash that depends on them, and the keyed hash of the
// data's content, which without the key beside the data is as good as random.
std::string without_identity(const std::string& text);

// report.html without numbers, hashes and the part about time, which is sorted by it.
std::string page_without_times(const std::filesystem::path& folder);

// A line of metrics.jsonl each.
nlohmann::json metrics_without_times(const Published& run);

// The file is the same in both, but for identities.
void expect_same_file(const Published& a, const Published& b, const std::string& name);
// But for identities and numbers.
void expect_same_words(const Published& a, const Published& b, const std::string& name);

}  // namespace sotto::cli
