#include "plan/blocks.h"

#include <algorithm>
#include <utility>

namespace sotto {
namespace {

using accounting::Sampling;

constexpr std::int64_t kMeanBlock = 64;  // records, at most

void chain(std::int64_t begin, std::int64_t end, std::int64_t longest,
           std::vector<std::int64_t>& ends) {
  while (begin < end) ends.push_back(begin = std::min(end, begin + longest));
}

ChainedRecords chained(std::vector<std::int64_t> records, std::int64_t longest_chain) {
  ChainedRecords result{std::move(records), {}};
  chain(0, static_cast<std::int64_t>(result.records.size()), longest_chain, result.chain_ends);
  return result;
}

// Below `limit`, uniformly: words that would favour small numbers are drawn again.
std::uint64_t below(std::uint64_t limit, RandomSource& random) {
  const std::uint64_t uneven = (0 - limit) % limit;
  std::uint64_t word = random();
  while (word < uneven) word = random();
  return word % limit;
}

// Fisher and Yates.
void shuffle(std::vector<std::int64_t>& records, RandomSource& random) {
  for (std::size_t left = records.size(); left > 1; --left) {
    std::swap(records[left - 1], records[below(left, random)]);
  }
}

// Any distribution serves, as long as it does not depend on the other records: a remainder's slight
// unevenness does no harm.
std::vector<std::vector<std::int64_t>> drawn_blocks(const std::vector<std::int64_t>& records,
                                                    std::int64_t count, RandomSource& random) {
  std::vector<std::vector<std::int64_t>> blocks(static_cast<std::size_t>(count));
  for (const auto record : records) blocks[random() % blocks.size()].push_back(record);
  return blocks;
}

ChainedRecords chained_by_block(const std::vector<std::int64_t>& records, const Plan& plan,
                                std::int64_t longest_chain, RandomSource& random) {
  ChainedRecords result;
  const std::int64_t count = (plan.batch_size() + kMeanBlock - 1) / kMeanBlock;
  for (const auto& block : drawn_blocks(records, count, random)) {
    const auto begin = static_cast<std::int64_t>(result.records.size());
    result.records.insert(result.records.end(), block.begin(), block.end());
    chain(begin, begin + static_cast<std::int64_t>(block.size()), longest_chain, result.chain_ends);
  }
  return result;
}

}  // namespace

ChainedRecords at_places(const std::vector<std::int64_t>& records, const Plan& plan,
                         std::int64_t longest_chain, RandomSource& random) {
  if (records.empty()) return {};
  auto count = static_cast<std::size_t>(plan.places().value());
  while (count < records.size()) count *= 2;
  std::vector<std::int64_t> places(count, kNobody);
  std::copy(records.begin(), records.end(), places.begin());
  shuffle(places, random);
  return chained(std::move(places), longest_chain);
}

ChainedRecords in_blocks(const std::vector<std::int64_t>& records, const Plan& plan,
                         std::int64_t longest_chain, RandomSource& random) {
  if (plan.options().sampling == Sampling::kPoisson) {
    return chained_by_block(records, plan, longest_chain, random);
  }
  auto order = records;
  if (plan.options().sampling == Sampling::kFixedSize) shuffle(order, random);
  const bool keep_places = plan.neighbours().adjacency() != accounting::Adjacency::kAddRemove;
  return chained(std::move(order), keep_places ? longest_chain : 1);
}

}  // namespace sotto
