#include "cli/rappor_input.h"

#include <filesystem>
#include <iostream>

#include "cli/flags.h"
#include "core/atomic_file.h"

namespace sotto::cli {

Input::Input(const std::string& path, const std::string& flag)
    : name_(path == "-" ? "standard input" : path), stream_(&std::cin) {
  if (path == "-") {
    std::ios::sync_with_stdio(false);
    return;
  }
  if (std::filesystem::is_directory(path))
    throw UsageError(flag + " '" + path + "': expected a file");
  file_.open(file_flag(flag, path), std::ios::binary);
  if (!file_) throw FileError(path, "cannot open");
  stream_ = &file_;
}

void Input::check() const {
  if (stream_->bad()) throw FileError(name_, "cannot read");
}

}  // namespace sotto::cli
