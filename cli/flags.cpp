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

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
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

bool parse_arguments(CLI::App& app, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants it
  try {
    app.parse(arguments);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(one_line(error.what()));
  }
}

}  // namespace sotto::cli
