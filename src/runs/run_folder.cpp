#include "runs/run_folder.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.h"
#include "core/json_fault.h"
#include "plan/ledger.h"
#include "runs/file_hashes.h"
#include "runs/metrics_file.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

std::string settings_text(const nlohmann::json& settings) {
  try {
    return settings.dump(2) + "\n";
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("a path among the settings is not valid UTF-8");
  }
}

}  // namespace

RunFolder::RunFolder(std::filesystem::path path, nlohmann::json settings)
    : path_(std::move(path)), settings_(std::move(settings)) {}

RunFolder RunFolder::create(const std::filesystem::path& path, const nlohmann::json& settings) {
  RunFolder folder(path, settings);
  folder.made_ = NewFolder::create(path, settings_text(settings));
  return folder;
}

RunFolder RunFolder::open(const std::filesystem::path& path) {
  const auto text = read_run_config(path);
  auto settings = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (settings.is_discarded()) refuse_json(text, (path / kRunConfig).string());
  return {path, std::move(settings)};
}

void RunFolder::remove_unused() const {
  std::error_code error;
  const bool none = !std::filesystem::exists(ledger(), error) && !error;
  if (made_ && (none || Ledger::remove_unused(ledger()))) made_->remove_unused();
}

void RunFolder::append_metrics(const nlohmann::json& line) const {
  append_json_line(metrics(), line);
}

std::int64_t RunFolder::last_epoch_told() const { return last_epoch_of(metrics()); }

void RunFolder::append_private_metrics(const nlohmann::json& line) const {
  append_json_line(private_metrics(), line);
}

nlohmann::json RunFolder::last_private_metrics() const {
  if (!std::filesystem::exists(private_metrics())) return {};
  std::istringstream lines(read_file(private_metrics()));
  nlohmann::json last;
  for (std::string text; std::getline(lines, text);) {
    auto line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (line.is_object()) last = std::move(line);
  }
  return last;
}

void RunFolder::write(const std::string& name, const std::string& text) const {
  write_file_atomically(path_ / name, text);
}

void RunFolder::write(const PrivacyReport& report) const {
  auto json = report.json;
  json["files"] = kFileHashes;
  write("privacy.json", json.dump(2) + "\n");
  write("privacy.md", report.markdown);
}

}  // namespace sotto::runs
