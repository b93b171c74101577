// Which bits a value sets.
#pragma once

#include <string_view>
#include <vector>

#include "sotto/rappor/params.h"
#include "sotto/rappor/rappor.h"

namespace sotto::rappor {

// The h bits, in the order of the hash functions; two may be the same. The hash is
// MD5(big-endian cohort ‖ value). Bytes (pairs of bytes, low one first, for k > 256) are taken from
// it and reduced modulo k. google/rappor's profiles do just that, and favour low bits unless k
// divides 256 (65536); kSotto passes over numbers beyond the last multiple of k, hashing the digest
// again when it is used up. So all profiles agree where k is a power of two, and maps can be
// exchanged. Throws InvalidArgument if a google profile has too few bytes for h hashes.
std::vector<std::uint32_t> bloom_positions(const Params& params, Profile profile,
                                           std::uint32_t cohort, std::string_view value);

// The filter: those bits set.
BitString bloom_filter(const Params& params, Profile profile, std::uint32_t cohort,
                       std::string_view value);

}  // namespace sotto::rappor
