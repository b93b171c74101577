// How a batch is cut into pieces whose sums depend on their own records alone.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/core/random.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Stands where a place is nobody's.
inline constexpr std::int64_t kNobody = -1;

// Records in the order in which they are taken, and the ends of their chains (see grad::ExactSums).
struct ChainedRecords {
  std::vector<std::int64_t> records;  // or kNobody
  std::vector<std::int64_t> chain_ends;
};

// For a Poisson batch of a plan that fills them: each record at a place of its own, all ways to
// place them being as likely. So where the others stand has the same distribution whether a record
// was drawn or not. None if nobody was drawn; more places than the plan has only if these do not
// suffice.
ChainedRecords at_places(const std::vector<std::int64_t>& records, const Plan& plan,
                         std::int64_t longest_chain, RandomSource& random);

// For gradients that no other sample of the batch has an influence on. With Poisson sampling each
// record draws its own block, so that no other moves if it is not there; a block's records are
// chained in their order. Fixed-size batches are put in a random order: drawing one record for
// another then changes one place. In all other cases the record that differs has the same place in
// both of two neighbours, and chains are simply cut one after another; but under add-remove all
// later records move up without one, so that each is a chain of its own.
ChainedRecords in_blocks(const std::vector<std::int64_t>& records, const Plan& plan,
                         std::int64_t longest_chain, RandomSource& random);

}  // namespace sotto
