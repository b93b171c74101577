#include "sotto/plan/norm_statistics.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "plan/norm_json.h"
#include "tests/engine/training_fixture.h"

namespace sotto {
namespace {

using torch::Tensor;

// Bins above the clipping norm.
std::int64_t above_clipping_norm(const NormSummary& summary) {
  std::int64_t count = 0;
  for (std::size_t i = 1; i < summary.histogram.size(); ++i) {
    if (kNormBinEnds[i - 1] >= 1) count += summary.histogram[i];
  }
  return count;
}

TEST(NormStatisticsTest, CountsWhatItIsTold) {
  NormStatistics statistics;
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> first{0.1, 2, 4, 2.0000001, std::nan(""), infinity};
  const std::vector<double> second{0, 33, 1.5};
  statistics.on_norms(first, 2);
  statistics.on_norms(second, 2);
  statistics.on_batch(9);
  statistics.on_batch(0);
  const auto summary = statistics.take();
  EXPECT_EQ(summary.samples, 7);
  EXPECT_EQ(summary.clipped, 3);
  EXPECT_DOUBLE_EQ(*summary.clipped_share(), 3.0 / 7);
  EXPECT_EQ(summary.clipping_norm, 2);
  EXPECT_EQ(*summary.quantiles, (std::array<double, 3>{0, 2, 33}));
  // 0 and 0.1 are at most C/16; 1.5 and 2 lie in (C/2, C]; 2.0000001 and 4 in (C, 2C]; 33 above
  // 16C.
  EXPECT_EQ(summary.histogram, (std::array<std::int64_t, 10>{2, 0, 0, 0, 2, 2, 0, 0, 0, 1}));
  EXPECT_EQ(summary.batches, 2);
  EXPECT_EQ(summary.smallest_batch, 0);
  EXPECT_EQ(summary.largest_batch, 9);
  EXPECT_EQ(summary.mean_batch, 4.5);
}

TEST(NormStatisticsTest, TakingStartsAnew) {
  NormStatistics statistics;
  statistics.on_norms(std::vector<double>{1, 2}, 1);
  statistics.on_batch(2);
  statistics.take();
  const auto empty = statistics.take();
  EXPECT_EQ(empty.samples, 0);
  EXPECT_FALSE(empty.quantiles);
  EXPECT_FALSE(empty.clipped_share());
  statistics.on_batch(5);
  EXPECT_EQ(statistics.take().smallest_batch, 5);
}

TEST(NormStatisticsTest, HistogramAndClippedShareAgreeAtTheEdge) {
  NormStatistics statistics;
  for (int i = 1; i < 2000; ++i) {
    const double bound = std::exp(0.01 * i - 10);
    const double above = std::nextafter(bound, std::numeric_limits<double>::infinity());
    statistics.on_norms(std::vector<double>{bound, above}, bound);
  }
  const auto summary = statistics.take();
  EXPECT_EQ(summary.clipped, 1999);
  EXPECT_EQ(above_clipping_norm(summary), 1999);
}

TEST(NormStatisticsTest, QuantilesAreOrderStatistics) {
  NormStatistics statistics;
  std::vector<double> norms(100);
  std::iota(norms.rbegin(), norms.rend(), 1);
  statistics.on_norms(norms, 1);
  EXPECT_EQ(*statistics.take().quantiles, (std::array<double, 3>{10, 50, 90}));
}

TEST(NormStatisticsTest, SummariesSurviveJson) {
  NormStatistics statistics;
  statistics.on_batch(0);
  auto summary = statistics.take();
  EXPECT_EQ(json_of(norm_summary_from_json(json_of(summary))), json_of(summary));
  statistics.on_norms(std::vector<double>{0.3, 5}, 0.7);
  statistics.on_batch(2);
  summary = statistics.take();
  const auto json = json_of(summary);
  EXPECT_EQ(json_of(norm_summary_from_json(json)), json);
  EXPECT_EQ(json.size(), kNormKeys.size());
  for (const auto* key : kNormKeys) EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_THROW(norm_summary_from_json({{"batch_sizes", 3}}), nlohmann::json::exception);
}

class NormObserverTest : public TrainingFixture {
 protected:
  double norm_of(std::int64_t record) {
    double squared = 0;
    for (const auto& gradient :
         torch::autograd::grad({losses(torch::tensor({record})).sum()}, model->parameters())) {
      squared += gradient.square().sum().item<double>();
    }
    return std::sqrt(squared);
  }

  struct Recorder : NormObserver {
    void on_norms(std::span<const double> values, double clipping_norm) override {
      norms.insert(norms.end(), values.begin(), values.end());
      bound = clipping_norm;
    }
    void on_batch(std::int64_t samples) override { sizes.push_back(samples); }
    std::vector<double> norms;
    std::vector<std::int64_t> sizes;
    double bound = 0;
  };
};

TEST_F(NormObserverTest, SeesEveryNormBeforeClippingAndEveryBatchSize) {
  for (const std::int64_t physical : {0, 3}) {
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    auto plan = options(1, 4);
    plan.max_grad_norm = 0.4;
    Recorder recorder;
    auto engine = make_private(*model, optimizer, plan,
                               {.max_physical_batch_size = physical, .norm_observer = &recorder});
    std::vector<double> expected;
    std::vector<std::int64_t> sizes{0};
    while (auto batch = engine.next_batch()) {
      const Tensor records = batch->indices.masked_select(batch->is_drawn);
      for (std::int64_t i = 0; i < records.size(0); ++i) {
        expected.push_back(norm_of(records[i].item<std::int64_t>()));
      }
      sizes.back() += records.size(0);
      if (engine.step(losses(batch->indices)).stepped) sizes.push_back(0);
    }
    sizes.pop_back();
    EXPECT_EQ(recorder.sizes, sizes);
    EXPECT_EQ(recorder.bound, 0.4);
    ASSERT_EQ(recorder.norms.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(recorder.norms[i], expected[i], 1e-4 * expected[i] + 1e-7);
    }
  }
}

TEST_F(NormObserverTest, EmptyBatchesHaveSizeZero) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto plan = options(1, 100);
  plan.batch_size = 1;  // a third of the batches is empty
  Recorder recorder;
  auto engine = make_private(*model, optimizer, plan, {.norm_observer = &recorder});
  train(engine);
  ASSERT_EQ(recorder.sizes.size(), 100U);
  const auto empty = std::count(recorder.sizes.begin(), recorder.sizes.end(), 0);
  EXPECT_GT(empty, 10);
  EXPECT_LT(empty, 70);
}

TEST_F(NormObserverTest, CountsAsTheEngineDoes) {
  inputs[3].fill_(std::nan(""));
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto plan = options(1, 5);
  plan.sampling = accounting::Sampling::kNone;
  plan.batch_size = kRecords;
  plan.max_grad_norm = 0.5;
  NormStatistics statistics;
  auto engine = make_private(*model, optimizer, plan, {.norm_observer = &statistics});
  while (auto batch = engine.next_batch()) {
    const auto report = engine.step(losses(batch->indices));
    const auto summary = statistics.take();
    EXPECT_EQ(summary.clipped, report.clipped);
    EXPECT_EQ(above_clipping_norm(summary), report.clipped);
    EXPECT_EQ(summary.samples, kRecords - 1);  // one is not finite
    EXPECT_EQ(summary.largest_batch, kRecords);
  }
}

TEST_F(NormObserverTest, ChangesNothing) {
  std::vector<Tensor> results;
  NormStatistics statistics;
  for (NormObserver* observer : std::initializer_list<NormObserver*>{nullptr, &statistics}) {
    torch::manual_seed(5);
    model = make_model();
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    auto engine =
        make_private(*model, optimizer, options(), {.insecure_seed = 9, .norm_observer = observer});
    train(engine);
    results.push_back(weights());
  }
  EXPECT_TRUE(torch::equal(results[0], results[1]));
}

}  // namespace
}  // namespace sotto
