#include "fused/program.h"

#include <algorithm>
#include <limits>

#include "fused/exact_sums.h"
#include "fused/matrix_kernels.h"
#include "fused/thread_team.h"
#include "fused/vector_kernels.h"

namespace sotto::fused {
namespace {

constexpr std::int64_t kCacheBytes = std::int64_t{384} * 1024;  // of a core's second-level cache
constexpr std::int64_t kTileBytes = std::int64_t{16} << 20;     // of a thread, at most
constexpr std::int64_t kBatchBytes = std::int64_t{64} << 20;

std::int64_t linear_weight_bytes(const Network& network) {
  std::int64_t floats = 0;
  for (const auto& layer : network.layers()) {
    if (const auto* linear = dynamic_cast<const Linear*>(layer.get())) {
      floats += linear->inputs() * linear->outputs();
    }
  }
  return floats * static_cast<std::int64_t>(sizeof(float));
}

// No sample's gradient is written out: nothing is gained by keeping samples in the first caches.
bool is_products_only(const Network& network) {
  const auto& layers = network.layers();
  return std::all_of(layers.begin(), layers.end(),
                     [](const auto& layer) { return layer->written_gradients().empty(); });
}

// As many samples as fit in cache; more where weights do not fit either, since every tile reads all
// of them, and cuts them into panels.
std::int64_t choose_tile(const Network& network) {
  const bool products_only = is_products_only(network);
  const std::int64_t most = products_only ? 512 : 128;
  const std::int64_t weights = linear_weight_bytes(network);
  const std::int64_t room =
      std::max(kCacheBytes, products_only ? std::min(weights, kTileBytes) : weights / 2);
  std::int64_t widest = 1;
  for (const auto& slot : network.slots()) widest = std::max(widest, slot.size);
  const std::int64_t addressable = std::numeric_limits<std::int32_t>::max() / (4 * widest);
  return std::clamp<std::int64_t>(room / ThreadMemory::bytes_per_sample(network), 1,
                                  std::clamp<std::int64_t>(addressable, 1, most));
}

// Thread `thread`'s share of `count` things: begin and end.
std::pair<std::int64_t, std::int64_t> share(std::int64_t count, int thread, int threads) {
  return {count * thread / threads, count * (thread + 1) / threads};
}

std::vector<std::int64_t> even_chains(std::int64_t samples) {
  std::vector<std::int64_t> ends;
  for (std::int64_t begin = 0; begin < samples; begin += kLongestChain) {
    ends.push_back(std::min(samples, begin + kLongestChain));
  }
  return ends;
}

// From channel by channel, as LibTorch has it, to pixel by pixel.
void copy_sample(const float* from, const Shape& shape, float* to) {
  if (shape.pixels() == 1 || shape.channels == 1) {
    std::copy_n(from, shape.size(), to);
    return;
  }
  for (std::int64_t c = 0; c < shape.channels; ++c) {
    for (std::int64_t p = 0; p < shape.pixels(); ++p) to[p * shape.channels + c] = *from++;
  }
}

}  // namespace

Program::Program(Network network, int parameters, int threads)
    : network_(std::move(network)),
      parameters_(parameters),
      threads_(threads),
      tile_samples_(choose_tile(network_)),
      batch_limit_(std::clamp<std::int64_t>(
          kBatchBytes / std::max<std::int64_t>(1, BatchMemory::bytes_per_sample(network_)), 64,
          65536)),
      batch_(network_),
      backward_(network_.backward_order()) {
  std::size_t number = 0;
  for (const auto& layer : network_.layers()) {
    layer->settle(number++, written_.size());
    layer->fit(tile_samples_);
    for (const auto& gradient : layer->written_gradients()) {
      written_.emplace_back(layer.get(), gradient);
    }
  }
  for (int thread = 0; thread < threads; ++thread)
    memories_.emplace_back(network_, parameters, tile_samples_);
}

void Program::prepare(const ParameterValues& parameters) {
  const auto& layers = network_.layers();
  on_threads(threads_, [&](int thread) {
    for (auto i = static_cast<std::size_t>(thread); i < layers.size();
         i += static_cast<std::size_t>(threads_)) {
      layers[i]->prepare(parameters);
    }
  });
}

void Program::load(const ProgramInput& input, Tile& tile) const {
  const Shape& shape = network_.input_shape();
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    const std::int64_t at = tile.number + n;
    const std::int64_t record = input.records == nullptr ? at : input.records[at];
    copy_sample(input.samples + record * shape.size(), shape,
                tile.value(network_.input()) + n * shape.size());
  }
}

// Every thread takes its samples in order, tile by tile: what it adds up does not depend on chance.
template <typename Run>
void Program::for_each_tile(const ProgramInput& input, std::int64_t begin, std::int64_t count,
                            Mode mode, const Run& run) {
  batch_.reserve(count);
  on_threads(threads_, [&](int thread) {
    const auto [first, last] = share(count, thread, threads_);
    auto& memory = memories_[static_cast<std::size_t>(thread)];
    if (mode != Mode::kScores) memory.clear_sums(mode);
    const std::int64_t tiles = (last - first + tile_samples_ - 1) / tile_samples_;
    const std::int64_t samples = tiles == 0 ? 1 : (last - first + tiles - 1) / tiles;
    for (std::int64_t at = first; at < last; at += samples) {
      Tile& tile = memory.enter(network_, batch_, at, mode);
      tile.samples = std::min(samples, last - at);
      tile.number = begin + at;
      tile.records = input.records;
      tile.dropping = false;
      load(input, tile);
      run(memory, tile);
    }
  });
}

void Program::scores(const ParameterValues& parameters, const ProgramInput& input, float* out) {
  prepare(parameters);
  const std::int64_t outputs = network_.shape().size();
  for (std::int64_t begin = 0; begin < input.count; begin += batch_limit_) {
    const std::int64_t count = std::min(batch_limit_, input.count - begin);
    for_each_tile(input, begin, count, Mode::kScores, [&](ThreadMemory&, const Tile& tile) {
      for (const auto& layer : network_.layers()) layer->forward(tile);
      std::copy_n(tile.value(network_.output()), tile.samples * outputs,
                  out + tile.number * outputs);
    });
  }
}

void Program::gradients(const ParameterValues& parameters, const ProgramInput& input,
                        const GradientRequest& request) {
  prepare(parameters);
  const auto chain_ends = input.chain_ends.empty() ? even_chains(input.count) : input.chain_ends;
  std::int64_t begin = 0;
  do {  // an empty batch has sums too: zeros
    const Part part = next_part(input, request, chain_ends, begin);
    run_part(part);
    begin += part.count;
  } while (begin < input.count);
}

// Counts of a thread's samples have room for so many.
std::int64_t Program::part_limit(const GradientRequest& request) const {
  return request.clip ? std::min(batch_limit_, kMostCounted * threads_) : batch_limit_;
}

// From `begin` on; what is private ends where a chain does.
Program::Part Program::next_part(const ProgramInput& input, const GradientRequest& request,
                                 const std::vector<std::int64_t>& chain_ends,
                                 std::int64_t begin) const {
  const std::int64_t limit = part_limit(request);
  Part part{input, request, begin, std::min(limit, input.count - begin), request.add || begin > 0};
  if (!request.clip) return part;
  auto end = std::upper_bound(chain_ends.begin(), chain_ends.end(), begin);
  for (; end != chain_ends.end() && *end - begin <= limit; ++end) {
    part.chain_ends.push_back(*end - begin);
  }
  part.count = part.chain_ends.empty() ? 0 : part.chain_ends.back();
  return part;
}

void Program::run_part(const Part& part) {
  factors_.resize(std::max(factors_.size(), static_cast<std::size_t>(parameters_ * part.count)));
  const Mode mode = part.request.clip ? Mode::kPrivate : Mode::kPlain;
  for_each_tile(part.input, part.begin, part.count, mode, [&](ThreadMemory& memory, Tile& tile) {
    tile.dropping = part.request.dropping;
    tile.seed = part.request.seed;
    run_tile(part, memory, tile);
  });
  collect_written(part);
  for (const Linear* layer : network_.linear_layers()) collect_linear(part, *layer);
}

void Program::run_tile(const Part& part, ThreadMemory& memory, Tile& tile) {
  tile.squared_norms = memory.norms();
  tile.norm_stride = tile_samples_;
  std::fill_n(memory.norms(), parameters_ * tile_samples_, 0.0);
  for (const auto& layer : network_.layers()) layer->forward(tile);
  const std::int64_t outputs = network_.shape().size();
  Truth truth = part.request.truth;
  if (truth.labels != nullptr) truth.labels += tile.number;
  if (truth.targets != nullptr) truth.targets += tile.number * outputs;
  sample_losses(part.request.loss, tile.value(network_.output()), tile.samples, outputs, truth,
                part.request.losses + tile.number, tile.gradient(network_.output()));
  for (const Layer* layer : backward_) layer->backward(tile);
  if (tile.is_private()) clip_tile(part, memory, tile);
}

// While the samples' own gradients are still in cache, their clipped ones are added up.
void Program::clip_tile(const Part& part, ThreadMemory& memory, const Tile& tile) {
  part.request.clip(memory.norms(), tile_samples_, tile.samples, memory.factors());
  for (int p = 0; p < parameters_; ++p) {
    std::copy_n(memory.norms() + p * tile_samples_, tile.samples,
                part.request.squared_norms + p * part.input.count + tile.number);
    std::copy_n(memory.factors() + p * tile_samples_, tile.samples,
                factors_.data() + p * part.count + tile.first);
  }
  for (std::size_t i = 0; i < written_.size(); ++i) {
    const auto& gradient = written_[i].second;
    const double* factors = memory.factors() + gradient.parameter * tile_samples_;
    const double per_unit = part.request.per_unit[static_cast<std::size_t>(gradient.parameter)];
    for (std::int64_t n = 0; n < tile.samples; ++n) {
      if (factors[n] == 0) continue;  // whatever the gradient is
      add_cut_off(memory.written()[i] + n * gradient.size, gradient.size,
                  static_cast<float>(factors[n] * per_unit), memory.counts(i));
    }
  }
}

// Adds the threads' sums in their order.
void Program::collect_written(const Part& part) {
  on_threads(threads_, [&](int thread) {
    for (auto i = static_cast<std::size_t>(thread); i < written_.size();
         i += static_cast<std::size_t>(threads_)) {
      const auto& [layer, gradient] = written_[i];
      const auto parameter = static_cast<std::size_t>(gradient.parameter);
      if (part.request.clip) {
        double* out = part.request.exact_sums[parameter];
        if (!part.add) std::fill_n(out, gradient.size, 0.0);
        for (const auto& memory : memories_) {
          layer->add_to_parameter(gradient.parameter, memory.counts(i), out);
        }
      } else {
        float* out = part.request.sums[parameter];
        if (!part.add) std::fill_n(out, gradient.size, 0.0F);
        for (const auto& memory : memories_) {
          layer->add_to_parameter(gradient.parameter, memory.sums()[i], out);
        }
      }
    }
  });
}

const double* Program::factors_of(const Part& part, const Parameter& parameter) const {
  if (!part.request.clip || !parameter.wanted()) return nullptr;
  return factors_.data() + parameter.number * part.count;
}

void Program::collect_linear(const Part& part, const Linear& layer) {
  const LinearBatch batch{batch_.values(layer.place().in), batch_.gradients(layer.place().out),
                          part.count, factors_of(part, layer.weight()),
                          factors_of(part, layer.bias())};
  const auto weight = static_cast<std::size_t>(std::max(0, layer.weight().number));
  const auto bias = static_cast<std::size_t>(std::max(0, layer.bias().number));
  const auto& request = part.request;
  if (!request.clip) {
    if (layer.bias().wanted()) layer.add_bias_gradients(batch, part.add, request.sums[bias]);
    collect_weight(part, layer, batch, 1, [&](std::int64_t at, float* scratch) {
      layer.add_outer_products(batch, scaled_.data(), scaled_row_.data(), at, part.add, scratch,
                               request.sums[weight]);
    });
    return;
  }
  const ExactTerms exact{
      {part.chain_ends.data(), static_cast<std::int64_t>(part.chain_ends.size())},
      request.per_unit[weight],
      request.per_unit[bias]};
  if (layer.bias().wanted()) {
    layer.add_bias_gradients(batch, exact, part.add, request.exact_sums[bias]);
  }
  const double scale = exact.weights_per_unit * static_cast<double>(kChainParts);
  collect_weight(part, layer, batch, scale, [&](std::int64_t at, float* scratch) {
    layer.add_outer_products(batch, exact, scaled_.data(), scaled_row_.data(), at, part.add,
                             scratch, request.exact_sums[weight]);
  });
}

template <typename Add>
void Program::collect_weight(const Part& part, const Linear& layer, const LinearBatch& batch,
                             double scale, const Add& add) {
  if (!layer.weight().wanted()) return;
  scaled_.resize(std::max(scaled_.size(),
                          static_cast<std::size_t>(layer.scale_parts() * part.count * kBlock)));
  while (static_cast<std::int64_t>(scaled_row_.size()) < part.count) {
    scaled_row_.push_back(static_cast<std::int32_t>(scaled_row_.size()) *
                          static_cast<std::int32_t>(kBlock));
  }
  on_threads(threads_, [&](int thread) {
    const auto [first, last] = share(layer.scale_parts(), thread, threads_);
    for (auto at = first; at < last; ++at) layer.scale_gradients(batch, at, scale, scaled_.data());
  });
  on_threads(threads_, [&](int thread) {
    const auto [first, last] = share(layer.outer_parts(part.count), thread, threads_);
    float* scratch = memories_[static_cast<std::size_t>(thread)].panels();
    for (auto at = first; at < last; ++at) add(at, scratch);
  });
}

}  // namespace sotto::fused
