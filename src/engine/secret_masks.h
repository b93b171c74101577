// Randomness that a model draws by itself.
#pragma once

#include "sotto/core/random.h"

namespace sotto {

// Sets LibTorch's default generator to a state drawn from `random`. What a model draws of itself,
// such as the masks of dropout, comes from there: with a known seed one record would shift the
// known masks of all behind it.
void draw_masks_in_secret(RandomSource& random);

}  // namespace sotto
