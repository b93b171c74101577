// All settings of runs that train a network or a generator.
#pragma once

#include "sotto/settings/gan_config.h"
#include "sotto/settings/training_config.h"
