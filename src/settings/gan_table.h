// The settings of a generator's training, one line each.
#pragma once

#include "settings/setting.h"
#include "sotto/settings/gan_config.h"

namespace sotto::settings {

// Every setting, in the order of `sotto gan train --help`.
Table<GanConfig> gan_settings();

}  // namespace sotto::settings
