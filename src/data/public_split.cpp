#include "data/public_split.h"

namespace sotto::data {

namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

}  // namespace

bool row_goes_to_test(std::uint64_t row) { return row % 6 == mix(row / 6) % 6; }

bool name_goes_to_test(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char byte : name) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3U;
  return mix(hash) % 6 == 0;
}

}  // namespace sotto::data
