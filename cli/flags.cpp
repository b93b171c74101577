#include "cli/flags.h"

namespace sotto::cli {

double number_flag(const std::string& flag, const std::string& text, const Bounds& bounds) {
  return flag_value(flag, text,
                    [&](const std::string& value) { return settings::number(value, bounds); });
}

std::int64_t count_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::count);
}

double nonnegative_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::nonnegative);
}

double positive_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::positive);
}

double probability_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::probability);
}

std::uint64_t seed_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::seed);
}

std::vector<std::string> list_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::list);
}

std::vector<double> number_list_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::numbers);
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
  return flag_value(flag, text, settings::existing_file).string();
}

}  // namespace sotto::cli
