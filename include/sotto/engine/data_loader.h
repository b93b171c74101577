// Private batches of a torch::data dataset, by LibTorch's own DataLoader.
//
//   auto loader = sotto::make_private_loader(engine, MNIST("data"));
//   while (engine.steps() < engine.step_limit()) {
//     for (auto& batch : *loader) {  // one epoch
//       if (batch.size() > 0) engine.step(per_sample_losses(batch.data, batch.target));
//       if (batch.last_part) schedule.step();
//     }
//   }
//
// The plan decides which records are in a batch, so a loader with any other sampler is not private.
// The loader has no workers: they would draw batches ahead of the ledger, and the next batch may
// depend on what the last one released.
#pragma once

#include <torch/data/dataloader.h>
#include <torch/data/datasets/base.h>
#include <torch/data/example.h>
#include <torch/data/transforms/stack.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "sotto/engine/privacy_engine.h"

namespace sotto {

// A batch with its examples, of which padding is zeros. A batch that nobody was drawn for has none
// (data and target are of sizes {0}), and is handed out like any other: see
// PrivacyEngine::next_batch().
struct LoadedBatch : Batch {
  at::Tensor data;    // (n, ...)
  at::Tensor target;  // (n, ...)
};

// What the sampler tells the dataset.
class BatchRequest {
 public:
  explicit BatchRequest(Batch batch) : batch_(std::move(batch)) {}
  const Batch& batch() const { return batch_; }
  // A loader stops at an empty request, and drops one that is smaller than its batch size. It must
  // do neither with a batch that was drawn.
  static constexpr std::size_t size() { return std::numeric_limits<std::size_t>::max(); }

 private:
  Batch batch_;
};

// Each request is for the engine's next_batch(), and throws what that throws. An epoch ends when
// the plan's steps_per_epoch() are made, counting those of the epoch before a restore(), or when
// the engine has no batch left; one that was broken off goes on where it was.
class EngineSampler : public torch::data::samplers::Sampler<BatchRequest> {
 public:
  // The engine must outlive the sampler, and stay where it is.
  explicit EngineSampler(PrivacyEngine& engine);

  // Begins an epoch. `new_size` changes nothing: the plan knows the size.
  void reset(torch::optional<std::size_t> new_size = {}) override;
  // Throws InvalidArgument for a batch size that was set (1 is a loader's default) and is not the
  // plan's, std::logic_error if the batch before was not used: a loader with workers.
  torch::optional<BatchRequest> next(std::size_t batch_size) override;

  // Throw std::logic_error: what must be kept is in PrivacyEngine::checkpoint().
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;

 private:
  PrivacyEngine* engine_;
  std::int64_t epoch_end_ = 0;  // in steps
};

namespace detail {

using Examples = torch::data::Example<>;

inline Examples collated(Examples examples) { return examples; }
inline Examples collated(std::vector<Examples> examples) {
  return torch::data::transforms::Stack<Examples>().apply_batch(std::move(examples));
}

// `examples_of` is asked for records that were drawn, if there are any.
LoadedBatch load(const Batch& batch,
                 const std::function<Examples(c10::ArrayRef<std::size_t> records)>& examples_of);
void require_size(const PrivacyEngine& engine, std::size_t dataset_size);

}  // namespace detail

// A dataset of Example<>, collated (by map(Stack<>())) or not, as the engine's batches want it.
template <typename Dataset>
class PrivateExamples : public torch::data::datasets::BatchDataset<PrivateExamples<Dataset>,
                                                                   LoadedBatch, BatchRequest> {
 public:
  explicit PrivateExamples(Dataset dataset) : dataset_(std::move(dataset)) {}

  // Reads no record that was not drawn.
  LoadedBatch get_batch(BatchRequest request) override {
    return detail::load(request.batch(), [&](c10::ArrayRef<std::size_t> records) {
      return detail::collated(dataset_.get_batch(records));
    });
  }

  torch::optional<std::size_t> size() const override { return dataset_.size(); }

 private:
  Dataset dataset_;
};

// Throws InvalidArgument unless the dataset has as many records as the engine's plan. The engine
// must outlive the loader, and stay where it is.
template <typename Dataset>
auto make_private_loader(PrivacyEngine& engine, Dataset dataset) {
  if (const auto size = dataset.size()) detail::require_size(engine, *size);
  return torch::data::make_data_loader(PrivateExamples<Dataset>(std::move(dataset)),
                                       EngineSampler(engine), torch::data::DataLoaderOptions());
}

}  // namespace sotto
