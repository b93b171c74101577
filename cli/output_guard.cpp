#include "cli/output_guard.h"

#include <algorithm>

#include "cli/flags.h"
#include "cli/irreplaceable_files.h"
#include "cli/kept_files.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_output(const std::string& flag, const fs::path& path,
                                const std::string& why) {
  throw UsageError(flag + " '" + path.string() + "': " + why);
}

// Links and ".." resolved as far as there is something.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  auto place = fs::weakly_canonical(fs::absolute(path), error);
  if (error) place = fs::absolute(path).lexically_normal();
  return place.has_filename() ? place : place.parent_path();  // "folder/"
}

// Whether this file stands in an argument: "a.csv", "csv:a.csv", "zip=zip.csv", "@names,b"; "-" is
// what standard input was redirected from.
bool names_file(const std::string& argument, const fs::path& file) {
  std::error_code ignored;
  if (argument == "-") return fs::equivalent("/dev/stdin", file, ignored);
  for (std::size_t begin = 0; begin < argument.size();) {
    const auto end = std::min(argument.find_first_of(",:=@", begin), argument.size());
    const auto rest = argument.substr(begin);  // a name may hold one of these signs itself
    if (fs::equivalent(rest, file, ignored) ||
        fs::equivalent(rest.substr(0, end - begin), file, ignored)) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

bool is_read(const std::string& text, OutputGuard::Input kind, const fs::path& file) {
  if (names_file(text, file)) return true;
  if (kind == OutputGuard::Input::kData) return is_in_data(text, file);
  return kind == OutputGuard::Input::kMade && !text.empty() && is_same_place(text, file);
}

}  // namespace

bool is_same_place(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored) || resolved(one) == resolved(other);
}

void OutputGuard::add_input(const std::string& flag, const std::string& text, Input kind) {
  inputs_.push_back({flag, text, kind});
}

void OutputGuard::check_file(const std::string& flag, const fs::path& path) {
  if (!is_in_checked_folder(path)) kept_file_flag(flag, path.string());
  refuse_inputs(flag, path);
  if (const auto reason = reason_never_to_replace(path); !reason.empty()) {
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
    if (is_read(input.text, input.kind, path)) {
      refuse_output(flag, path, "is read as well (" + input.flag + "); expected another file");
    }
    const auto reason =
        input.kind == Input::kRun ? reason_to_keep(input.text, path) : std::string();
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
