// Accuracy that no small change of the inputs can take away, for a reader.
#pragma once

#include <string>
#include <vector>

#include "cli/flags.h"
#include "sotto/train/model_file.h"
#include "train/certified_model.h"

namespace sotto::cli {

// 1, 2, 4, 8, 16 /255 for images, and the chosen one. Throws UsageError if that leaves none.
std::vector<double> radii_of(const train::LoadedModel& loaded, const FlagText& chosen);

std::string certificate_text(const train::Certificate& certificate);

}  // namespace sotto::cli
