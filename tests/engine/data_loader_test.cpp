// A DataLoader's batches are the engine's: the same records, steps and charges as in the plain
// loop.
#include "sotto/engine/data_loader.h"

#include "sotto/core/error.h"
#include "tests/engine/training_fixture.h"

namespace sotto::data_loader {
namespace {

using torch::Tensor;
using Optimizer = torch::optim::SGD;
namespace F = torch::nn::functional;

constexpr std::uint64_t kSeed = 20261119;

struct Records : torch::data::datasets::Dataset<Records> {
  Records(Tensor rows, Tensor classes) : inputs(std::move(rows)), labels(std::move(classes)) {}

  torch::data::Example<> get(std::size_t index) override {
    const auto i = static_cast<std::int64_t>(index);
    return {inputs[i], labels[i]};
  }
  torch::optional<std::size_t> size() const override {
    return static_cast<std::size_t>(inputs.size(0));
  }

  Tensor inputs, labels;
};

class DataLoaderTest : public TrainingFixture {
 protected:
  Records records() const { return {inputs, labels}; }

  Tensor losses_of(const LoadedBatch& batch) {
    return F::cross_entropy(model->forward(batch.data), batch.target,
                            F::CrossEntropyFuncOptions().reduction(torch::kNone));
  }

  template <typename Loader>
  void train_an_epoch(PrivacyEngine& engine, Loader& loader) {
    for (auto& batch : *loader) {
      if (batch.size() > 0) engine.step(losses_of(batch));
      logical_batches += batch.last_part ? 1 : 0;
      empty_batches += batch.size() == 0 ? 1 : 0;
    }
  }

  std::int64_t logical_batches = 0;
  std::int64_t empty_batches = 0;
};

TEST_F(DataLoaderTest, TrainsAsThePlainLoopDoes) {
  for (const std::int64_t max_physical_batch_size : {0, 64}) {
    const EngineOptions seeded{.max_physical_batch_size = max_physical_batch_size,
                               .insecure_seed = kSeed};
    const auto weights_by = [&](auto train_with) {
      torch::manual_seed(1);
      model = make_model();
      Optimizer optimizer(model->parameters(), 0.5);
      auto plan = options(1, 13);
      plan.batch_size = 100;  // in parts, if these are of 64
      auto engine = make_private(*model, optimizer, plan, seeded);
      train_with(engine);
      EXPECT_EQ(engine.steps(), 13);
      return weights();
    };
    const auto by_loop = weights_by([&](PrivacyEngine& engine) {
      while (auto batch = engine.next_batch()) {
        engine.step(losses_of({*batch, batch->rows_of(inputs), batch->rows_of(labels)}));
      }
    });
    const auto by_loader = weights_by([&](PrivacyEngine& engine) {
      const auto loader = make_private_loader(engine, records());
      for (int epoch = 0; epoch < 7; ++epoch) train_an_epoch(engine, loader);
    });
    const auto by_collated = weights_by([&](PrivacyEngine& engine) {
      const auto loader =
          make_private_loader(engine, records().map(torch::data::transforms::Stack<>()));
      for (int epoch = 0; epoch < 7; ++epoch) train_an_epoch(engine, loader);
    });
    EXPECT_TRUE(by_loader.equal(by_loop)) << max_physical_batch_size;
    EXPECT_TRUE(by_collated.equal(by_loop)) << max_physical_batch_size;
  }
}

TEST_F(DataLoaderTest, PaddingIsZerosAndTheRestIsTheRecords) {
  Optimizer optimizer(model->parameters(), 0.5);
  auto engine = make_private(*model, optimizer, options());
  const auto loader = make_private_loader(engine, records());
  auto first = loader->begin();
  const auto& batch = *first;
  ASSERT_GT(batch.size(), batch.is_drawn.sum().item<std::int64_t>());
  EXPECT_TRUE(batch.data.equal(batch.rows_of(inputs)));
  EXPECT_TRUE(batch.target.equal(batch.rows_of(labels)));
  EXPECT_EQ(batch.target.scalar_type(), torch::kLong);
}

// Never: an empty batch that is not charged, that ends an epoch, or that the caller does not see.
TEST_F(DataLoaderTest, EmptyBatchesAreHandedOutAndCharged) {
  Optimizer optimizer(model->parameters(), 0.5);
  auto plan = options(2, 60);
  plan.batch_size = 1;
  auto engine = make_private(*model, optimizer, plan);
  const auto loader = make_private_loader(engine, records());
  train_an_epoch(engine, loader);
  EXPECT_EQ(logical_batches, 60);
  EXPECT_EQ(engine.steps(), 60);
  EXPECT_GT(empty_batches, 5);  // expected: 22
}

TEST_F(DataLoaderTest, EpochsAreThePlansAndEndWithIt) {
  Optimizer optimizer(model->parameters(), 0.5);
  auto engine = make_private(*model, optimizer, options(1, 25), {.max_physical_batch_size = 16});
  const auto loader = make_private_loader(engine, records());
  for (const std::int64_t steps : {10, 20, 25, 25}) {
    train_an_epoch(engine, loader);
    EXPECT_EQ(engine.steps(), steps);
    EXPECT_EQ(logical_batches, steps);
  }
}

TEST_F(DataLoaderTest, AnEpochThatWasBrokenOffGoesOn) {
  Optimizer optimizer(model->parameters(), 0.5);
  auto engine = make_private(*model, optimizer, options(1, 25));
  const auto loader = make_private_loader(engine, records());
  for (auto& batch : *loader) {
    engine.step(losses_of(batch));
    if (engine.steps() == 4) break;
  }
  train_an_epoch(engine, loader);
  EXPECT_EQ(engine.steps(), 10);
}

TEST_F(DataLoaderTest, ABatchThatWasNotUsedIsNotForgotten) {
  Optimizer optimizer(model->parameters(), 0.5);
  auto engine = make_private(*model, optimizer, options());
  const auto loader = make_private_loader(engine, records());
  auto batch = loader->begin();
  static_cast<void>(*batch);
  EXPECT_THROW(++batch, std::logic_error);
  EXPECT_EQ(engine.steps(), 0);
}

// Never: batches drawn ahead of what the one before released.
TEST_F(DataLoaderTest, WorkersAreRefusedBeforeAnyStep) {
  Optimizer optimizer(model->parameters(), 0.5);
  auto engine = make_private(*model, optimizer, options());
  const auto loader =
      torch::data::make_data_loader(PrivateExamples<Records>(records()), EngineSampler(engine),
                                    torch::data::DataLoaderOptions().workers(1));
  EXPECT_THROW(loader->begin(), std::logic_error);
  EXPECT_EQ(engine.steps(), 0);
}

TEST_F(DataLoaderTest, NoBatchIsDroppedAsTooSmall) {
  Optimizer optimizer(model->parameters(), 0.5);
  auto plan = options();
  plan.fill_batches = false;
  auto engine = make_private(*model, optimizer, plan, {.max_physical_batch_size = 1});
  const auto loader =
      torch::data::make_data_loader(PrivateExamples<Records>(records()), EngineSampler(engine),
                                    torch::data::DataLoaderOptions(20).drop_last(true));
  train_an_epoch(engine, loader);
  EXPECT_EQ(engine.steps(), 10);
}

TEST_F(DataLoaderTest, WhatIsNotThePlansIsRefused) {
  Optimizer optimizer(model->parameters(), 0.5);
  auto engine = make_private(*model, optimizer, options());
  EXPECT_THROW(make_private_loader(engine, Records(inputs.narrow(0, 0, 199), labels)),
               InvalidArgument);
  EngineSampler sampler(engine);
  EXPECT_THROW(sampler.next(64), InvalidArgument);
  EXPECT_TRUE(sampler.next(20).has_value());
}

}  // namespace
}  // namespace sotto::data_loader
