// The card of a model file: what it says besides the weights.
#pragma once

#include <string>

#include "sotto/train/model_file.h"
#include "weights/stored_tensor.h"

namespace sotto::train {

// As JSON.
std::string text_of(const ModelCard& card);

// What text_of() wrote. Throws InvalidArgument for anything else: numbers that are not whole or out
// of any network's range, names that a terminal would obey, and sizes of which the file's tensors
// could be no part, so that a made-up card makes no network that is much larger than its file.
ModelCard card_from(const std::string& text, const weights::WeightFile& file);

}  // namespace sotto::train
