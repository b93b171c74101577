#include "explore/train_line.h"

#include <cstdio>

namespace sotto::explore {

namespace {

// Every digit that it takes to read back the same number, and no more.
std::string exact_digits(double value) {
  char text[64];
  for (int precision = 1; precision <= 17; ++precision) {
    std::snprintf(text, sizeof text, "%.*g", precision, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

std::string dataset_of_size(std::int64_t size) {
  if (size == 60000) return "fashion-mnist";
  if (size == 50000) return "cifar10";
  return "csv:your-data.csv";
}

}  // namespace

std::string train_line(const Settings& settings) {
  if (settings.noise_multiplier == 0) return "# no noise, no privacy: choose a noise multiplier";
  return "sotto train --dataset " + dataset_of_size(settings.dataset_size) + " --batch-size " +
         std::to_string(settings.batch_size) + " --epochs " + std::to_string(settings.epochs) +
         " --noise-multiplier " + exact_digits(settings.noise_multiplier) + " --delta " +
         exact_digits(settings.delta);
}

}  // namespace sotto::explore
