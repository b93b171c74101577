// Products of every number of rows and columns, by every vector unit of this machine.
#include "fused/matrix_kernels.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/fused/vector_units.h"

namespace sotto::fused {
namespace {

constexpr std::int64_t kMostRows = 2 * kBlock + 2;
constexpr float kUntouched = 7;
constexpr double kSlackOfSums = 1e-5;

std::vector<float> random_floats(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(count + kSlack);
  for (auto& value : values) value = uniform(random);
  return values;
}

// Every second row of a matrix, from the last to the first, in two runs with a gap between.
struct Windows {
  static constexpr std::int64_t kLength = 9;
  static constexpr std::int64_t kRow = 3 * kLength;

  explicit Windows(std::int64_t rows) {
    for (std::int64_t r = rows; r > 0; --r) row.push_back(static_cast<std::int32_t>(2 * r * kRow));
  }
  GatheredRows of(const std::vector<float>& values) const {
    return {values.data(), row.data(), static_cast<std::int64_t>(row.size()), run, 2, kLength};
  }

  std::vector<std::int32_t> row;
  std::int32_t run[2] = {0, 2 * kLength};
};

struct GatheredCase {
  std::int64_t rows;
  std::int64_t columns;
  bool bias;
  bool add;
};

void expect_gathered(const GatheredCase& test, const std::string& unit) {
  std::mt19937 random(1);
  const Windows windows(test.rows);
  const auto values =
      random_floats(static_cast<std::size_t>((2 * test.rows + 1) * Windows::kRow), random);
  const auto panel = random_floats(2 * Windows::kLength * kPanel, random);
  const auto bias = random_floats(kPanel, random);
  std::vector<float> out(static_cast<std::size_t>(test.rows * kPanel), kUntouched);
  std::vector<std::int32_t> to;
  for (std::int64_t r = 0; r < test.rows; ++r) to.push_back(static_cast<std::int32_t>(r * kPanel));
  const auto rows = windows.of(values);
  gathered_product(rows, panel.data(), test.columns,
                   {out.data(), to.data(), test.bias ? bias.data() : nullptr, test.add});
  for (std::int64_t r = 0; r < test.rows; ++r) {
    for (std::int64_t j = 0; j < kPanel; ++j) {
      double sum = (test.bias ? bias[j] : 0) + (test.add ? kUntouched : 0);
      for (std::int64_t k = 0; k < 2 * Windows::kLength; ++k) {
        const auto at = rows.row[r] + rows.run[k / rows.length] + k % rows.length;
        sum += static_cast<double>(values[at]) * panel[k * kPanel + j];
      }
      const double expected = j < test.columns ? sum : kUntouched;
      ASSERT_NEAR(out[r * kPanel + j], expected, kSlackOfSums)
          << unit << ": " << test.rows << " rows, " << test.columns << " columns, at " << r << ", "
          << j;
    }
  }
}

TEST(MatrixKernelsTest, GatheredProducts) {
  on_every_vector_unit([](const std::string& unit) {
    for (std::int64_t rows = 1; rows <= kMostRows; ++rows) {
      for (const std::int64_t columns : {1, 7, 15, 16}) {
        for (const bool bias : {false, true}) {
          expect_gathered({rows, columns, bias, false}, unit);
          expect_gathered({rows, columns, bias, true}, unit);
        }
      }
    }
  });
}

void expect_outer(std::int64_t count, std::int64_t columns, bool add, const std::string& unit) {
  constexpr std::int64_t kTerms = 11;
  std::mt19937 random(2);
  const auto a = random_floats(static_cast<std::size_t>(kTerms * count), random);
  const auto b = random_floats(kTerms * kPanel, random);
  std::vector<std::int32_t> row;
  for (std::int64_t p = 0; p < kTerms; ++p) row.push_back(static_cast<std::int32_t>(p * count));
  std::vector<float> out(static_cast<std::size_t>(count * kPanel), kUntouched);
  outer_sum({a.data(), row.data(), b.data(), kPanel, kTerms}, count, columns, out.data(), kPanel,
            add);
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < kPanel; ++j) {
      double sum = add ? kUntouched : 0;
      for (std::int64_t p = 0; p < kTerms; ++p) {
        sum += static_cast<double>(a[p * count + i]) * b[p * kPanel + j];
      }
      const double expected = j < columns ? sum : kUntouched;
      ASSERT_NEAR(out[i * kPanel + j], expected, kSlackOfSums)
          << unit << ": " << count << " rows, " << columns << " columns, at " << i << ", " << j;
    }
  }
}

TEST(MatrixKernelsTest, SumsOfOuterProducts) {
  on_every_vector_unit([](const std::string& unit) {
    for (std::int64_t count = 1; count <= kMostRows; ++count) {
      for (const std::int64_t columns : {1, 7, 15, 16}) {
        expect_outer(count, columns, false, unit);
        expect_outer(count, columns, true, unit);
      }
    }
  });
}

}  // namespace
}  // namespace sotto::fused
