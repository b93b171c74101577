#include "data/csv_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/atomic_file.h"
#include "data/held_out_split.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/messages.h"

namespace sotto::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const CsvSchema& schema() {
  static const CsvSchema parsed = parse_csv_schema(R"({
    "label": "income", "classes": ["low", "high"], "drop": ["id"],
    "columns": {"age": {"low": 0, "high": 100, "missing": 50},
                "hours": {"mean": 40, "std": 10},
                "work": {"categories": ["Private", "Gov"]},
                "town": {"categories": ["Bonn"], "other": true}}})",
                                                   "s.json");
  return parsed;
}

LabelledData table_of(const std::string& text) {
  std::istringstream input(text);
  return parse_csv_table(input, "t.csv", schema());
}

const std::string kHeader = "id,age,hours,work,town,income\n";

std::string error_of(const std::string& text) {
  return message_of([&] { table_of(text); });
}

TEST(CsvTable, FeaturesFollowTheSchemaNotTheFile) {
  const auto first = table_of(kHeader + "7,75, 50 ,Gov,Bonn,high\n8,,+30,Private,Ulm, low\n");
  EXPECT_THAT(first.shape, ElementsAre(5));
  EXPECT_THAT(first.features, ElementsAre(0.5F, 1, 0, 1, 1, 0, -1, 1, 0, 0));
  EXPECT_THAT(first.labels, ElementsAre(1, 0));
  EXPECT_THAT(first.class_names, ElementsAre("low", "high"));
  const auto turned = table_of("town,income,work,hours,age,id\nBonn,high,Gov,50,75,7\n");
  EXPECT_THAT(turned.features, ElementsAre(0.5F, 1, 0, 1, 1));
}

TEST(CsvTable, AColumnOutsideTheSchemaIsRefusedAndToldWhy) {
  EXPECT_THAT(error_of("id,age,hours,work,town,income,wage\n"),
              AllOf(HasSubstr("t.csv, line 1: column 'wage' is not in the schema"),
                    HasSubstr("statistics of private data would leak"),
                    HasSubstr("low and high or categories"), HasSubstr("\"drop\"")));
}

TEST(CsvTable, HeaderMistakes) {
  EXPECT_EQ(error_of(""), "t.csv: empty, must begin with a line of column names");
  EXPECT_EQ(error_of("id,age,hours,work,income\n"),
            "t.csv, line 1: has no column 'town', which the schema needs");
  EXPECT_EQ(error_of("id,age,age,hours,work,town,income\n"),
            "t.csv, line 1: has 2 columns called 'age', and the schema needs one");
  EXPECT_EQ(error_of("id,age,hours,work,town\n"),
            "t.csv, line 1: has no column 'income', which the schema needs");
}

TEST(CsvTable, ValueMistakesNameLineAndColumn) {
  EXPECT_EQ(error_of(kHeader + "1,2,3,Gov,Bonn,low\n1,young,3,Gov,Bonn,low\n"),
            "t.csv, line 3, column 'age': 'young' is not a finite number");
  for (const char* const number : {"nan", "inf", "1e999", "1.5x", "0x10", "1,5", "--1"}) {
    EXPECT_THAT(error_of(kHeader + "1,\"" + number + "\",3,Gov,Bonn,low\n"),
                HasSubstr("is not a finite number"));
  }
  EXPECT_THAT(error_of(kHeader + "1,2,,Gov,Bonn,low\n"),
              HasSubstr("t.csv, line 2, column 'hours': no value"));
  EXPECT_THAT(error_of(kHeader + "1,2,3,Army,Bonn,low\n"),
              HasSubstr("t.csv, line 2, column 'work': 'Army' is not a category of the schema"));
  EXPECT_EQ(error_of(kHeader + "1,2,3,Gov,Bonn,\"a\tb" + std::string(100, 'c') + "\"\n"),
            "t.csv, line 2, column 'income': 'a?b" + std::string(57, 'c') +
                "...' is not a class of the schema");
  EXPECT_EQ(error_of(kHeader + "1,2,3,Gov,Bonn,middle\n"),
            "t.csv, line 2, column 'income': 'middle' is not a class of the schema");
}

// Queries count lines: a record of several would be several there.
TEST(CsvTable, ARecordIsALine) {
  EXPECT_THAT(error_of(kHeader + "1,30,40,Gov,Bonn,low\n\"2\n3\",30,40,Gov,Bonn,low\n"),
              HasSubstr("t.csv, line 3: a line break between quotes"));
  EXPECT_THAT(error_of(kHeader + "\"1\n\",30,40,Gov,Bonn,low"), HasSubstr("t.csv, line 2"));
  EXPECT_EQ(table_of(kHeader + "\"1\",30,40,Gov,Bonn,low\r\n\n\"2\",30,40,Gov,Bonn,low").size(), 2);
}

TEST(CsvTable, TwoFiles) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "train.csv", kHeader + "1,2,3,Gov,Bonn,low\n1,2,3,Gov,,high\n");
  write_file_atomically(folder / "test.csv", kHeader + "1,2,3,Gov,Bonn,low\n");
  const auto data = read_csv(folder / "train.csv", folder / "test.csv", schema());
  EXPECT_EQ(data.train.size(), 2);
  EXPECT_EQ(data.test.size(), 1);
  write_file_atomically(folder / "test.csv", kHeader);
  EXPECT_THAT(message_of([&] { read_csv(folder / "train.csv", folder / "test.csv", schema()); }),
              HasSubstr("train.csv: the test part holds no samples"));
  EXPECT_THROW(read_csv(folder / "none.csv", schema()), FileError);
  EXPECT_THROW(read_csv(folder.path(), schema()), FileError);
}

std::vector<std::string> distinct_rows(int count) {
  std::vector<std::string> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back(std::to_string(i) + "," + std::to_string(i % 100) + ",3,Gov,Bonn,low\n");
  }
  return rows;
}

TrainTest split_of(const std::vector<std::string>& rows) {
  const TemporaryFolder folder;
  std::string text = kHeader;
  for (const auto& row : rows) text += row;
  write_file_atomically(folder / "all.csv", text);
  return read_csv(folder / "all.csv", schema());
}

TEST(CsvTable, AboutOneRowInSixIsHeldOut) {
  const auto data = split_of(distinct_rows(6'000));
  EXPECT_EQ(data.train.size() + data.test.size(), 6'000);
  EXPECT_NEAR(data.test.size(), 1'000, 150);  // five standard deviations
  EXPECT_EQ(data.test_part, TestPart::kHeldOut);
}

// Neighbours: whatever row is taken away, every other one stays on its side.
TEST(CsvTable, NoRowChangesSidesBecauseAnotherIsTakenAway) {
  const auto rows = distinct_rows(60);
  const auto all = split_of(rows);
  ASSERT_GT(all.test.size(), 0);
  const auto width = static_cast<std::size_t>(all.train.features_per_sample());
  std::size_t train_place = 0;
  std::size_t test_place = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto fewer = rows;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    const auto split = split_of(fewer);
    const bool was_test = split.test.size() < all.test.size();
    auto expected = was_test ? all.test : all.train;
    const auto place = was_test ? test_place++ : train_place++;
    const auto begin = expected.features.begin() + static_cast<std::ptrdiff_t>(place * width);
    expected.features.erase(begin, begin + static_cast<std::ptrdiff_t>(width));
    EXPECT_EQ((was_test ? split.test : split.train).features, expected.features) << i;
    EXPECT_EQ((was_test ? split.train : split.test).features,
              (was_test ? all.train : all.test).features)
        << i;
  }
}

TEST(CsvTable, OrderAndSpellingOfTheFileDoNotMatterToTheSplit) {
  auto rows = distinct_rows(200);
  const auto split = split_of(rows);
  std::reverse(rows.begin(), rows.end());
  EXPECT_EQ(split_of(rows).test.size(), split.test.size());
  for (auto& row : rows) row.replace(row.find('\n'), 1, "\r\n");
  EXPECT_EQ(split_of(rows).test.size(), split.test.size());
}

TEST(CsvTable, EqualRowsStayTogetherAndAnEmptySideIsNoError) {
  const auto alike = split_of(std::vector<std::string>(50, "1,2,3,Gov,Bonn,low\n"));
  EXPECT_EQ(alike.train.size(), 50);  // this row's hash keeps it in training
  EXPECT_EQ(alike.test.size(), 0);
}

TEST(CsvTable, NothingIsHeldOutIfNobodyAsks) {
  const TemporaryFolder folder;
  std::string text = kHeader;
  for (const auto& row : distinct_rows(60)) text += row;
  write_file_atomically(folder / "all.csv", text);
  const auto data = read_csv(folder / "all.csv", schema(), HeldOut::kNothing);
  EXPECT_EQ(data.train.size(), 60);
  EXPECT_EQ(data.test.size(), 0);
}

TEST(HeldOutSplit, IsTheSameForever) {
  std::vector<int> rows;
  for (int row = 0; row < 36; ++row) {
    if (row_is_held_out({std::to_string(row), "x"})) rows.push_back(row);
  }
  EXPECT_THAT(rows, ElementsAre(9, 19, 20, 21, 27, 30, 31));
  int files = 0;
  for (int i = 0; i < 6'000; ++i) {
    files += file_is_held_out("cat/" + std::to_string(i) + ".png") ? 1 : 0;
  }
  EXPECT_EQ(files, 981);
}

TEST(HeldOutSplit, FieldsAreToldApart) {
  int different = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto text = std::to_string(i);
    different += row_is_held_out({text + "a", "b"}) != row_is_held_out({text, "ab"}) ? 1 : 0;
  }
  EXPECT_GT(different, 100);  // 278 on average, if they are independent
}

}  // namespace
}  // namespace sotto::data
