#include "engine/noise.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <span>

#include "core/gaussian_noise.h"
#include "core/rounded_normal.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

constexpr std::int64_t kBlock = 1024;  // what a thread takes at least

// Products are rounded: never below what the plan says.
double rounded_up(double deviation) { return deviation * (1 + 0x1p-50); }

}  // namespace

Noise::Noise() { sources_.push_back(std::make_unique<SecureRandom>()); }

Noise::Noise(std::uint64_t insecure_seed) {
  sources_.push_back(std::make_unique<SeededRandomNotPrivate>(insecure_seed));
}

void Noise::prepare_threads() {
  const auto threads = static_cast<std::size_t>(at::get_num_threads());
  while (sources_.size() < threads) sources_.push_back(std::make_unique<SecureRandom>());
}

at::Tensor Noise::release(const at::Tensor& sum, double unit, double deviation, double divisor,
                          at::ScalarType type) {
  at::Tensor result = at::empty(sum.sizes(), sum.options().dtype(type));
  release_to(result, sum, unit, deviation, divisor);
  return result;
}

void Noise::release_to(at::Tensor& result, const at::Tensor& sum, double unit, double deviation,
                       double divisor) {
  check_argument(sum.is_contiguous() && sum.scalar_type() == at::kDouble && sum.device().is_cpu() &&
                     result.is_contiguous() && result.sizes() == sum.sizes(),
                 "noise needs contiguous CPU tensors, sums in double precision");
  const double step = rounding_step(rounded_up(deviation));
  const RoundedNormal normal(rounded_up(deviation) / step);
  const RoundedNormal::Scales scales{unit / step, step / divisor};
  const auto* from = sum.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(result.scalar_type(), "release", [&] {
    const auto release_range = [&, to = result.data_ptr<scalar_t>()](
                                   std::int64_t begin, std::int64_t end, RandomSource& random) {
      const auto size = static_cast<std::size_t>(end - begin);
      normal.release(std::span(from + begin, size), std::span(to + begin, size), scales, random);
    };
    if (!is_private()) {  // one sequence, whatever the number of threads
      release_range(0, sum.numel(), *sources_.front());
      return;
    }
    prepare_threads();
    at::parallel_for(0, sum.numel(), kBlock, [&](std::int64_t begin, std::int64_t end) {
      release_range(begin, end, *sources_[static_cast<std::size_t>(at::get_thread_num())]);
    });
  });
}

double Noise::release(double value, double deviation) {
  return add_gaussian(value, rounded_up(deviation), *sources_.front());
}

}  // namespace sotto
