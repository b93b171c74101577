// Files that may be compressed with gzip.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace sotto::data {

// More than any data set known here, less than the memory of a small machine.
inline constexpr std::size_t kLargestDataFile = std::size_t{1} << 31U;

// True if `bytes` start as every gzip file does.
bool is_gzip(std::string_view bytes);

// The content of a gzip file (RFC 1952), of all its members. Throws InvalidArgument, naming `name`,
// if it is corrupt, cut short, followed by anything else, or inflates to more than `limit` bytes.
std::string inflate_gzip(std::string_view bytes, const std::string& name,
                         std::size_t limit = kLargestDataFile);

// The content of a file, inflated if it is gzip. Throws FileError if it cannot be read, otherwise
// as inflate_gzip.
std::string read_inflated(const std::filesystem::path& path, std::size_t limit = kLargestDataFile);

}  // namespace sotto::data
