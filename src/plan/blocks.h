// How a batch is cut into pieces whose sums depend on their own records alone.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/core/random.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Records in the order in which they are taken, and the ends of their chains (see grad::ExactSums).
struct ChainedRecords {
  std::vector<std::int64_t> records;
  std::vector<std::int64_t> chain_ends;
};

// Where neighbours differ by a record's absence, each record draws its own block, so that no other
// moves if it is not there; a block's records are chained in their order. Otherwise the one record
// that differs has the same place in both, and chains are simply cut one after another.
ChainedRecords in_blocks(const std::vector<std::int64_t>& records, const Plan& plan,
                         std::int64_t longest_chain, RandomSource& random);

}  // namespace sotto
