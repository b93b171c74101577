// Everything for private training of a LibTorch model.
#pragma once

#include <torch/torch.h>

#include "sotto/accounting/accounting.h"
#include "sotto/private/inspector.h"
#include "sotto/private/ledger.h"
#include "sotto/private/privacy_engine.h"
