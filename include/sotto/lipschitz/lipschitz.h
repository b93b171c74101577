// Networks whose gradients are bounded by their layers, for training without clipping.
#pragma once

#include "sotto/lipschitz/bounded_layer.h"
#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/lipschitz/losses.h"
#include "sotto/lipschitz/residual.h"
