// SHA-256 (FIPS 180-4, OpenSSL's libcrypto), as 64 lower-case hexadecimal digits.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sotto {

// Throws std::runtime_error if libcrypto fails.
std::string sha256_hex(std::string_view bytes);

// Of the whole content, which is held in memory. Throws FileError if it cannot be read.
std::string sha256_hex_of_file(const std::filesystem::path& path);

}  // namespace sotto
