// All settings for training a generator, under the names of this area.
#pragma once

#include "sotto/settings/gan_config.h"

namespace sotto::gan {

using Method = settings::GeneratorMethod;
using settings::CriticLoss;
using settings::DataChoice;
using settings::GanConfig;
using settings::Latent;
using settings::Networks;

}  // namespace sotto::gan
