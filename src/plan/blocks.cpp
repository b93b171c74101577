#include "plan/blocks.h"

#include <algorithm>

namespace sotto {
namespace {

constexpr std::int64_t kMeanBlock = 64;  // records, at most

void chain(std::int64_t begin, std::int64_t end, std::int64_t longest,
           std::vector<std::int64_t>& ends) {
  while (begin < end) ends.push_back(begin = std::min(end, begin + longest));
}

// Any distribution serves, as long as it does not depend on the other records: a remainder's slight
// unevenness does no harm.
std::vector<std::vector<std::int64_t>> drawn_blocks(const std::vector<std::int64_t>& records,
                                                    std::int64_t count, RandomSource& random) {
  std::vector<std::vector<std::int64_t>> blocks(static_cast<std::size_t>(count));
  for (const auto record : records) blocks[random() % blocks.size()].push_back(record);
  return blocks;
}

}  // namespace

ChainedRecords in_blocks(const std::vector<std::int64_t>& records, const Plan& plan,
                         std::int64_t longest_chain, RandomSource& random) {
  ChainedRecords result;
  const std::int64_t count = (plan.batch_size() + kMeanBlock - 1) / kMeanBlock;
  if (plan.neighbours().relation() != accounting::Relation::kAddRemove || count == 1) {
    result.records = records;
    chain(0, static_cast<std::int64_t>(records.size()), longest_chain, result.chain_ends);
    return result;
  }
  for (const auto& block : drawn_blocks(records, count, random)) {
    const auto begin = static_cast<std::int64_t>(result.records.size());
    result.records.insert(result.records.end(), block.begin(), block.end());
    chain(begin, begin + static_cast<std::int64_t>(block.size()), longest_chain, result.chain_ends);
  }
  return result;
}

}  // namespace sotto
