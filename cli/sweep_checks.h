// What can be said of a sweep's runs before the first of them starts.
#pragma once

#include <string>
#include <vector>

#include "sotto/settings/training_config.h"
#include "sweep/sweep_settings.h"

namespace sotto::cli {

// The settings of every run that is planned; where their number is drawn, of what can be drawn:
// each combination of values, a range standing for its ends and a number inside (each value of each
// flag alone, if there are more than 10000). Throws UsageError, naming the configuration, the flag,
// its value and what is accepted, for one that `sotto train` would refuse whatever the data are.
std::vector<settings::TrainingConfig> checked_configurations(const sweep::SweepSettings& settings);

// A run leaves out what it has no use for. Throws UsageError for a flag that no run could have a
// use for, whatever is drawn; such a flag passes if more than 10000 combinations would decide.
void refuse_useless_flags(const sweep::SweepSettings& settings);

// What to say first of a δ that promises too little for so many records. Data are counted only
// where there may be enough of them; none that cannot be read: the first run says why.
std::vector<std::string> delta_warnings(const std::vector<settings::TrainingConfig>& runs);

// What to say first where the schema names a person and rows are protected one by one; `settings`
// are those that the runs are of. None of a schema that cannot be read.
std::vector<std::string> person_warnings(const std::vector<settings::TrainingConfig>& runs,
                                         const sweep::SweepSettings& settings);

}  // namespace sotto::cli
