// Private training of any LibTorch model, in one include.
#pragma once

#include "sotto/engine/bounded_model.h"
#include "sotto/engine/inspector.h"
#include "sotto/engine/privacy_engine.h"
