#include "runs/file_hashes.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/sha256.h"
#include "runs/json_file.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;

constexpr std::array kHashed = {"config.json", "model.pt", "model.safetensors", "generator.pt"};

// Earlier versions did not write it.
bool should_be_there(const fs::path& run_folder) {
  const auto privacy = run_folder / "privacy.json";
  return fs::exists(privacy) && read_json_object(privacy).contains("files");
}

nlohmann::json recorded_in(const fs::path& run_folder) {
  const auto path = run_folder / kFileHashes;
  if (!fs::exists(path)) {
    check_argument(!should_be_there(run_folder), path.string(),
                   ": is missing, and privacy.json names it: nothing can be checked by it; "
                   "resuming the run makes it again");
    return nlohmann::json::object();
  }
  const auto json = read_json_object(path);
  const auto found = json.find("sha256");
  check_argument(found != json.end() && found->is_object(), path.string(),
                 ": 'sha256' must hold the hashes of files");
  return *found;
}

bool is_altered_since(const fs::path& run_folder, const std::string& name,
                      const nlohmann::json& recorded) {
  const auto path = run_folder / name;
  return recorded.contains(name) && fs::exists(path) &&
         recorded.at(name) != sha256_hex_of_file(path);
}

}  // namespace

void record_files(const fs::path& run_folder) {
  nlohmann::json hashes = nlohmann::json::object();
  for (const auto* name : kHashed) {
    if (fs::exists(run_folder / name)) hashes[name] = sha256_hex_of_file(run_folder / name);
  }
  write_file_atomically(run_folder / kFileHashes,
                        nlohmann::json{{"sha256", hashes}}.dump(2) + "\n");
}

std::vector<std::string> altered_files(const fs::path& run_folder) {
  if (!fs::exists(run_folder / kFileHashes) && should_be_there(run_folder)) {
    return {std::string(kFileHashes) +
            " is missing: nobody can tell whether settings and models are those of this run."};
  }
  const auto recorded = recorded_in(run_folder);
  std::vector<std::string> sentences;
  for (const auto* name : kHashed) {
    if (!is_altered_since(run_folder, name, recorded)) continue;
    sentences.push_back(std::string(name) + " is not the file that this run wrote: its hash in " +
                        kFileHashes + " is a different one.");
  }
  return sentences;
}

bool is_altered(const fs::path& run_folder, const std::string& name) {
  if (!fs::exists(run_folder / kFileHashes)) return false;
  return is_altered_since(run_folder, name, recorded_in(run_folder));
}

void require_unaltered(const fs::path& run_folder, const std::vector<std::string>& names) {
  const auto recorded = recorded_in(run_folder);
  for (const auto& name : names) {
    check_argument(!is_altered_since(run_folder, name, recorded), (run_folder / name).string(),
                   ": not the file that the run wrote (", kFileHashes,
                   " beside it has another hash); accepted: the run's own files");
  }
}

}  // namespace sotto::runs
