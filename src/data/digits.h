// Handwritten digits that nobody wrote: synthetic, public, and there without a download.
#pragma once

#include <cstdint>

#include "data/labelled_data.h"

namespace sotto::data {

struct DigitsOptions {
  std::int64_t train_count = 10'000;
  std::int64_t test_count = 2'000;
  std::uint64_t seed = 1;
};

// Grey images (1, 28, 28) of pixels / 255, like MNIST's: pen strokes under a random affine map, of
// random thickness, with unsteady points and a little noise. Ten classes, drawn uniformly. The same
// options give the same images; fewer images of the same seed are the first of more.
//
// Meant for trying things out: a linear model reaches about 9 in 10, a small convolutional network
// more than 97 in 100. Throws InvalidArgument unless both counts are in [1, 1e6].
TrainTest make_digits(const DigitsOptions& options = {});

}  // namespace sotto::data
