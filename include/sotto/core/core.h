// Errors and randomness, which every area uses.
#pragma once

#include "sotto/core/error.h"
#include "sotto/core/random.h"
