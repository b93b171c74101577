// The flags of `sotto train` whose values go into its configuration.
#pragma once

#include <vector>

#include "cli/flags.h"
#include "sotto/train/training_config.h"

namespace sotto::cli {

class TrainSettings {
 public:
  // The app writes into this object when it parses.
  void declare(FlagSet& app);
  // Sets what was given. Throws UsageError, naming the flag.
  void apply(train::TrainingConfig& config) const;

 private:
  std::vector<FlagText> texts_;
};

}  // namespace sotto::cli
