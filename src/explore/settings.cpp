#include "explore/settings.h"

#include <cmath>
#include <limits>

#include "core/finite_number.h"
#include "sotto/core/error.h"

namespace sotto::explore {

namespace {

// Whatever was sent goes into a message of one line.
std::string shortened(const std::string& text) {
  constexpr std::size_t kLongest = 40;
  std::string shown;
  for (const char c : text.substr(0, kLongest)) {
    shown += c >= ' ' && c <= '~' ? c : '?';
  }
  return text.size() > kLongest ? shown + "..." : shown;
}

[[noreturn]] void reject(const char* name, const std::string& text, const char* accepted) {
  throw InvalidArgument(std::string(name) + " '" + shortened(text) + "': expected " + accepted);
}

template <typename Accepts>
double number(const Parameters& parameters, const char* name, const char* accepted,
              Accepts accepts) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) throw InvalidArgument(std::string(name) + " is missing");
  const auto value = finite_number(found->second);
  if (!value || !accepts(*value)) reject(name, found->second, accepted);
  return *value;
}

std::int64_t count(const Parameters& parameters, const char* name, const char* accepted,
                   double most) {
  return static_cast<std::int64_t>(number(parameters, name, accepted, [most](double value) {
    return value >= 1 && value <= most && value == std::floor(value);
  }));
}

}  // namespace

accounting::PlannedRun Settings::planned(Precision precision) const {
  accounting::TrainingRunOptions options;
  options.dataset_size = dataset_size;
  options.batch_size = batch_size;
  options.noise_multiplier = noise_multiplier;
  options.epochs = epochs;
  return {options, planned_neighbours(), delta, accounting_options(precision)};
}

accounting::TrainingRun Settings::run() const {
  return accounting::TrainingRun(planned(Precision::kFull).run);
}

Settings settings_from(const Parameters& parameters) {
  Settings settings{};
  settings.dataset_size =
      count(parameters, "dataset_size", "a whole number from 1 to 1e10", kMostRecords);
  settings.batch_size =
      count(parameters, "batch_size", "a whole number from 1 to 1e10", kMostRecords);
  if (settings.batch_size > settings.dataset_size) {
    reject("batch_size", parameters.at("batch_size"), "at most dataset_size");
  }
  settings.noise_multiplier =
      number(parameters, "noise_multiplier", "a number from 0 to 1e6",
             [](double value) { return value >= 0 && value <= kMostNoise; });
  settings.epochs = count(parameters, "epochs", "a whole number from 1 to 1e6", kMostEpochs);
  settings.delta = number(parameters, "delta", "a number from 1e-100 to below 1",
                          [](double value) { return value >= kLeastDelta && value < 1; });
  settings.target_epsilon = number(parameters, "target_epsilon", "a number above 0",
                                   [](double value) { return value > 0; });
  return settings;
}

}  // namespace sotto::explore
