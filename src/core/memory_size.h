// Amounts of memory, as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sotto {

// "4GiB", "512 MiB", "2GB", "800MB", "1e9" (bytes) as bytes. Throws InvalidArgument, naming the
// text and what is accepted, otherwise.
std::uint64_t memory_size(std::string_view text);

// "3.42 GiB" or "871 MiB".
std::string memory_text(std::uint64_t bytes);

// What is free for new processes now, by the kernel's estimate.
std::uint64_t available_memory();

}  // namespace sotto
