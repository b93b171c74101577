// Counts every byte that this process allocates, whoever does it.
#pragma once

#include <cstdint>

namespace sotto::bench {

std::int64_t live_bytes();
// The most that was live since the last reset.
std::int64_t peak_bytes();
void reset_peak();

}  // namespace sotto::bench
