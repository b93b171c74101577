#include "sotto/engine/data_loader.h"

#include <ATen/ATen.h>

#include <stdexcept>

#include "sotto/core/error.h"

namespace sotto {
namespace {

using at::Tensor;

[[noreturn]] void refuse_archives() {
  throw std::logic_error(
      "batches are not kept in an archive of LibTorch's: PrivacyEngine::checkpoint() has what a "
      "checkpoint needs");
}

std::vector<std::size_t> numbers_of(const Tensor& records) {
  const auto* first = records.data_ptr<std::int64_t>();
  return {first, first + records.numel()};
}

// `rows` at these places among `count`; the others are zeros.
Tensor spread(const Tensor& rows, const Tensor& places, std::int64_t count) {
  check_argument(rows.dim() > 0 && rows.size(0) == places.size(0), "the dataset was asked for ",
                 places.size(0), " examples, got ", rows.dim() > 0 ? rows.size(0) : 1);
  auto sizes = rows.sizes().vec();
  sizes[0] = count;
  return at::zeros(sizes, rows.options()).index_copy_(0, places.to(rows.device()), rows);
}

}  // namespace

EngineSampler::EngineSampler(PrivacyEngine& engine) : engine_(&engine) { reset(); }

void EngineSampler::reset(torch::optional<std::size_t> /*new_size*/) {
  const auto per_epoch = engine_->plan().steps_per_epoch();
  epoch_end_ = (engine_->steps() / per_epoch + 1) * per_epoch;
}

torch::optional<BatchRequest> EngineSampler::next(std::size_t batch_size) {
  const auto planned = engine_->plan().batch_size();
  check_argument(batch_size == 1 || batch_size == static_cast<std::size_t>(planned),
                 "the loader's batch size is ", batch_size, ", the plan's is ", planned,
                 ": leave it to the plan");
  if (!engine_->inside_batch() && engine_->steps() >= epoch_end_) return {};
  auto batch = engine_->next_batch();
  if (!batch) return {};
  return BatchRequest(std::move(*batch));
}

void EngineSampler::save(torch::serialize::OutputArchive& /*archive*/) const { refuse_archives(); }
void EngineSampler::load(torch::serialize::InputArchive& /*archive*/) { refuse_archives(); }

namespace detail {

LoadedBatch load(const Batch& batch,
                 const std::function<Examples(c10::ArrayRef<std::size_t>)>& examples_of) {
  if (batch.size() == 0) return {batch, at::empty({0}), at::empty({0})};
  const Tensor places = batch.is_drawn.nonzero().squeeze(1);
  const auto examples = examples_of(numbers_of(batch.indices.index_select(0, places)));
  return {batch, spread(examples.data, places, batch.size()),
          spread(examples.target, places, batch.size())};
}

void require_size(const PrivacyEngine& engine, std::size_t dataset_size) {
  const auto planned = engine.plan().dataset_size();
  check_argument(dataset_size == static_cast<std::size_t>(planned), "the dataset has ",
                 dataset_size, " records, the plan is for ", planned);
}

}  // namespace detail

}  // namespace sotto
