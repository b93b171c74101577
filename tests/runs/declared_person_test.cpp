#include "runs/declared_person.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/runs/run_files.h"

namespace sotto::runs {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string schema_with(const std::string& entries) {
  return R"({"label": "y", "classes": ["no", "yes"], "columns": {"age": {"low": 0, "high": 1}})" +
         entries + "}";
}

std::string flag(const std::string& key) { return "--" + key; }

TEST(DeclaredPerson, IsTheColumnThatTheSchemaNames) {
  EXPECT_EQ(person_column(""), "");
  EXPECT_EQ(person_column(schema_with("")), "");
  EXPECT_EQ(person_column(schema_with(R"(, "person": "patient")")), "patient");
  EXPECT_THROW(person_column("{"), InvalidArgument);
}

TEST(DeclaredPerson, IsToldThatOnlyRowsAreProtected) {
  const DeclaredPerson patient{.column = "patient"};
  EXPECT_THAT(worded(person_warning(patient), flag),
              HasSubstr("column 'patient' as the person, but ε protects one row"));
  EXPECT_THAT(worded(person_warning(patient), flag), HasSubstr("; --group_size K promises"));
  EXPECT_EQ(person_limit(patient),
            "The schema names column 'patient' as the person, but ε protects one row: somebody "
            "with k rows has the weaker promise of k rows.");
}

// Groups are refused where private records are held out.
TEST(DeclaredPerson, IsGivenAdviceThatCanBeFollowed) {
  const auto warning = [](const DeclaredPerson& person) {
    return worded(person_warning(person), flag);
  };
  EXPECT_THAT(warning({.column = "patient", .takes_groups = false}), Not(HasSubstr("group_size")));
  EXPECT_THAT(warning({.column = "patient", .holds_out = true}),
              HasSubstr("; --group_size K (with --csv_test FILE or --held_out_epsilon 0) promises "
                        "it for all rows"));
}

TEST(DeclaredPerson, OfWhomNothingIsDeclaredIsNotMentioned) {
  EXPECT_EQ(person_warning({}), "");
  EXPECT_EQ(person_limit({}), "");
}

TEST(DeclaredPerson, WithAGroupSizeIsWhomThePromiseIsFor) {
  EXPECT_EQ(person_warning({.column = "patient", .group_size = 5}), "");
  EXPECT_EQ(person_limit({.column = "patient", .group_size = 5}),
            "It holds for all records of one person (column 'patient') as long as nobody has more "
            "than 5 records in the data, which was declared and not checked.");
  EXPECT_THAT(person_limit({.group_size = 5}), HasSubstr("It holds for a person as long as"));
}

// Names of columns may hold anything.
TEST(DeclaredPerson, KeepsItsNameOnOneLine) {
  const auto warning = person_warning({.column = "a\n\x01" + std::string(99, 'b')});
  EXPECT_THAT(worded(warning, flag), HasSubstr("column 'a??bbb"));
  EXPECT_THAT(warning, Not(HasSubstr(std::string(61, 'b'))));
}

TEST(DeclaredPerson, IsReadFromTheSettingsOfARun) {
  const TemporaryFolder folder;
  write_run(folder / "run", {.group_size = 2});
  const auto declared = [&] { return declared_person(RunRecord::read(folder / "run")); };
  EXPECT_EQ(declared().column, "") << "an older run";
  EXPECT_EQ(declared().group_size, 2);
  edit_json(folder / "run/config.json",
            [](auto& json) { json["schema_text"] = schema_with(R"(, "person": "patient")"); });
  EXPECT_EQ(declared().column, "patient");
  edit_json(folder / "run/config.json", [](auto& json) { json["schema_text"] = "{"; });
  EXPECT_EQ(declared().column, "");
}

}  // namespace
}  // namespace sotto::runs
