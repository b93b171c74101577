#include "runs/irreplaceable_files.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/atomic_file.h"
#include "core/shallow_json.h"
#include "data/data_identity.h"
#include "plan/ledger_traces.h"
#include "plan/run_settings.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSweepPlan = "sweep-plan.json";

bool is_there(const fs::path& place) {
  std::error_code ignored;
  return fs::exists(place, ignored);
}

// 32 bytes as hexadecimal digits.
bool is_secret(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  const auto digits = std::min(text.find_first_not_of("0123456789abcdef"), text.size());
  const auto rest = text.substr(digits);
  return digits == kDigits && (rest.empty() || rest == "\n" || rest == "\r\n");
}

// Users write settings of that name as well, but rarely say whether they want privacy.
bool has_settings_of_run(const fs::path& folder) {
  try {
    const auto settings = run_settings_in(folder);
    return settings && settings->contains("disable_dp");
  } catch (const FileError&) {
  } catch (const InvalidArgument&) {
  }
  return false;
}

bool has_hashes_of_run(const fs::path& folder) {
  constexpr int kDepth = 4;
  try {
    const auto hashes = read_shallow_json(folder / "files.json", kDepth);
    return hashes.is_object() && hashes.contains("sha256");
  } catch (const FileError&) {
  } catch (const InvalidArgument&) {
  }
  return false;
}

// A budget of queries may lie anywhere.
bool has_ledger_of_run(const fs::path& folder) {
  const auto ledger = folder / "ledger.jsonl";
  return is_there(ledger) && !is_ledger_of_queries(ledger);
}

bool is_of_run_or_sweep(const fs::path& file) {
  const auto folder = fs::absolute(file).parent_path();
  if (file.filename() == "results.csv") return is_there(folder / kSweepPlan);
  return has_run_files_name(file) &&
         (is_there(folder / kSweepPlan) || is_there(folder.parent_path() / kSweepPlan) ||
          has_ledger_of_run(folder) || has_hashes_of_run(folder) || has_settings_of_run(folder));
}

std::string reason_by_content(const fs::path& file) {
  const auto start = beginning_of(file);
  if (!start) return "cannot be read, and may be a ledger of what was spent";
  if (has_traces_of_ledger(*start)) return "is a ledger of what was spent";
  return is_secret(*start) ? "is a key or a secret" : "";
}

std::string reason_by_name(const fs::path& file) {
  if (file.filename() == data::DataIdentity::kKeyFile) return "is a key or a secret";
  return is_of_run_or_sweep(file) ? "is a file of a run or a sweep" : "";
}

}  // namespace

bool has_run_files_name(const fs::path& file) {
  const std::string name = file.filename().string();
  constexpr std::array kEndings = {".json", ".jsonl", ".pt", ".safetensors"};
  const bool ends = std::any_of(kEndings.begin(), kEndings.end(),
                                [&](const char* ending) { return name.ends_with(ending); });
  const bool is_picture = name.starts_with("samples-") && name.ends_with(".png");
  return ends || is_picture || name == "privacy.md" || name == "losses.svg" ||
         name == "losses.private.svg";
}

std::string reason_never_to_replace(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return "";
  auto reason = reason_by_content(file);
  if (reason.empty()) reason = reason_by_name(file);
  const auto target = fs::canonical(file, error);
  if (!reason.empty() || error || target == fs::absolute(file)) return reason;
  reason = reason_by_name(target);
  return reason.empty() ? "" : "is a link to what " + reason;
}

}  // namespace sotto::runs
