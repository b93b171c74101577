#include "cli/recipe_output.h"

#include <nlohmann/json.hpp>

#include "cli/text_layout.h"
#include "core/counted.h"
#include "core/percentage.h"
#include "core/printed_number.h"
#include "settings/config_json.h"
#include "settings/recipes.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"

namespace sotto::cli {
namespace {

using settings::TrainingConfig;

std::string recipe_name(const TrainingConfig& config) {
  return std::string(to_string(config.recipe.value_or(settings::Recipe::kSeed)));
}

// As a share where the number of records decides.
std::string batch_text(const TrainingConfig& config) {
  if (config.batch_size > 0) return "batches of " + std::to_string(config.batch_size);
  constexpr std::int64_t kMany = 1'000'000;
  const auto of_many = settings::suitable_batch_size(config, kMany);
  if (of_many < kMany / 100) return "batches of up to " + std::to_string(of_many);
  return "batches of " +
         short_percentage(static_cast<double>(of_many) / static_cast<double>(kMany), 3) +
         " of the records";
}

std::string settings_text(const TrainingConfig& config) {
  return batch_text(config) + ", " + counted(config.epochs, "epoch") + ", " +
         std::string(to_string(config.optimizer)) + " with a learning rate of " +
         significant(config.learning_rate, 4) +
         (config.disable_dp
              ? std::string()
              : ", gradients of norm at most " + significant(config.max_grad_norm, 4));
}

}  // namespace

std::string recipe_json(const TrainingConfig& config) {
  const nlohmann::ordered_json json{{"recipe", recipe_name(config)},
                                    {"why", settings::reason_for(config)},
                                    {"settings", settings::json_of(config)}};
  return json.dump(2) + '\n';
}

std::string recipe_text(const TrainingConfig& config) {
  return labelled_paragraph("Recipe", recipe_name(config) + ": " + config.model) +
         labelled_paragraph("Settings", settings_text(config)) +
         labelled_paragraph("Why", settings::reason_for(config));
}

}  // namespace sotto::cli
