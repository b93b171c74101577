// Private generators: train one, and draw from it.
#pragma once

#include "sotto/gan/gan_config.h"
#include "sotto/gan/gan_trainer.h"
#include "sotto/gan/generator_file.h"
#include "sotto/gan/networks.h"
