#include "private/noise.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <span>

#include "core/machine_clones.h"
#include "sotto/core/distributions.h"
#include "sotto/core/error.h"
#include "sotto/core/gaussian_block.h"

namespace sotto {
namespace {

constexpr std::int64_t kBlock = 1024;  // stays in the first cache

// values <- (values + deviation·noise)·scale, in double. Returns false if a result is not finite:
// its exponent's bits are all ones then, and no other number's are as large.
#define SOTTO_ADD_NOISE(Value, Bits)                                                           \
  SOTTO_CLONES bool add_scaled(Value* __restrict values, const double* __restrict noise,       \
                               std::int64_t count, double deviation, double scale) {           \
    constexpr Bits kMagnitude = std::numeric_limits<Bits>::max();                              \
    Bits largest = 0;                                                                          \
    for (std::int64_t i = 0; i < count; ++i) {                                                 \
      values[i] =                                                                              \
          static_cast<Value>((static_cast<double>(values[i]) + deviation * noise[i]) * scale); \
      largest = std::max(largest, std::bit_cast<Bits>(values[i]) & kMagnitude);                \
    }                                                                                          \
    return largest < std::bit_cast<Bits>(std::numeric_limits<Value>::infinity());              \
  }
SOTTO_ADD_NOISE(float, std::int32_t)  // target_clones does not take templates
SOTTO_ADD_NOISE(double, std::int64_t)
#undef SOTTO_ADD_NOISE

template <typename Value>
bool noise_range(Value* values, std::int64_t begin, std::int64_t end, double deviation,
                 double divisor, RandomSource& random) {
  std::array<double, kBlock> noise;  // NOLINT: filled before it is read
  bool finite = true;
  while (begin < end) {
    const std::int64_t count = std::min(kBlock, end - begin);
    fill_standard_normal(std::span(noise.data(), static_cast<std::size_t>(count)), random);
    if (!add_scaled(values + begin, noise.data(), count, deviation, 1 / divisor)) finite = false;
    begin += count;
  }
  return finite;
}

}  // namespace

Noise::Noise() { sources_.push_back(std::make_unique<SecureRandom>()); }

Noise::Noise(std::uint64_t insecure_seed) {
  sources_.push_back(std::make_unique<SeededRandomNotPrivate>(insecure_seed));
}

void Noise::prepare_threads() {
  const auto threads = static_cast<std::size_t>(at::get_num_threads());
  while (sources_.size() < threads) sources_.push_back(std::make_unique<SecureRandom>());
}

bool Noise::add_and_divide(at::Tensor& sum, double standard_deviation, double divisor) {
  check_argument(sum.is_contiguous() && sum.device().is_cpu(),
                 "noise needs contiguous CPU tensors");
  std::atomic<bool> finite = true;
  AT_DISPATCH_FLOATING_TYPES(sum.scalar_type(), "add_noise", [&] {
    auto* values = sum.data_ptr<scalar_t>();
    if (!is_private()) {  // one sequence, whatever the number of threads
      finite = noise_range(values, 0, sum.numel(), standard_deviation, divisor, *sources_.front());
      return;
    }
    prepare_threads();
    at::parallel_for(0, sum.numel(), kBlock, [&](std::int64_t begin, std::int64_t end) {
      auto& random = *sources_[static_cast<std::size_t>(at::get_thread_num())];
      if (!noise_range(values, begin, end, standard_deviation, divisor, random)) finite = false;
    });
  });
  return finite;
}

double Noise::draw(double standard_deviation) {
  return draw_gaussian(standard_deviation, *sources_.front());
}

}  // namespace sotto
