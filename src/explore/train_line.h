// The planned run as a command line.
#pragma once

#include <string>

#include "explore/settings.h"

namespace sotto::explore {

// E.g. "sotto train --dataset mnist --batch-size 256 --epochs 15 --noise-multiplier 1.1 --delta
// 1e-05". The data set is the built-in one of that size, else a file to be named: its number of
// training rows must be the settings' for the ε to be the same. Without noise there is no such
// line, and the text says why.
std::string train_line(const Settings& settings);

}  // namespace sotto::explore
