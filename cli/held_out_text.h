// A noised accuracy on held-out records, for people.
#pragma once

#include <string>
#include <vector>

#include "runs/held_out_release.h"

namespace sotto::cli {

// "91.52 % on held-out records, with noise (± 0.11 %; ε = 3)"; without the ε of a run whose ε is
// not proved.
std::string held_out_text(const runs::HeldOutRelease& release, bool is_proved = true);

// A line a class: right, wrong, and the share of right ones.
std::string held_out_table(const runs::HeldOutRelease& release,
                           const std::vector<std::string>& classes);

}  // namespace sotto::cli
