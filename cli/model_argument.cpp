#include "cli/model_argument.h"

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "settings/config_json.h"

namespace sotto::cli {

std::filesystem::path model_path(const std::string& text) {
  std::filesystem::path path(text);
  if (std::filesystem::is_directory(path)) {
    if (std::filesystem::exists(path / "model.pt")) return path / "model.pt";
    throw UsageError("MODEL '" + text + "': the folder holds no model.pt");
  }
  if (!std::filesystem::exists(path)) throw UsageError("MODEL '" + text + "': not there");
  return path;
}

std::optional<train::TrainingConfig> config_beside(const std::filesystem::path& model) {
  const auto path = model.parent_path() / "config.json";
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto json = nlohmann::json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::nullopt;
  return settings::training_config_from_json(json);
}

}  // namespace sotto::cli
