// A logical batch is handed out part by part, each part once.
#include "engine/batch_queue.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/core/error.h"
#include "sotto/core/random.h"

namespace sotto::batch_queue {
namespace {

Plan all_records(std::int64_t count, std::optional<accounting::Adjacency> adjacency = {}) {
  PlanOptions options{.dataset_size = count, .batch_size = count, .steps = 3};
  options.sampling = accounting::Sampling::kNone;
  options.noise_multiplier = 1;
  options.adjacency = adjacency;
  return Plan(options);
}

class BatchQueueTest : public testing::Test {
 protected:
  // The sizes of the parts that a batch of all records is cut into.
  std::vector<std::int64_t> part_sizes(std::int64_t records, std::int64_t max_physical_batch_size) {
    const Plan plan = all_records(records);
    BatchQueue queue(plan, random, max_physical_batch_size);
    queue.draw();
    std::vector<std::int64_t> sizes;
    while (!queue.is_exhausted()) {
      const Batch batch = queue.hand_out();
      sizes.push_back(batch.size());
      EXPECT_EQ(batch.last_part, queue.is_exhausted());
      EXPECT_EQ(queue.waiting_samples(), batch.size());
      EXPECT_EQ(queue.part_in_work().chain_ends.back(), batch.size());
      queue.mark_used();
    }
    return sizes;
  }

  SeededRandomNotPrivate random{3};
};

TEST_F(BatchQueueTest, PartsAreWholeChainsWithinTheLimit) {
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(part_sizes(150, 0), (Sizes{150}));
  EXPECT_EQ(part_sizes(150, 64), (Sizes{64, 64, 22}));
  EXPECT_EQ(part_sizes(150, 130), (Sizes{128, 22}));
  EXPECT_EQ(part_sizes(5, 2), (Sizes{2, 2, 1}));
  EXPECT_EQ(part_sizes(3, 1), (Sizes{1, 1, 1}));
}

TEST_F(BatchQueueTest, APartWaitsUntilItIsUsed) {
  const Plan plan = all_records(4);
  BatchQueue queue(plan, random, 2);
  EXPECT_FALSE(queue.is_inside_batch());
  EXPECT_THROW(queue.waiting_samples(), std::logic_error);
  queue.draw();
  EXPECT_TRUE(queue.is_inside_batch());
  EXPECT_FALSE(queue.is_waiting());
  queue.hand_out();
  EXPECT_TRUE(queue.is_waiting());
  queue.mark_used();
  EXPECT_THROW(queue.waiting_samples(), std::logic_error);
  EXPECT_TRUE(queue.is_inside_batch());
  queue.hand_out();
  EXPECT_TRUE(queue.is_exhausted());
  EXPECT_TRUE(queue.is_inside_batch());  // its gradients are not in
  queue.mark_used();
  EXPECT_FALSE(queue.is_inside_batch());
}

// Never: samples that sums may hold added again.
TEST_F(BatchQueueTest, AnAbandonedBatchLeavesNothingToHandOut) {
  const Plan plan = all_records(4);
  BatchQueue queue(plan, random, 2);
  queue.draw();
  queue.hand_out();
  PartInWork(queue).abandon_batch();
  EXPECT_TRUE(queue.is_exhausted());
  EXPECT_FALSE(queue.is_waiting());
  EXPECT_THROW(queue.waiting_samples(), std::logic_error);
}

TEST_F(BatchQueueTest, AnEmptyBatchIsTakenOnce) {
  const Plan plan = all_records(4);
  BatchQueue queue(plan, random, 0);
  EXPECT_FALSE(queue.take_empty());
  EXPECT_EQ(queue.hand_out_empty().size(), 0);
  EXPECT_EQ(queue.waiting_samples(), 0);
  EXPECT_FALSE(queue.is_inside_batch());
  EXPECT_TRUE(queue.take_empty());
  EXPECT_FALSE(queue.take_empty());
}

TEST_F(BatchQueueTest, SizesMayNotDependOnARecord) {
  const Plan zero_out = all_records(4);
  const Plan add_remove = all_records(4, accounting::Adjacency::kAddRemove);
  EXPECT_NO_THROW(BatchQueue(zero_out, random, 0).require_kept_places());
  EXPECT_NO_THROW(BatchQueue(add_remove, random, 1).require_kept_places());
  EXPECT_THROW(BatchQueue(add_remove, random, 0).require_kept_places(), InvalidArgument);
  EXPECT_THROW(BatchQueue(add_remove, random, 2).require_kept_places(), InvalidArgument);
}

}  // namespace
}  // namespace sotto::batch_queue
