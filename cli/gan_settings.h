// The settings of `sotto gan train`, as flags.
#pragma once

#include <vector>

#include "cli/flags.h"
#include "sotto/gan/gan_config.h"

namespace sotto::cli {

class GanSettings {
 public:
  void declare(FlagSet& app);
  // Throws UsageError, naming the flag, its value and what is accepted.
  void apply(gan::GanConfig& config) const;

 private:
  std::vector<FlagText> texts_;
};

}  // namespace sotto::cli
