#include "cli/gan_table_text.h"

#include <algorithm>
#include <cmath>

#include "cli/text_layout.h"
#include "core/calendar_date.h"
#include "core/counted.h"
#include "core/printed_number.h"

namespace sotto::cli {
namespace {

using gan::RealAndSynthetic;

constexpr std::size_t kNameWidth = 34;
constexpr std::size_t kNumberWidth = 12;
constexpr std::size_t kMostShown = 10;  // categories of a column, pairs

std::string right(const std::string& text) {
  const auto width = display_width(text);
  return std::string(width < kNumberWidth ? kNumberWidth - width : 1, ' ') + text;
}

// So that the next column begins where it should, whatever names a table has.
std::string left(const std::string& text) {
  return padded("  " + text, kNameWidth) + (display_width(text) + 2 > kNameWidth ? " " : "");
}

std::string number_cell(double value) {
  return right(std::isnan(value) ? "-" : significant(value, 4));
}
std::string date_cell(double days) {
  return right(std::isnan(days) ? "-" : date_of_days(std::llround(days)));
}
std::string days_cell(double days) {
  return right(std::isnan(days) ? "-" : counted(std::llround(days), "day"));
}
std::string strength_cell(double value) {
  return right(std::isnan(value) ? "-" : with_decimals(value, 2));
}
std::string percent_cell(double share) {
  return right(std::isnan(share) ? "-" : with_decimals(100 * share, 1) + " %");
}

double difference(const RealAndSynthetic& pair) {
  const double size = std::abs(pair.real - pair.synthetic);
  return std::isnan(size) ? -1 : size;  // what does not exist comes last
}

// The numbers 0, 1, ... of those that differ most, at most kMostShown, in their own order.
template <typename Item, typename Measure>
std::vector<std::size_t> most_different(const std::vector<Item>& items, Measure measure) {
  std::vector<std::size_t> order(items.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return difference(measure(items[a])) > difference(measure(items[b]));
  });
  order.resize(std::min(order.size(), kMostShown));
  return order;
}

bool has_missing(const RealAndSynthetic& missing) {
  return missing.real > 0 || missing.synthetic > 0;
}

std::string missing_line(const RealAndSynthetic& missing) {
  if (!has_missing(missing)) return "";
  return left("  (missing)") + percent_cell(missing.real) + percent_cell(missing.synthetic) + "\n";
}

std::string numbers_text(const gan::TableComparison& table) {
  if (table.numbers.empty()) return "";
  std::string text = left("numbers") + right("mean: real") + right("synthetic") +
                     right("spread: real") + right("synthetic") + "\n";
  for (const auto& number : table.numbers) {
    const auto mean = number.is_date ? date_cell : number_cell;
    const auto deviation = number.is_date ? days_cell : number_cell;
    text += left(number.column) + mean(number.mean.real) + mean(number.mean.synthetic) +
            deviation(number.deviation.real) + deviation(number.deviation.synthetic) + "\n" +
            missing_line(number.missing);
  }
  return text;
}

std::string categories_text(const gan::TableComparison& table) {
  std::string text = left("categories") + right("real") + right("synthetic") + "\n";
  for (const auto& column : table.categories) {
    auto shown = most_different(column.shares, [](const auto& share) { return share; });
    std::sort(shown.begin(), shown.end());
    for (const auto i : shown) {
      text += left(column.column + ": " + column.names[i]) + percent_cell(column.shares[i].real) +
              percent_cell(column.shares[i].synthetic) + "\n";
    }
    if (shown.size() < column.shares.size()) {
      text += left(column.column + ": ...") + "  and " +
              std::to_string(column.shares.size() - shown.size()) +
              " that differ less; all of them with --json\n";
    }
    text += missing_line(column.missing);
  }
  return text;
}

const char* sign(gan::Association association) {
  switch (association) {
    case gan::Association::kPearson:
      return "r";
    case gan::Association::kCramersV:
      return "V";
    case gan::Association::kCorrelationRatio:
      break;
  }
  return "η";
}

std::string pairs_text(const gan::TableComparison& table) {
  if (table.pairs.empty()) return "";
  const auto shown = most_different(table.pairs, [](const auto& pair) { return pair.strength; });
  std::string text = left("pairs of columns") + right("real") + right("synthetic") + "\n";
  for (const auto i : shown) {
    const auto& pair = table.pairs[i];
    text += left(pair.first + ", " + pair.second + " (" + sign(pair.association) + ")") +
            strength_cell(pair.strength.real) + strength_cell(pair.strength.synthetic) + "\n";
  }
  text += "  ";
  if (shown.size() < table.pairs.size()) {
    text += "These differ most of " + std::to_string(table.pairs.size()) + " pairs. ";
  }
  return text + "On average they differ by " +
         (std::isnan(table.mean_pair_difference())
              ? std::string("nothing known")
              : with_decimals(table.mean_pair_difference(), 2)) +
         ".\n  r: correlation of two numbers; V: Cramér's, of two columns of categories; η: how "
         "far "
         "a\n  column of categories explains a number.\n";
}

}  // namespace

std::string comparison_text(const gan::TableComparison& table) {
  return "The table against " + counted(table.real_rows, "real " + table.rows + " row") + ":\n" +
         numbers_text(table) + categories_text(table) + pairs_text(table);
}

}  // namespace sotto::cli
