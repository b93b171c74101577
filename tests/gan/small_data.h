// A folder of tiny images of two classes: bright above, or bright below.
#pragma once

#include <filesystem>
#include <string>

#include "core/atomic_file.h"

namespace sotto::gan {

inline std::string big_endian(std::int64_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift);
  return text;
}

// `side` x `side` pixels.
inline void write_small_images(const std::filesystem::path& folder, std::int64_t train,
                               std::int64_t test, std::int64_t side = 8) {
  std::filesystem::create_directories(folder);
  for (const auto& [part, count] : {std::pair{std::string("train"), train}, {"t10k", test}}) {
    std::string images =
        std::string("\0\0\x08\x03", 4) + big_endian(count) + big_endian(side) + big_endian(side);
    std::string labels = std::string("\0\0\x08\x01", 4) + big_endian(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const bool below = i % 2 == 1;
      labels += static_cast<char>(below);
      for (std::int64_t p = 0; p < side * side; ++p) {
        const bool bright = (p >= side * side / 2) == below;
        images += static_cast<char>(
            static_cast<unsigned char>(bright ? 180 + (i * 7 + p) % 70 : (i + p) % 30));
      }
    }
    write_file_atomically(folder / (part + "-images-idx3-ubyte"), images);
    write_file_atomically(folder / (part + "-labels-idx1-ubyte"), labels);
  }
}

}  // namespace sotto::gan
