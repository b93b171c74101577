// Days of the calendar, as tables write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sotto {

// Days since 1970-01-01 of a text such as "2024-02-29" (ISO 8601: four digits, two, two); nothing
// for any other text, or for a day that the calendar does not have.
std::optional<std::int64_t> days_of_date(std::string_view text);

// The other way round. `days` must be of the years 0 to 9999.
std::string date_of_days(std::int64_t days);

}  // namespace sotto
