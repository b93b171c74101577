#include "cli/value_list.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "cli/flags.h"
#include "sotto/core/atomic_file.h"
#include "sotto/data/csv.h"
#include "sotto/data/image_folder.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::cli {

std::vector<std::string> list_flag(const std::string& flag, const std::string& text) {
  std::istringstream input(text);
  data::CsvReader reader(input, flag + " '" + text + "'");
  std::vector<std::string> fields;
  reader.next(fields);
  for (auto& field : fields) field = std::string(mechanisms::trimmed(field));
  std::vector<std::string> more;
  const bool complete = !fields.empty() && !reader.next(more) &&
                        std::none_of(fields.begin(), fields.end(),
                                     [](const std::string& field) { return field.empty(); });
  if (!complete) throw UsageError(flag + " '" + text + "': expected values separated by commas");
  return fields;
}

std::vector<std::string> list_or_file_flag(const std::string& flag, const std::string& text) {
  if (!text.starts_with('@')) return list_flag(flag, text);
  std::istringstream lines(read_file(file_flag(flag, text.substr(1))));
  std::vector<std::string> values;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const std::string value(mechanisms::trimmed(line));
    if (!value.empty()) values.push_back(value);
  }
  if (values.empty()) throw UsageError(flag + " '" + text + "': expected one value per line");
  return values;
}

std::vector<std::string> class_names_flag(const std::string& flag, const std::string& text) {
  auto names = list_or_file_flag(flag, text);
  try {
    data::check_class_names(names);
  } catch (const InvalidArgument& error) {
    throw UsageError(flag + " '" + text + "': " + error.what());
  }
  return names;
}

std::vector<double> number_list_flag(const std::string& flag, const std::string& text) {
  constexpr double kMost = std::numeric_limits<double>::max();
  std::vector<double> numbers;
  for (const auto& value : list_flag(flag, text)) {
    numbers.push_back(
        number_flag(flag, value, {-kMost, true, kMost, true, "numbers separated by commas"}));
  }
  return numbers;
}

}  // namespace sotto::cli
