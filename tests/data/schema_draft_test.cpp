#include "data/schema_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "data/public_sample.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SchemaDraft draft_of(const std::vector<std::string>& names) {
  SchemaDraft draft;
  for (const auto& name : names) draft.columns.push_back({name});
  return draft;
}

SchemaDraft full_draft() {
  auto draft = draft_of({"id", "age", "bmi", "town", "seen", "y", "free text"});
  draft.format.separator = ';';
  draft.columns[0].role = ColumnRole::kId;
  draft.columns[1] = {"age", ColumnRole::kInteger, "0", "120"};
  draft.columns[2] = {"bmi", ColumnRole::kNumber, "10", "60.5", {}, true};
  draft.columns[3] = {"town", ColumnRole::kCategory, "", "", {"Bonn", "Ulm, \"old\""}, false, true};
  draft.columns[4] = {"seen", ColumnRole::kDate, "2020-01-01", "2026-12-31"};
  draft.columns[5] = {"y", ColumnRole::kLabel, "", "", {"no", "yes"}};
  draft.columns[6].role = ColumnRole::kIgnored;
  return draft;
}

TEST(SchemaDraft, IsReadAsItWasMeant) {
  const auto draft = full_draft();
  EXPECT_THAT(draft.to_declare(), IsEmpty());
  EXPECT_EQ(draft.mistake(), "");
  EXPECT_EQ(draft.json(), R"({
  "separator": ";",
  "label": "y",
  "classes": ["no", "yes"],
  "ids": ["id"],
  "drop": ["free text"],
  "columns": {
    "age": {"type": "integer", "low": 0, "high": 120},
    "bmi": {"type": "number", "low": 10, "high": 60.5, "missing": true},
    "town": {"type": "category", "categories": ["Bonn", "Ulm, \"old\""], "other": true},
    "seen": {"type": "date", "low": "2020-01-01", "high": "2026-12-31"}
  }
}
)");
  EXPECT_EQ(parse_csv_schema(draft.json(), "s.json").feature_count(), 6);
}

TEST(SchemaDraft, WhatIsStillToDeclareIsRefused) {
  auto draft = full_draft();
  draft.columns[1] = {"age"};
  draft.columns[5].role = ColumnRole::kIgnored;
  EXPECT_THAT(draft.to_declare(), ElementsAre("age", "(label)"));
  EXPECT_EQ(draft.mistake(), "");
  EXPECT_THAT(message_of([&] { parse_csv_schema(draft.json(), "s.json"); }),
              HasSubstr("still to declare"));
}

TEST(SchemaDraft, MistakesAreNamed) {
  auto draft = full_draft();
  draft.columns[1].low = "200";
  EXPECT_EQ(draft.mistake(), "column 'age': low 200 must be below high 120");
  draft = full_draft();
  draft.columns[5].values = {"yes"};
  EXPECT_EQ(draft.mistake(), "'classes' must be a list of at least 2 strings");
  draft = full_draft();
  draft.columns[4].role = ColumnRole::kLabel;
  draft.columns[4].values = {"a", "b"};
  EXPECT_EQ(draft.mistake(), "two labels: seen, y");
}

TEST(SchemaDraft, RolesGoByTheirFirstLetters) {
  EXPECT_EQ(role_from_name("number"), ColumnRole::kNumber);
  EXPECT_EQ(role_from_name("n"), ColumnRole::kNumber);
  EXPECT_EQ(role_from_name("i"), ColumnRole::kUndeclared);  // integer, id, ignored
  EXPECT_EQ(role_from_name("id"), ColumnRole::kId);
  EXPECT_EQ(role_from_name("int"), ColumnRole::kInteger);
  EXPECT_EQ(role_from_name("ig"), ColumnRole::kIgnored);
  EXPECT_EQ(role_from_name(""), ColumnRole::kUndeclared);
  EXPECT_EQ(role_from_name("nothing"), ColumnRole::kUndeclared);
}

TEST(PublicSample, GivesRangesAndCategories) {
  auto draft = draft_of({"n", "x", "d", "c", "one", "id", "y", "kept"});
  draft.columns[6].role = ColumnRole::kLabel;
  draft.columns[7] = {"kept", ColumnRole::kInteger, "0", "99"};
  std::string rows = "y,n,x,d,c,one,id\n";
  for (int i = 0; i < 60; ++i) {
    rows += std::string(i % 2 == 0 ? "no," : "yes,") + std::to_string(i) + "," + std::to_string(i) +
            ".5," + (i == 7 ? "" : "2024-01-" + std::to_string(10 + i % 5)) +
            (i % 3 == 0 ? ",b" : ",a") + ",same,p" + std::to_string(i) + "\n";
  }
  std::istringstream sample(rows);
  complete_from_sample(sample, "public.csv", draft);
  EXPECT_EQ(draft.columns[0].role, ColumnRole::kInteger);
  EXPECT_EQ(draft.columns[0].high, "59");
  EXPECT_EQ(draft.columns[1].role, ColumnRole::kNumber);
  EXPECT_EQ(draft.columns[1].low, "0.5");
  EXPECT_EQ(draft.columns[2].role, ColumnRole::kDate);
  EXPECT_EQ(draft.columns[2].high, "2024-01-14");
  EXPECT_TRUE(draft.columns[2].missing);
  EXPECT_FALSE(draft.columns[1].missing);
  EXPECT_THAT(draft.columns[3].values, ElementsAre("a", "b"));
  EXPECT_THAT(draft.columns[6].values, ElementsAre("no", "yes"));
  EXPECT_EQ(draft.columns[7].high, "99");
  EXPECT_FALSE(draft.columns[7].from_sample);
  EXPECT_TRUE(draft.columns[0].from_sample);
  EXPECT_THAT(draft.to_declare(), ElementsAre("one", "id"));
  std::istringstream other("n\n1\n");
  EXPECT_EQ(message_of([&] { complete_from_sample(other, "public.csv", draft); }),
            "public.csv: no column is called 'one', which is still to declare");
}

}  // namespace
}  // namespace sotto::data
