// Everything for private training of a LibTorch model.
#pragma once

#include "sotto/accounting/accounting.h"
#include "sotto/engine/engine.h"
