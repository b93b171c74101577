#include "private/noise.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <array>
#include <span>

#include "sotto/core/distributions.h"
#include "sotto/core/error.h"
#include "sotto/core/gaussian_block.h"

namespace sotto {
namespace {

constexpr std::int64_t kBlock = 8192;

template <typename Value>
void noise_range(Value* values, std::int64_t begin, std::int64_t end, double deviation,
                 double divisor, RandomSource& random) {
  std::array<double, kBlock> noise;  // NOLINT: filled before it is read
  while (begin < end) {
    const std::int64_t count = std::min(kBlock, end - begin);
    fill_standard_normal(std::span(noise.data(), static_cast<std::size_t>(count)), random);
    Value* block = values + begin;
    for (std::int64_t i = 0; i < count; ++i) {
      block[i] =
          static_cast<Value>((static_cast<double>(block[i]) + deviation * noise[i]) / divisor);
    }
    begin += count;
  }
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

void Noise::add_and_divide(at::Tensor& sum, double standard_deviation, double divisor) {
  check_argument(sum.is_contiguous() && sum.device().is_cpu(),
                 "noise needs contiguous CPU tensors");
  AT_DISPATCH_FLOATING_TYPES(sum.scalar_type(), "add_noise", [&] {
    auto* values = sum.data_ptr<scalar_t>();
    if (!is_private()) {  // one sequence, whatever the number of threads
      noise_range(values, 0, sum.numel(), standard_deviation, divisor, *sources_.front());
      return;
    }
    prepare_threads();
    at::parallel_for(0, sum.numel(), kBlock, [&](std::int64_t begin, std::int64_t end) {
      noise_range(values, begin, end, standard_deviation, divisor,
                  *sources_[static_cast<std::size_t>(at::get_thread_num())]);
    });
  });
}

double Noise::draw(double standard_deviation) {
  return draw_gaussian(standard_deviation, *sources_.front());
}

}  // namespace sotto
