#include "train/step_memory.h"

#include <algorithm>
#include <cmath>

#include "train/allocation_meter.h"
#include "train/process_memory.h"

namespace sotto::train {
namespace {

std::int64_t values_in(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto size : shape) count *= size;
  return count;
}

// Large enough that fixed costs do not hide what a sample costs, small enough to take no time.
std::int64_t small_batch(const Network& network) {
  constexpr std::int64_t kLargeSample = 20'000;
  return values_in(network.shape) > kLargeSample ? 2 : 32;
}

StepBytes combined(const StepBytes& one, const StepBytes& other, double weight_of_other) {
  const auto mix = [&](double StepBytes::*phase) {
    return one.*phase + weight_of_other * (other.*phase - one.*phase);
  };
  StepBytes result;
  for (const auto phase : {&StepBytes::model, &StepBytes::batch, &StepBytes::forward,
                           &StepBytes::backward, &StepBytes::step}) {
    result.*phase = mix(phase);
  }
  return result;
}

}  // namespace

std::optional<StepBytes> measure_step(const StepSetting& setting, std::int64_t batch) {
  AllocationMeter meter;
  const auto tensors_before = meter.live();
  const auto all_before = allocated_bytes();
  const auto in_tensors = [&](std::int64_t bytes) {
    return static_cast<double>(bytes - tensors_before);
  };
  StepBytes bytes;
  Network network = setting.make_network();
  bytes.model = in_tensors(meter.live());
  Workload workload(std::move(network), batch);
  bytes.batch = bytes.forward = in_tensors(meter.live());
  StepOptions options;
  options.optimizer = setting.optimizer;
  options.after_forward = [&] { bytes.forward = in_tensors(meter.live()); };
  const auto step = make_step(setting.path, workload, options);
  if (!step) return std::nullopt;
  meter.reset_peak();
  step();
  step();  // with gradients and the optimizer's state in place
  // Fused kernels hold memory outside tensors, for as long as they live.
  const double outside =
      std::max(0.0, static_cast<double>(allocated_bytes() - all_before) - in_tensors(meter.live()));
  bytes.backward = in_tensors(meter.peak()) + outside;
  bytes.step = in_tensors(meter.live()) + outside;
  return bytes;
}

std::optional<StepPrediction> StepPrediction::make(const StepSetting& setting) {
  StepPrediction prediction;
  prediction.small_ = small_batch(setting.make_network());
  prediction.large_ = 2 * prediction.small_;
  static_cast<void>(
      measure_step(setting, prediction.small_));  // what is allocated once per process
  const auto at_small = measure_step(setting, prediction.small_);
  const auto at_large = measure_step(setting, prediction.large_);
  if (!at_small || !at_large) return std::nullopt;
  prediction.at_small_ = *at_small;
  prediction.at_large_ = *at_large;
  return prediction;
}

StepBytes StepPrediction::at(std::int64_t batch) const {
  const double place = static_cast<double>(batch - small_) / static_cast<double>(large_ - small_);
  return combined(at_small_, at_large_, place);
}

std::int64_t StepPrediction::largest_batch(double bytes) const {
  constexpr double kMost = 1e9;
  const double slope = at_large_.peak() - at_small_.peak();
  if (slope <= 0) return at(1).peak() <= bytes ? static_cast<std::int64_t>(kMost) : 0;
  const double steps = (bytes - at_small_.peak()) / slope;
  const double batch = static_cast<double>(small_) + steps * static_cast<double>(large_ - small_);
  return static_cast<std::int64_t>(std::clamp(std::floor(batch), 0.0, kMost));
}

}  // namespace sotto::train
