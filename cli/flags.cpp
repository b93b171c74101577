#include "cli/flags.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>

#include "sotto/core/finite_number.h"

namespace sotto::cli {

namespace {

[[noreturn]] void reject(const std::string& flag, const std::string& text, const char* accepted) {
  throw UsageError(flag + " '" + text + "': expected " + accepted);
}

}  // namespace

double number_flag(const std::string& flag, const std::string& text, const Bounds& bounds) {
  const auto value = finite_number(text);
  if (!value) reject(flag, text, bounds.accepted);
  const bool above = bounds.low_included ? *value >= bounds.low : *value > bounds.low;
  const bool below = bounds.high_included ? *value <= bounds.high : *value < bounds.high;
  if (!above || !below) reject(flag, text, bounds.accepted);
  return *value;
}

std::int64_t count_flag(const std::string& flag, const std::string& text) {
  constexpr const char* kAccepted = "a whole number of at least 1";
  const double value = number_flag(flag, text, {1, true, 0x1p53, true, kAccepted});
  if (value != std::floor(value)) reject(flag, text, kAccepted);
  return static_cast<std::int64_t>(value);
}

double nonnegative_flag(const std::string& flag, const std::string& text) {
  return number_flag(flag, text,
                     {0, true, std::numeric_limits<double>::max(), true, "a number, 0 or above"});
}

double positive_flag(const std::string& flag, const std::string& text) {
  return number_flag(flag, text,
                     {0, false, std::numeric_limits<double>::max(), true, "a number above 0"});
}

double probability_flag(const std::string& flag, const std::string& text) {
  return number_flag(flag, text, {0, false, 1, false, "a number between 0 and 1"});
}

accounting::Sampling sampling_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, accounting::sampling_from_name,
                    "one of " + accounting::sampling_names());
}

accounting::Relation relation_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, accounting::relation_from_name,
                    "one of add-remove, replace-one, zero-out");
}

std::string file_flag(const std::string& flag, const std::string& text) {
  std::error_code ignored;
  if (!std::filesystem::exists(text, ignored)) reject(flag, text, "a file that is there");
  return text;
}

}  // namespace sotto::cli
