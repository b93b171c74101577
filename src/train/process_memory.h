// How much memory this process takes.
#pragma once

#include <cstdint>

namespace sotto::train {

// Bytes that malloc has handed out and not got back, tensors included.
std::int64_t allocated_bytes();
// Bytes in physical memory now.
std::int64_t resident_bytes();
// The most that resident_bytes() has ever been.
std::int64_t peak_resident_bytes();

}  // namespace sotto::train
