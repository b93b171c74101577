#include "private/noise.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <array>
#include <cmath>
#include <span>

#include "core/rounded_normal.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

constexpr std::int64_t kBlock = 1024;  // stays in the first cache
constexpr int kDeviationBits = 12;

// What noised numbers are multiples of; a deviation is 4096 to 8192 of them.
double step_of(double deviation) { return std::ldexp(1.0, std::ilogb(deviation) - kDeviationBits); }

// Products are rounded: never below what the plan says.
double rounded_up(double deviation) { return deviation * (1 + 0x1p-50); }

struct Scales {
  double into_steps;   // of a number of units
  double out_of_them;  // with the division
};

template <typename Value>
void release_range(const double* sum, Value* out, std::int64_t begin, std::int64_t end,
                   const Scales& scales, const RoundedNormal& normal, RandomSource& random) {
  std::array<double, kBlock> steps;  // NOLINT: filled before it is read
  while (begin < end) {
    const std::int64_t count = std::min(kBlock, end - begin);
    for (std::int64_t i = 0; i < count; ++i) steps[i] = sum[begin + i] * scales.into_steps;
    normal.add_to(std::span(steps.data(), static_cast<std::size_t>(count)), random);
    for (std::int64_t i = 0; i < count; ++i) {
      out[begin + i] = static_cast<Value>(steps[i] * scales.out_of_them);
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
  const double step = step_of(rounded_up(deviation));
  const RoundedNormal normal(rounded_up(deviation) / step);
  const Scales scales{unit / step, step / divisor};
  const auto* from = sum.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(result.scalar_type(), "release", [&] {
    auto* to = result.data_ptr<scalar_t>();
    if (!is_private()) {  // one sequence, whatever the number of threads
      release_range(from, to, 0, sum.numel(), scales, normal, *sources_.front());
      return;
    }
    prepare_threads();
    at::parallel_for(0, sum.numel(), kBlock, [&](std::int64_t begin, std::int64_t end) {
      auto& random = *sources_[static_cast<std::size_t>(at::get_thread_num())];
      release_range(from, to, begin, end, scales, normal, random);
    });
  });
}

double Noise::release(double value, double deviation) {
  const double step = step_of(rounded_up(deviation));
  double steps = value / step;
  RoundedNormal(rounded_up(deviation) / step).add_to({&steps, 1}, *sources_.front());
  return steps * step;
}

}  // namespace sotto
