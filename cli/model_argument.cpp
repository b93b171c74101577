#include "cli/model_argument.h"

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/json_fault.h"
#include "core/shallow_json.h"
#include "runs/file_hashes.h"
#include "settings/config_json.h"
#include "sotto/core/error.h"

namespace sotto::cli {
namespace {

// What makes features of fields. Their order counts.
Json columns_in(const std::string& schema, const std::string& name) {
  constexpr int kDepth = 4;
  const auto json = parse_shallow_json(schema, name, kDepth);
  auto meaning = Json::object();
  for (const auto* key : {"columns", "decimal", "missing_values"}) {
    if (json.is_object() && json.contains(key)) meaning[key] = json.at(key);
  }
  return meaning;
}

}  // namespace

std::filesystem::path model_path(const std::string& text) {
  std::filesystem::path path(text);
  if (std::filesystem::is_directory(path)) {
    if (std::filesystem::exists(path / "model.pt")) return path / "model.pt";
    throw UsageError("MODEL '" + text + "': the folder holds no model.pt");
  }
  if (!std::filesystem::exists(path)) throw UsageError("MODEL '" + text + "': not there");
  return path;
}

std::optional<settings::TrainingConfig> config_beside(const std::filesystem::path& model) {
  const auto path = model.parent_path() / "config.json";
  if (!std::filesystem::exists(path)) return std::nullopt;
  runs::require_unaltered(path.parent_path(), {"config.json", model.filename().string()});
  const auto text = read_file(path);
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) refuse_json(text, path.string());
  return settings::training_config_from_json(json);
}

void use_schema(const std::string& file, settings::TrainingConfig& config) {
  const auto text = read_file(file_flag("--schema", file));
  if (!config.schema_text.empty() &&
      columns_in(text, file) != columns_in(config.schema_text, "the run's schema")) {
    throw UsageError("--schema '" + file +
                     "': not the columns that the model was trained on; leave it out, the run has "
                     "its own");
  }
  config.csv_schema = file;
  config.schema_text = text;
}

data::CsvSchema schema_of(const settings::TrainingConfig& config, const std::string& table) {
  if (!config.schema_text.empty()) {
    return data::parse_csv_schema(config.schema_text, "the run's schema");
  }
  check_argument(!config.csv_schema.empty(), table, ": a table needs --schema");
  return data::read_csv_schema(config.csv_schema);
}

}  // namespace sotto::cli
