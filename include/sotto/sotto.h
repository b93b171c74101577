// Everything for private training of a LibTorch model.
#pragma once

#include "sotto/accounting/accounting.h"
#include "sotto/engine/inspector.h"
#include "sotto/engine/privacy_engine.h"
