#include "settings/training_checks.h"

#include "settings/model_names.h"
#include "sotto/core/error.h"

namespace sotto::settings {
namespace {

void require_in_range(const TrainingConfig& config) {
  check_argument(config.epochs >= 1 && config.epochs <= 1'000'000,
                 "epochs must be from 1 to 1000000, got ", config.epochs);
  check_argument(config.batch_size >= 0,
                 "batch size must be at least 1, or 0 for one that suits the data, got ",
                 config.batch_size);
  check_argument(config.average >= 0 && config.average < 1,
                 "average must be 0 or above and below 1, got ", config.average);
  check_setting(!config.held_out_epsilon || *config.held_out_epsilon >= 0,
                the_setting("held_out_epsilon"), " must be 0 or above, got ",
                config.held_out_epsilon.value_or(0));
  check_argument(config.learning_rate > 0, "learning rate must be positive, got ",
                 config.learning_rate);
}

void require_fit_for_no_privacy(const TrainingConfig& config) {
  if (!config.disable_dp) return;
  check_setting(!config.show_norms, the_setting("show_norms"), ": without privacy (",
                the_setting("disable_dp"), ") there are no norms to show");
  check_setting(config.memory_limit == 0, the_setting("memory_limit"),
                ": without privacy batches are not split; take smaller ones");
}

std::string names_of_bounded_networks() {
  std::string names;
  for (const auto& name : bounded_network_names()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

void require_fitting_model(const TrainingConfig& config) {
  const bool clipless = config.method == TrainingMethod::kClipless;
  const bool bounded = is_bounded_network(config.model);
  check_setting(!clipless || bounded, the_setting("model"), " '", config.model,
                "': its gradients have no proven bound; ", the_setting("method"),
                " clipless takes ", names_of_bounded_networks());
  check_setting(clipless || !bounded, the_setting("model"), " '", config.model,
                "': a Lipschitz network is trained with ", the_setting("method"), " clipless");
  check_setting(!clipless || !config.show_norms, the_setting("show_norms"),
                ": clipless training has no per-sample norms");
}

void require_fitting_recipe(const TrainingConfig& config) {
  if (!config.recipe) return;
  const bool scattering = config.model.starts_with("scatter-");
  check_setting((config.recipe == Recipe::kScatter) == scattering, the_setting("recipe"), " ",
                to_string(*config.recipe), ": ", the_setting("model"), " '", config.model,
                "' has settings of its own; leave one of the two out");
}

}  // namespace

void require_consistent(const TrainingConfig& config) {
  require_in_range(config);
  require_fit_for_no_privacy(config);
  require_fitting_model(config);
  require_fitting_recipe(config);
}

}  // namespace sotto::settings
