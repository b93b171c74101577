#include "settings/recipes.h"

#include <algorithm>
#include <array>
#include <limits>

#include "settings/from_name.h"
#include "settings/table_conditions.h"

namespace sotto::settings {
namespace {

// Little budget: few large steps. The mean of many records has little noise left.
constexpr std::array kScatter = {
    ScatterSettings{1.5, 0.273, 60, 8},
    ScatterSettings{std::numeric_limits<double>::infinity(), 0.137, 40, 16},
};

constexpr std::array kRecipes = {Recipe::kScatter, Recipe::kSeed};

bool is_of_small_pictures(const std::string& dataset) {
  return dataset == "fashion-mnist" || dataset == "mnist";
}

}  // namespace

std::string_view to_string(Recipe recipe) {
  return recipe == Recipe::kScatter ? "scatter" : "seed";
}

Recipe recipe_from_name(std::string_view text) { return from_name(kRecipes, text, "recipe"); }

const ScatterSettings& scatter_settings(double epsilon) {
  return *std::find_if(kScatter.begin(), kScatter.end(), [&](const ScatterSettings& settings) {
    return epsilon <= settings.largest_epsilon;
  });
}

Recipe suitable_recipe(const TrainingChoices& choices) {
  if (choices.model.starts_with("scatter-")) return Recipe::kScatter;
  const bool usual = choices.method == TrainingMethod::kDpSgd && !choices.disable_dp &&
                     choices.optimizer == OptimizerKind::kMomentum && choices.model.empty();
  return usual && is_of_small_pictures(choices.dataset) ? Recipe::kScatter : Recipe::kSeed;
}

std::string reason_for(const TrainingConfig& config) {
  if (config.recipe == Recipe::kScatter) {
    return "Scattering features need no training: the less there is to train behind them, the less "
           "noise there is in it. Large batches and few steps, by ε.";
  }
  if (config.method == TrainingMethod::kClipless) {
    return "A Lipschitz network bounds gradients by itself, and has settings of its own.";
  }
  if (config.disable_dp) return "Without privacy there is no noise to keep out.";
  if (is_table(config.dataset)) {
    return "A table has few columns: one layer on them learns most of what there is.";
  }
  return "A small network on pixels: nothing better is known for this combination of data and "
         "settings.";
}

}  // namespace sotto::settings
