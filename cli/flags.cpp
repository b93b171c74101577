#include "cli/flags.h"

#include "cli/nearest_word.h"
#include "core/file_steps.h"

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

accounting::Adjacency adjacency_flag(const std::string& flag, const std::string& text) {
  return named_flag(flag, text, accounting::adjacency_from_name,
                    "one of add-remove, replace-one, zero-out");
}

std::string file_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::existing_file).string();
}

std::string folder_flag(const std::string& flag, const std::string& text) {
  return flag_value(flag, text, settings::existing_folder).string();
}

std::string kept_file_flag(const std::string& flag, const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto folder = fs::path(text).parent_path();
  if (text.empty()) throw UsageError(flag + " '': expected the name of a file");
  if (fs::is_directory(text, ignored)) {
    throw UsageError(flag + " '" + text + "': expected a file, not a folder");
  }
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    throw UsageError(flag + " '" + text + "': expected a file in an existing folder");
  }
  if (is_temporary_name(fs::path(text).filename().string())) {
    throw UsageError(flag + " '" + text +
                     "': files of such names are left by killed programs, and "
                     "nobody looks into them; expected another name");
  }
  return text;
}

std::string unknown_word(const std::string& flag, const std::string& text,
                         const std::vector<std::string>& known) {
  std::string listed;
  for (std::size_t i = 0; i < known.size(); ++i) {
    listed += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + known[i];
  }
  const auto nearest = nearest_word(text, known);
  return flag + " '" + text + "': expected " + listed +
         (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
}

}  // namespace sotto::cli
