// Zip archives as PyTorch writes them, for tests of what reads them.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sotto::weights {

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xffU);
  return text;
}

// What both of an entry's headers say.
inline std::string zip_entry(const std::string& name, const std::string& content) {
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  return little_endian(20, 2) + std::string(8, '\0') + little_endian(sum, 4) +
         little_endian(content.size(), 4) + little_endian(content.size(), 4) +
         little_endian(name.size(), 2) + std::string(2, '\0');
}

// Names and contents, stored.
inline std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string bytes;
  std::string directory;
  for (const auto& [name, content] : files) {
    const auto entry = zip_entry(name, content);
    directory += "PK\x01\x02" + little_endian(20, 2) + entry + std::string(10, '\0') +
                 little_endian(bytes.size(), 4) + name;
    bytes += "PK\x03\x04" + entry + name + content;
  }
  const auto count = little_endian(files.size(), 2);
  return bytes + directory + "PK\x05\x06" + std::string(4, '\0') + count + count +
         little_endian(directory.size(), 4) + little_endian(bytes.size(), 4) + std::string(2, '\0');
}

}  // namespace sotto::weights
