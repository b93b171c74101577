// What a model promises, as far as the run around it bears that out.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sotto::cli {

struct ModelPromise {
  std::string text;                              // in sentences
  std::vector<std::string> contradictions = {};  // why no ε is proved, in sentences

  bool is_proved() const { return contradictions.empty(); }
};

// Of a model or generator whose file says `card`. In the folder of a run (config.json or
// privacy.json beside it) that is told only if the run's ε is proved, and else why it is not; a
// file alone is taken at its word. Throws InvalidArgument, or FileError, as runs::RunRecord does.
ModelPromise promise_of(const std::filesystem::path& model, const std::string& card);

// An infinite ε, and why; nothing where it is proved.
void add_contradictions(const ModelPromise& promise, nlohmann::ordered_json& object);

}  // namespace sotto::cli
