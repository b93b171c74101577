#include "core/counted.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sotto {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "run"), "0 runs");
  EXPECT_EQ(counted(1, "run"), "1 run");
  EXPECT_EQ(counted(std::int64_t{2}, "run"), "2 runs");
  EXPECT_EQ(counted(std::size_t{1}, "query", "queries"), "1 query");
  EXPECT_EQ(counted(3, "query", "queries"), "3 queries");
  EXPECT_EQ(noun_for(1, "run"), "run");
  EXPECT_EQ(noun_for(1000, "class", "classes"), "classes");
}

}  // namespace
}  // namespace sotto
