// Networks whose gradients are bounded by their layers, for training without clipping.
#pragma once

#include "sotto/lipschitz/activation.h"
#include "sotto/lipschitz/bounded_layer.h"
#include "sotto/lipschitz/convolution.h"
#include "sotto/lipschitz/dense.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/lipschitz/losses.h"
#include "sotto/lipschitz/networks.h"
#include "sotto/lipschitz/pooling.h"
#include "sotto/lipschitz/residual.h"
#include "sotto/lipschitz/shaping.h"
