#include "core/calendar_date.h"

#include <gtest/gtest.h>

namespace sotto {
namespace {

TEST(CalendarDate, DaysAndBack) {
  EXPECT_EQ(days_of_date("1970-01-01"), 0);
  EXPECT_EQ(days_of_date("2024-02-29"), 19782);
  EXPECT_EQ(days_of_date("2023-02-29"), std::nullopt);
  EXPECT_EQ(date_of_days(19782), "2024-02-29");
  for (const std::int64_t days : {-719528, -1, 0, 59, 19782, 2932896}) {
    EXPECT_EQ(days_of_date(date_of_days(days)), days);
  }
}

}  // namespace
}  // namespace sotto
