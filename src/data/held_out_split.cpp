#include "data/held_out_split.h"

#include <cstdint>

#include "core/sha256.h"

namespace sotto::data {

namespace {

constexpr std::uint64_t kOneIn = 6;

// A field's length stands before it: "a","bc" and "ab","c" are different rows.
void append_field(std::string_view field, std::string& bytes) {
  bytes.append(std::to_string(field.size())).append(":").append(field);
}

// The first 64 bits of the hash, divided by six: off from a sixth by less than 2^-61.
bool is_held_out(const std::string& bytes) {
  return std::stoull(sha256_hex(bytes).substr(0, 16), nullptr, 16) % kOneIn == 0;
}

}  // namespace

bool row_is_held_out(const std::vector<std::string>& fields) {
  std::string bytes = "sotto held-out row 1\n";  // public, and never to be changed
  for (const auto& field : fields) append_field(field, bytes);
  return is_held_out(bytes);
}

bool file_is_held_out(std::string_view name) {
  std::string bytes = "sotto held-out file 1\n";
  append_field(name, bytes);
  return is_held_out(bytes);
}

}  // namespace sotto::data
