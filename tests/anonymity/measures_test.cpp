#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "anonymity/one_spelling.h"
#include "sotto/anonymity/anonymity.h"
#include "sotto/core/error.h"
#include "tests/anonymity/patients.h"

namespace sotto::anonymity {
namespace {

using testing_tables::generalised_patients;

const Roles kRoles{{0, 1}, 2};

TEST(Measures, OfTheHospitalTable) {
  const auto measures = measure(generalised_patients(), kRoles);
  EXPECT_EQ(measures.rows, 6);
  ASSERT_EQ(measures.groups.size(), 3U);
  EXPECT_EQ(measures.k, 2);
  EXPECT_EQ(measures.distinct, 1);
  EXPECT_DOUBLE_EQ(measures.entropy, 1);
  EXPECT_FALSE(measures.ordered);
  // Of all: asthma 1/6, cancer 1/6, leukaemia 1/3, HIV 1/3. Of the old in Besançon: leukaemia 1.
  EXPECT_NEAR(measures.closeness, 2.0 / 3, 1e-12);
  // 18-30, Besançon: asthma and HIV.
  EXPECT_EQ(measures.groups[0].distinct, 2);
  EXPECT_NEAR(measures.groups[0].entropy, 2, 1e-12);
  EXPECT_NEAR(measures.groups[0].closeness, 0.5, 1e-12);
}

// "Leukaemia, for 60+ in Besançon" is known with certainty; the other groups are varied.
TEST(Measures, NameTheGroupThatGivesItselfAway) {
  const auto measures = measure(generalised_patients(), kRoles);
  Requirements needed;
  needed.k = 2;
  for (const auto& group : measures.groups) EXPECT_TRUE(failures(group, needed).empty());
  needed.distinct = 2;
  std::vector<Row> failing;
  for (const auto& group : measures.groups) {
    if (!failures(group, needed).empty()) failing.push_back(group.quasi);
  }
  EXPECT_EQ(failing, (std::vector<Row>{{"60+", "Besançon"}}));
  EXPECT_EQ(failures(measures.groups[2], needed), std::vector<std::string>{"ℓ = 1 < 2"});
}

// Li, Li, Venkatasubramanian 2007, section 5.3: salaries 3k to 11k, D[{3,4,5}] = 0.375 and
// D[{6,8,11}] = 0.167.
TEST(Measures, OrderedDistanceOfThePaper) {
  Table table{{"g", "salary"}, {}};
  for (int i = 0; i < 9; ++i) {
    const int salary = 3 + i;
    const bool in_b = salary == 6 || salary == 8 || salary == 11;
    table.rows.push_back({i < 3 ? "a" : in_b ? "b" : "c", std::to_string(1000 * salary)});
  }
  const auto measures = measure(table, {{0}, 1});
  EXPECT_TRUE(measures.ordered);
  EXPECT_NEAR(measures.groups[0].closeness, 0.375, 1e-12);
  EXPECT_NEAR(measures.groups[1].closeness, 1.0 / 6, 1e-12);
}

// One number spelt in many ways is one value: else spellings would make a group look diverse, and
// the distances between values small.
TEST(Measures, ANumberIsOneValueHoweverItIsSpelt) {
  Table spelt{{"g", "n"}, {}};
  Table plain = spelt;
  for (const char* text : {"1", "1.0", "01", "+1", "1e0"}) {
    spelt.rows.push_back({"a", text});
    plain.rows.push_back({"a", "1"});
  }
  for (int i = 0; i < 5; ++i) {
    spelt.rows.push_back({"b", i % 2 == 0 ? "2.00" : "2"});
    plain.rows.push_back({"b", "2"});
  }
  const auto measures = measure(spelt, {{0}, 1});
  EXPECT_EQ(measures.distinct, 1);
  EXPECT_DOUBLE_EQ(measures.entropy, 1);
  EXPECT_DOUBLE_EQ(measures.closeness, measure(plain, {{0}, 1}).closeness);
  for (const char* other : {"two", "", "1e400", "nan"}) {  // in another group
    spelt.rows.push_back({"b", other});
    EXPECT_EQ(measure(spelt, {{0}, 1}).groups[0].distinct, 1) << other;
  }
}

// Two numbers that are one double are two values.
TEST(Measures, LongNumbersStayApart) {
  Table table{{"g", "n"}, {}};
  for (int i = 0; i < 4; ++i) {
    table.rows.push_back({"a", "9007199254740992"});
    table.rows.push_back({"b", "9007199254740993"});
  }
  EXPECT_NEAR(measure(table, {{0}, 1}).closeness, 0.5, 1e-12);
}

TEST(OneSpelling, OfEqualNumbers) {
  for (const char* two : {"2", "+2", "2.0", "02", "2.", "0.2e1", "20e-1", "2E0", "2e+0"}) {
    EXPECT_EQ(one_spelling(two), "2e0") << two;
  }
  EXPECT_EQ(one_spelling("-0.00"), "0");
  EXPECT_EQ(one_spelling("-1200"), "-12e2");
  for (const char* text : {"", "flu", "2x", "1,000", "0x10", "e5", "2e", "2e1.5", "--2", "nan"}) {
    EXPECT_EQ(one_spelling(text), text);
  }
}

TEST(Measures, OfAlmostNothing) {
  const Table empty{{"q", "s"}, {}};
  EXPECT_EQ(measure(empty, {{0}, 1}).k, 0);
  const Table one{{"q", "s"}, {{"x", "1"}}};
  const auto measures = measure(one, {{0}, 1});
  EXPECT_EQ(measures.k, 1);
  EXPECT_EQ(measures.closeness, 0);
}

TEST(Roles, AreFoundByName) {
  const std::vector<std::string> columns = {"a", "b", "c", "c"};
  const auto roles = find_roles(columns, {"b"}, "a");
  EXPECT_EQ(roles.quasi, std::vector<std::size_t>{1});
  EXPECT_EQ(roles.sensitive, 0U);
  EXPECT_THROW(find_roles(columns, {}, "a"), InvalidArgument);
  EXPECT_THROW(find_roles(columns, {"a"}, "a"), InvalidArgument);
  EXPECT_THROW(find_roles(columns, {"b", "b"}, "a"), InvalidArgument);
  EXPECT_THROW(find_roles(columns, {"c"}, "a"), InvalidArgument);
  EXPECT_THROW(find_roles(columns, {"d"}, "a"), InvalidArgument);
}

// e^H <= distinct <= k, and t in [0, 1], for any table.
RC_GTEST_PROP(MeasuresProperties, AreOrdered, ()) {
  Table table{{"q", "s"}, {}};
  const int rows = *rc::gen::inRange(1, 40);
  for (int i = 0; i < rows; ++i) {
    table.rows.push_back(
        {std::to_string(*rc::gen::inRange(0, 4)), std::to_string(*rc::gen::inRange(0, 5))});
  }
  const auto measures = measure(table, {{0}, 1});
  std::int64_t sum = 0;
  for (const auto& group : measures.groups) {
    RC_ASSERT(group.distinct <= group.size);
    RC_ASSERT(group.entropy <= static_cast<double>(group.distinct) + 1e-9);
    RC_ASSERT(group.entropy >= 1 - 1e-9);
    RC_ASSERT(group.closeness >= 0);
    RC_ASSERT(group.closeness <= 1);
    sum += group.size;
  }
  RC_ASSERT(sum == rows);
}

}  // namespace
}  // namespace sotto::anonymity
