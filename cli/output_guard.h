// What a command may write to: never what it reads, never one place twice, and what is there
// already only if it is asked to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runs/kept_files.h"

namespace sotto::cli {

class OutputGuard {
 public:
  using Input = runs::InputKind;

  // What the command line gives, to be kept from all that is checked later.
  void add_input(const std::string& flag, const std::string& text, Input kind);
  // Whether files that are there may be written over.
  void allow_overwriting(bool allowed) { overwriting_ = allowed; }

  // Throws UsageError, naming `flag`, unless a file may be written there: a new one, in a folder
  // that is there or was checked before. An input, a file or the data of a run, and what is checked
  // for another flag are refused whether overwriting is allowed or not.
  void check_file(const std::string& flag, const std::filesystem::path& path);
  // The same of a folder, which must be new or empty.
  void check_folder(const std::string& flag, const std::filesystem::path& path);

 private:
  struct Given {
    std::string flag;
    std::string text;
    Input kind;
  };
  struct Checked {
    std::string flag;
    std::filesystem::path path;
    bool is_folder;
  };
  void refuse_inputs(const std::string& flag, const std::filesystem::path& path) const;
  void refuse_other_outputs(const std::string& flag, const std::filesystem::path& path) const;
  bool is_in_checked_folder(const std::filesystem::path& path) const;

  std::vector<Given> inputs_;
  std::vector<Checked> outputs_;
  bool overwriting_ = false;
};

}  // namespace sotto::cli
