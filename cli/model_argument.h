// The model that a command is to use.
#pragma once

#include <filesystem>
#include <string>

#include "cli/flags.h"
#include "data/csv_schema.h"
#include "sotto/settings/training_config.h"
#include "sotto/train/model_file.h"

namespace sotto::cli {

// `text` is a model file, or the folder of a finished run. Throws UsageError if it is neither.
std::filesystem::path model_path(const std::string& text);

// The data settings of the run beside a model file; nothing if there is no run. Throws
// InvalidArgument if settings or model are not the files that the run wrote.
std::optional<settings::TrainingConfig> config_beside(const std::filesystem::path& model);

// The file behind --schema, where a run has none of its own. Throws UsageError if it has other
// columns, which would mean something else to the model.
void use_schema(const std::string& file, settings::TrainingConfig& config);
// What the settings say that columns of `table` mean. Throws InvalidArgument if they do not.
data::CsvSchema schema_of(const settings::TrainingConfig& config, const std::string& table);

}  // namespace sotto::cli
