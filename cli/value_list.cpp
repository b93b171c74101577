#include "cli/value_list.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "cli/flags.h"
#include "sotto/data/csv.h"
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
