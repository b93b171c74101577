// A folder for a run that has not begun.
#pragma once

#include <filesystem>
#include <string>

namespace sotto::runs {

inline constexpr const char* kRunConfig = "config.json";

class NewFolder {
 public:
  // Makes the folder and writes `config` into config.json. Of two runs that start in the same
  // folder at once, one is refused before it writes anything. Throws InvalidArgument if it exists
  // and is not empty (what a killed process left of an unfinished file does not count), FileError
  // if it cannot be made.
  static NewFolder create(const std::filesystem::path& path, const std::string& config);

  // Removes what create() made.
  void remove_unused() const;

 private:
  void remove_empty_folders() const;

  std::filesystem::path path_;
  std::filesystem::path made_;  // the outermost folder that create() made; empty if none
};

// config.json of the run in `path`. Throws InvalidArgument, naming the file, if there is none.
std::string read_run_config(const std::filesystem::path& path);

}  // namespace sotto::runs
