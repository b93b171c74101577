// The flags that `sotto train` has, as its own help lists them: a list of our own would go stale.
#pragma once

#include <string>
#include <vector>

#include "sotto/sweep/sweep_settings.h"

namespace sotto::sweep {

struct TrainFlag {
  std::vector<std::string> names;  // with dashes; the last is the one to use
  bool takes_value = false;

  // Without dashes.
  std::string name() const { return names.back().substr(2); }
};

class TrainFlags {
 public:
  // From the text of `sotto train --help`.
  explicit TrainFlags(const std::string& help);

  // Runs `train` (program first) with --help. Throws std::runtime_error if that fails.
  static TrainFlags ask(std::vector<std::string> train);

  // By any of its names, with dashes. Throws InvalidArgument, beginning with `place`, if there is
  // none, or if a sweep sets it for its runs itself.
  const TrainFlag& find(const std::string& name, const std::string& place) const;

 private:
  std::vector<TrainFlag> flags_;
};

}  // namespace sotto::sweep
