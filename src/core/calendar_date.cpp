#include "core/calendar_date.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>

namespace sotto {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

int digits_at(std::string_view text, std::size_t begin, std::size_t count) {
  int value = 0;
  std::from_chars(text.data() + begin, text.data() + begin + count, value);
  return value;
}

bool looks_like_date(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  return text.size() == kShape.size() &&
         std::equal(text.begin(), text.end(), kShape.begin(), [](char letter, char expected) {
           return expected == 'd' ? is_digit(letter) : letter == expected;
         });
}

}  // namespace

std::optional<std::int64_t> days_of_date(std::string_view text) {
  using namespace std::chrono;
  if (!looks_like_date(text)) return std::nullopt;
  const year_month_day date{year(digits_at(text, 0, 4)),
                            month(static_cast<unsigned>(digits_at(text, 5, 2))),
                            day(static_cast<unsigned>(digits_at(text, 8, 2)))};
  if (!date.ok()) return std::nullopt;
  return sys_days(date).time_since_epoch().count();
}

std::string date_of_days(std::int64_t days) {
  using namespace std::chrono;
  const year_month_day date{sys_days(std::chrono::days(days))};
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

}  // namespace sotto
