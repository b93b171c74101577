// The memory of a training step for a reader.
#pragma once

#include <string>

#include "train/memory_table.h"

namespace sotto::cli {

std::string memory_text(const train::MemoryTable& answer);

}  // namespace sotto::cli
