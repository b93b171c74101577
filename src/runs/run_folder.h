// The folder of a run: its settings, its ledger, what it writes while it goes on and at its end.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runs/new_folder.h"
#include "runs/privacy_report.h"

namespace sotto::runs {

class RunFolder {
 public:
  // Makes the folder and writes the settings into config.json. Throws InvalidArgument if it exists
  // and is not empty, FileError if it cannot be made.
  static RunFolder create(const std::filesystem::path& path, const nlohmann::json& settings);
  // Throws InvalidArgument, naming the file, if there is no run in it.
  static RunFolder open(const std::filesystem::path& path);
  // Removes what create() made, ledger included, unless something is charged in it.
  void remove_unused() const;

  const nlohmann::json& settings() const { return settings_; }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path ledger() const { return path_ / "ledger.jsonl"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.pt"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  // For what ε does not cover, as every file with "private" in its name.
  std::filesystem::path private_metrics() const { return path_ / "metrics.private.jsonl"; }

  // One line more in metrics.jsonl, in the place of any that it repeats.
  void append_metrics(const nlohmann::json& line) const;
  // The last epoch with a line there; 0 if none has.
  std::int64_t last_epoch_told() const;
  // The same in metrics.private.jsonl.
  void append_private_metrics(const nlohmann::json& line) const;
  // The last whole line there; null if there is none.
  nlohmann::json last_private_metrics() const;
  // Atomic.
  void write(const std::string& name, const std::string& text) const;
  // privacy.json and privacy.md.
  void write(const PrivacyReport& report) const;

 private:
  RunFolder(std::filesystem::path path, nlohmann::json settings);
  std::filesystem::path path_;
  nlohmann::json settings_;
  std::optional<NewFolder> made_;  // by create()
};

}  // namespace sotto::runs
