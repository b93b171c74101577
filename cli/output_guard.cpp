#include "cli/output_guard.h"

#include <algorithm>

#include "cli/flags.h"
#include "core/same_place.h"
#include "runs/irreplaceable_files.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_output(const std::string& flag, const fs::path& path,
                                const std::string& why) {
  throw UsageError(flag + " '" + path.string() + "': " + why);
}

}  // namespace

void OutputGuard::add_input(const std::string& flag, const std::string& text, Input kind) {
  inputs_.push_back({flag, text, kind});
}

void OutputGuard::check_file(const std::string& flag, const fs::path& path) {
  if (!is_in_checked_folder(path)) kept_file_flag(flag, path.string());
  refuse_inputs(flag, path);
  if (const auto reason = runs::reason_never_to_replace(path); !reason.empty()) {
    refuse_output(flag, path, reason + "; expected another file");
  }
  refuse_other_outputs(flag, path);
  std::error_code ignored;
  if (!overwriting_ && fs::is_regular_file(path, ignored)) {
    refuse_output(flag, path, "exists already; expected a new file, or --force to overwrite it");
  }
  outputs_.push_back({flag, path, /*is_folder=*/false});
}

void OutputGuard::check_folder(const std::string& flag, const fs::path& path) {
  std::error_code ignored;
  if (path.empty()) refuse_output(flag, path, "expected the name of a folder");
  if (fs::exists(path, ignored) && !fs::is_directory(path, ignored)) {
    refuse_output(flag, path, "expected a new or empty folder, not a file");
  }
  refuse_other_outputs(flag, path);
  if (fs::is_directory(path, ignored) && !fs::is_empty(path, ignored)) {
    refuse_output(flag, path, "exists already, with files in it; expected a new or empty folder");
  }
  outputs_.push_back({flag, path, /*is_folder=*/true});
}

void OutputGuard::refuse_inputs(const std::string& flag, const fs::path& path) const {
  for (const auto& input : inputs_) {
    const auto reason = runs::reason_not_to_write(input.text, input.kind, path);
    if (!reason.empty()) {
      refuse_output(flag, path, reason + " (" + input.flag + "); expected another file");
    }
  }
}

void OutputGuard::refuse_other_outputs(const std::string& flag, const fs::path& path) const {
  for (const auto& output : outputs_) {
    if (output.flag != flag && is_same_place(output.path, path)) {
      refuse_output(flag, path, "is what " + output.flag + " writes, too; expected another name");
    }
  }
}

bool OutputGuard::is_in_checked_folder(const fs::path& path) const {
  return std::any_of(outputs_.begin(), outputs_.end(), [&](const Checked& output) {
    return output.is_folder && path.has_filename() &&
           is_same_place(output.path, fs::absolute(path).parent_path());
  });
}

}  // namespace sotto::cli
