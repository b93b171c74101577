#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "sotto/anonymity/anonymity.h"
#include "sotto/core/error.h"
#include "tests/anonymity/patients.h"

namespace sotto::anonymity {
namespace {

using testing_tables::districts;
using testing_tables::generalised_patients;
using testing_tables::patients;

AnonymiseOptions options_for_patients() {
  AnonymiseOptions options;
  options.ladders = {Ladder::bins({18, 31, 35, 46, 60}), Ladder::hierarchy(districts(), "zip")};
  options.requirements.k = 2;
  return options;
}

const Roles kRoles{{1, 2}, 3};

TEST(Anonymise, MakesTheHospitalTable) {
  const auto released = anonymise(patients(), kRoles, options_for_patients());
  EXPECT_EQ(released.levels, (std::vector<int>{1, 1}));
  EXPECT_EQ(released.suppressed, 0);
  EXPECT_EQ(released.table.columns, generalised_patients().columns);
  EXPECT_EQ(released.table.rows, generalised_patients().rows);
  EXPECT_EQ(released.measures.k, 2);
}

TEST(Anonymise, GoesOnUntilGroupsAreDiverse) {
  auto options = options_for_patients();
  options.requirements.distinct = 2;
  const auto released = anonymise(patients(), kRoles, options);
  EXPECT_GE(released.measures.distinct, 2);
  EXPECT_GE(released.measures.k, 2);
  EXPECT_EQ(released.suppressed, 0);
  options.largest_suppression = 0.4;  // two of six rows: the group may be left out instead
  const auto shorter = anonymise(patients(), kRoles, options);
  EXPECT_EQ(shorter.suppressed, 2);
  EXPECT_EQ(shorter.levels, (std::vector<int>{1, 1}));
}

TEST(Anonymise, SaysWhenNothingIsEnough) {
  auto options = options_for_patients();
  options.requirements.k = 7;
  EXPECT_THROW(anonymise(patients(), kRoles, options), std::runtime_error);
  options.requirements.k = 2;
  options.requirements.distinct = 5;
  EXPECT_THROW(anonymise(patients(), kRoles, options), std::runtime_error);
  EXPECT_THROW(anonymise({patients().columns, {}}, kRoles, options), InvalidArgument);
}

RC_GTEST_PROP(AnonymiseProperties, WhatIsReleasedMeetsTheRequirements, ()) {
  Table table{{"age", "zip", "s"}, {}};
  const int rows = *rc::gen::inRange(1, 40);
  for (int i = 0; i < rows; ++i) {
    table.rows.push_back({std::to_string(*rc::gen::inRange(-20, 90)),
                          std::to_string(*rc::gen::inRange(0, 5)),
                          std::to_string(*rc::gen::inRange(0, 4))});
  }
  AnonymiseOptions options;
  options.ladders = {Ladder::widths(5), Ladder::suppression()};
  options.requirements.k = *rc::gen::inRange(1, 5);
  if (*rc::gen::arbitrary<bool>()) options.requirements.distinct = 2;
  if (*rc::gen::arbitrary<bool>()) options.requirements.entropy = 1.5;
  if (*rc::gen::arbitrary<bool>()) options.requirements.closeness = 0.3;
  options.largest_suppression = *rc::gen::inRange(0, 9) / 10.0;
  try {
    const auto released = anonymise(table, {{0, 1}, 2}, options);
    const auto measures = measure(released.table, released.roles);
    for (const auto& group : measures.groups) {
      RC_ASSERT(failures(group, options.requirements).empty());
    }
    RC_ASSERT(measures.rows > 0);
    RC_ASSERT(measures.rows + released.suppressed == rows);
    RC_ASSERT(static_cast<double>(released.suppressed) <= options.largest_suppression * rows);
  } catch (const std::runtime_error&) {  // not even everything replaced by * is enough
    auto everything = table;
    for (auto& row : everything.rows) row[0] = row[1] = kAnything;
    const auto measures = measure(everything, {{0, 1}, 2});
    RC_ASSERT(!failures(measures.groups[0], options.requirements).empty());
  }
}

TEST(Ladder, NamesBins) {
  const auto ladder = Ladder::bins({18, 31, 35, 46, 60});
  EXPECT_EQ(ladder.at("19", 0), "19");
  EXPECT_EQ(ladder.at("19", 1), "18-30");
  EXPECT_EQ(ladder.at("30.5", 1), "[18; 31)");
  EXPECT_EQ(ladder.at("17", 1), "<18");
  EXPECT_EQ(ladder.at("60", 1), "60+");
  EXPECT_EQ(ladder.at("40", 2), "35-59");
  EXPECT_EQ(ladder.at("n/a", 1), "*");
  EXPECT_EQ(ladder.at("19", ladder.height()), "*");
  const auto width = Ladder::widths(10);
  EXPECT_EQ(width.at("19", 1), "10-19");
  EXPECT_EQ(width.at("19", 2), "0-19");
  EXPECT_EQ(width.at("-1", 1), "-10--1");
  EXPECT_EQ(Ladder::widths(0.5).at("0.7", 1), "[0.5; 1)");
}

// Values that agree on one level agree on all above.
RC_GTEST_PROP(LadderProperties, NeverTellsApartWhatItJoined, ()) {
  const std::vector<Ladder> ladders = {Ladder::bins({0, 3, 10, 11, 50, 99}), Ladder::widths(3),
                                       Ladder::suppression()};
  const auto& ladder = ladders[*rc::gen::inRange<std::size_t>(0, 3)];
  const auto one = std::to_string(*rc::gen::inRange(-100, 200));
  const auto other = std::to_string(*rc::gen::inRange(-100, 200));
  bool joined = false;
  for (int level = 0; level <= ladder.height(); ++level) {
    const bool same = ladder.at(one, level) == ladder.at(other, level);
    RC_ASSERT(!joined || same);
    joined = same;
  }
  RC_ASSERT(joined);
}

TEST(Ladder, RefusesWhatIsNoLadder) {
  EXPECT_THROW(Ladder::bins({}), InvalidArgument);
  EXPECT_THROW(Ladder::bins({2, 1}), InvalidArgument);
  EXPECT_THROW(Ladder::widths(0), InvalidArgument);
  EXPECT_THROW(Ladder::hierarchy({}, "h"), InvalidArgument);
  EXPECT_THROW(Ladder::hierarchy({{"a"}}, "h"), InvalidArgument);
  EXPECT_THROW(Ladder::hierarchy({{"a", "x"}, {"a", "y"}}, "h"), InvalidArgument);
  EXPECT_THROW(Ladder::hierarchy({{"a", "x", "1"}, {"b", "x", "2"}}, "h"), InvalidArgument);
  const auto ladder = Ladder::hierarchy({{"a", "x"}}, "h");
  EXPECT_THROW(ladder.at("b", 1), InvalidArgument);
  EXPECT_EQ(ladder.at("b", 2), "*");
}

}  // namespace
}  // namespace sotto::anonymity
