// What each column of a table is worth to a model, for a reader.
#pragma once

#include <string>

#include "train/permutation_importance.h"

namespace sotto::cli {

std::string importance_text(const train::Importance& importance);

}  // namespace sotto::cli
