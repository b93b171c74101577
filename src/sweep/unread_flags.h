// Flags of a sweep that some of its runs have no use for.
#pragma once

#include <string>
#include <vector>

#include "sweep/sweep_plan.h"

namespace sotto::sweep {

struct UnreadFlag {
  std::string name;  // without dashes
  std::string why;   // as settings::why_unread() says it
};

// Whether the use of other flags depends on this one: of a noise multiplier, on disable-dp.
bool decides_use(const std::string& flag);

// What nothing reads in a run of these flags because of the others: the noise multiplier of a run
// without privacy, the seed of one with an insecure seed. A value that `sotto train` would not
// accept counts as the default; of data that are not there the kind counts.
std::vector<UnreadFlag> unread_flags(const Configuration& configuration);

// Flags that none of the configurations has a use for, though some give them.
std::vector<UnreadFlag> useless_flags(const std::vector<Configuration>& configurations);

}  // namespace sotto::sweep
