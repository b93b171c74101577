#include "gan/table_comparison.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace sotto::gan {
namespace {

const double kGone = std::nan("");

DecodedColumn numbers(const std::string& name, std::vector<double> values) {
  return {name, {}, std::move(values), {}};
}

DecodedColumn kinds(const std::string& name, std::vector<double> values) {
  return {name, {"a", "b"}, std::move(values), {}};
}

TEST(TableComparison, ColumnsByThemselves) {
  const auto result =
      compare_tables({numbers("x", {1, 2, 3, kGone}), kinds("k", {0, 0, 0, 1})},
                     {numbers("x", {2, 4, 6, 8}), kinds("k", {0, 1, kGone, kGone})});
  EXPECT_EQ(result.real_rows, 4);
  const auto& x = result.numbers.at(0);
  EXPECT_DOUBLE_EQ(x.mean.real, 2);
  EXPECT_DOUBLE_EQ(x.mean.synthetic, 5);
  EXPECT_DOUBLE_EQ(x.deviation.real, 1);
  EXPECT_DOUBLE_EQ(x.missing.real, 0.25);
  EXPECT_DOUBLE_EQ(x.missing.synthetic, 0);
  const auto& k = result.categories.at(0);
  EXPECT_DOUBLE_EQ(k.shares[0].real, 0.75);
  EXPECT_DOUBLE_EQ(k.shares[0].synthetic, 0.5);
  EXPECT_DOUBLE_EQ(k.missing.synthetic, 0.5);
  EXPECT_DOUBLE_EQ(k.total_variation, 0.25);
}

// How strongly two columns go together.
double strength_of(const DecodedColumn& first, const DecodedColumn& second, Association expected) {
  const auto result = compare_tables({first, second}, {first, second});
  EXPECT_EQ(result.pairs.size(), 1U);
  EXPECT_EQ(result.pairs[0].association, expected);
  return result.pairs[0].strength.real;
}

TEST(TableComparison, PairsOfNumbers) {
  const auto x = numbers("x", {1, 2, 3, 4});
  EXPECT_NEAR(strength_of(x, numbers("y", {3, 5, 7, 9}), Association::kPearson), 1, 1e-12);
  EXPECT_NEAR(strength_of(x, numbers("y", {4, 3, 2, 1}), Association::kPearson), -1, 1e-12);
  // By hand: 4 / sqrt(5 · 5).
  EXPECT_NEAR(strength_of(x, numbers("y", {1, 3, 2, 4}), Association::kPearson), 0.8, 1e-12);
  EXPECT_NEAR(strength_of(x, numbers("y", {3, 5, 7, kGone}), Association::kPearson), 1, 1e-12);
  EXPECT_TRUE(std::isnan(strength_of(x, numbers("y", {2, 2, 2, 2}), Association::kPearson)));
}

TEST(TableComparison, PairsOfCategories) {
  const auto k = kinds("k", {0, 0, 1, 1});
  EXPECT_NEAR(strength_of(k, kinds("l", {1, 1, 0, 0}), Association::kCramersV), 1, 1e-12);
  EXPECT_NEAR(strength_of(k, kinds("l", {0, 1, 0, 1}), Association::kCramersV), 0, 1e-12);
  // χ² = 4/3 of 4 rows.
  EXPECT_NEAR(strength_of(k, kinds("l", {0, 0, 0, 1}), Association::kCramersV), std::sqrt(1.0 / 3),
              1e-12);
  EXPECT_TRUE(std::isnan(strength_of(k, kinds("l", {1, 1, 1, 1}), Association::kCramersV)));
}

TEST(TableComparison, NumbersByCategories) {
  const auto k = kinds("k", {0, 0, 1, 1});
  EXPECT_NEAR(strength_of(k, numbers("x", {1, 1, 5, 5}), Association::kCorrelationRatio), 1, 1e-12);
  EXPECT_NEAR(strength_of(numbers("x", {1, 5, 1, 5}), k, Association::kCorrelationRatio), 0, 1e-12);
  // Between 4 of 5.
  EXPECT_NEAR(strength_of(numbers("x", {1, 2, 3, 4}), k, Association::kCorrelationRatio),
              std::sqrt(0.8), 1e-12);
}

TEST(TableComparison, DifferencesOfPairs) {
  const auto x = numbers("x", {1, 2, 3, 4});
  const auto result =
      compare_tables({x, numbers("y", {1, 2, 3, 4})}, {x, numbers("y", {4, 3, 2, 1})});
  EXPECT_NEAR(result.mean_pair_difference(), 2, 1e-12);
  EXPECT_TRUE(std::isnan(compare_tables({x}, {x}).mean_pair_difference()));
}

TEST(TableColumns, DatesStayDates) {
  constexpr const char* kSchema = R"({"label": "ill", "classes": ["no", "yes"], "columns": {
    "seen": {"type": "date", "low": "2020-01-01", "high": "2020-01-11"}}})";
  const auto labels = torch::tensor({1, 0}, torch::kLong);
  const auto columns = decoded_table(torch::tensor({{-1.0F}, {1.0F}}), labels, kSchema);
  EXPECT_TRUE(columns[0].is_date);
  EXPECT_FALSE(columns[1].is_date);
  const auto compared = compare_tables(columns, columns);
  EXPECT_TRUE(compared.numbers[0].is_date);
  EXPECT_EQ(compared.numbers[0].mean.real, 18267);  // 2020-01-06
}

constexpr const char* kMixedSchema = R"({"label": "ill", "classes": ["no", "yes"], "columns": {
  "age": {"low": 18, "high": 100}, "fine": {"low": 0.0000012, "high": 0.0000013},
  "weight": {"mean": 70, "std": 10}, "income": {"low": 0, "high": 1000000},
  "town": {"categories": ["A", "other"], "other": true}}})";

TEST(TableColumns, FeaturesInTheTablesOwnWords) {
  const auto rows = torch::tensor(
      {{1.5F, 1.0F, 0.25F, 0.3F, 0.0F, 1.0F}, {-1.0F, -1.0F, -1.0F, -1.0F, 0.0F, 0.0F}});
  const auto columns = decoded_table(rows, torch::tensor({1, 0}, torch::kLong), kMixedSchema);
  ASSERT_EQ(columns.size(), 6U);
  const auto text = [&](std::size_t column, std::size_t row) {
    return columns[column].text(columns[column].values[row]);
  };
  EXPECT_EQ(text(0, 0), "100");  // within its range, whatever a generator makes
  EXPECT_EQ(text(0, 1), "18");
  EXPECT_EQ(text(1, 0), "0.0000013");
  EXPECT_EQ(text(1, 1), "0.0000012");
  EXPECT_EQ(text(2, 0), "72.5");
  EXPECT_EQ(text(3, 0), "650000");
  EXPECT_EQ(text(4, 0), "other");
  EXPECT_EQ(text(4, 1), "other_");  // what is not listed has a name of its own
  EXPECT_EQ(text(5, 0), "yes");
  EXPECT_EQ(columns[5].name, "ill");
}

}  // namespace
}  // namespace sotto::gan
