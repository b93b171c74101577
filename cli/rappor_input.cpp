#include "cli/rappor_input.h"

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
  file_.open(file_flag(flag, path), std::ios::binary);
  if (!file_) throw FileError(path, "cannot open");
  stream_ = &file_;
}

void Input::check() const {
  if (stream_->bad()) throw FileError(name_, "cannot read");
}

}  // namespace sotto::cli
