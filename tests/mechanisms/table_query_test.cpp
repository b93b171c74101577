#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sotto/core/error.h"
#include "sotto/mechanisms/table_query.h"

namespace sotto::mechanisms {
namespace {

const std::vector<std::string> kColumns = {"age", "city", "pay"};
using Record = std::vector<std::string>;

// So much budget that no noise is left, to see what is computed. Never use it.
constexpr accounting::EpsilonDelta kNoNoise = {1e6, 0};

QueryOptions about_numbers() {
  QueryOptions options;
  options.types = {{"age", NumberType{}}, {"pay", NumberType{}}};
  return options;
}

std::vector<double> answers(const QueryOptions& options, const std::vector<Record>& records) {
  TableQuery query(options, kColumns);
  for (const auto& record : records) query.add(record);
  SeededRandomNotPrivate random(1);
  std::vector<double> values;
  for (const auto& answer : query.release(random)) values.push_back(answer.release.value);
  return values;
}

const std::vector<Record> kPeople = {{"20", "Lyon", "100"}, {"41", "Lyon", "300"},
                                     {"70", "Paris", ""},   {"", "Paris", "nan"},
                                     {"50", "Nice", "1e9"}, {"x", "Lyon", "-7"}};

TEST(TableQuery, ComputesWhatIsAsked) {
  QueryOptions options = about_numbers();
  options.budget = kNoNoise;
  EXPECT_EQ(answers(options, kPeople), (std::vector<double>{6}));
  options.where = "age>40";
  EXPECT_EQ(answers(options, kPeople), (std::vector<double>{3}));
  options.where = "";
  options.by = "city";
  options.parts = Categories({"Lyon", "Paris", "Rome"});
  EXPECT_EQ(answers(options, kPeople), (std::vector<double>{3, 2, 0}));
  options.by = "age";
  options.parts = Bins({0, 41, 70});
  EXPECT_EQ(answers(options, kPeople), (std::vector<double>{1, 3}));
}

// 1e9 counts as 1000 and -7 as 0; what is no number is left out, also of the mean's count.
TEST(TableQuery, ClampsSumsAndMeans) {
  QueryOptions options = about_numbers();
  options.statistic = Statistic::kSum;
  options.column = "pay";
  options.bounds = ValueBounds(0, 1000);
  options.grid = 1;
  options.budget = kNoNoise;
  EXPECT_EQ(answers(options, kPeople), (std::vector<double>{1400}));
  options.statistic = Statistic::kMean;
  EXPECT_NEAR(answers(options, kPeople)[0], 350, 1e-9);
  options.by = "city";
  options.parts = Categories({"Lyon", "Nice"});
  const auto by_city = answers(options, kPeople);
  EXPECT_NEAR(by_city[0], 400.0 / 3, 1e-9);
  EXPECT_NEAR(by_city[1], 1000, 1e-9);
}

TEST(TableQuery, ReadsDecimalCommasWhereTheyAreDeclared) {
  QueryOptions options = about_numbers();
  options.decimal = ',';
  options.statistic = Statistic::kSum;
  options.column = "pay";
  options.bounds = ValueBounds(0, 1000);
  options.grid = 0.5;
  options.budget = kNoNoise;
  options.by = "age";
  options.parts = Bins({0, 40.25, 90});
  EXPECT_EQ(answers(options,
                    {{"40,2", "", "1,5"}, {"40,3", "", "2,5"}, {"50", "", "3"}, {"50", "", "4.5"}}),
            (std::vector<double>{1.5, 5.5}));
}

TEST(TableQuery, CountsPairsOfParts) {
  QueryOptions options = about_numbers();
  options.budget = kNoNoise;
  options.by = "city";
  options.parts = Categories({"Lyon", "Paris, 5e"});
  options.across = "age";
  options.across_parts = Bins({0, 41, 70});
  const std::vector<Record> people = {{"20", "Lyon", ""}, {"41", "Lyon", ""},
                                      {"70", "Lyon", ""}, {"3", "Paris, 5e", ""},
                                      {"x", "Lyon", ""},  {"1", "Nice", ""}};
  EXPECT_EQ(answers(options, people), (std::vector<double>{1, 2, 1, 0}));
  const TableQuery query(options, kColumns);
  EXPECT_EQ(query.labels(),
            (std::vector<std::string>{"Lyon,\"[0, 41)\"", "Lyon,\"[41, 70]\"",
                                      "\"Paris, 5e\",\"[0, 41)\"", "\"Paris, 5e\",\"[41, 70]\""}));
  EXPECT_EQ(query.charge().cost.epsilon, kNoNoise.epsilon);
  options.parts = {};
  EXPECT_THROW(TableQuery(options, kColumns), InvalidArgument);
}

// What is no number is left out; what is outside the bounds counts as their end.
TEST(TableQuery, FindsQuantiles) {
  QueryOptions options = about_numbers();
  options.statistic = Statistic::kQuantile;
  options.column = "pay";
  options.bounds = ValueBounds(0, 1000);
  options.grid = 1;
  options.budget = kNoNoise;
  EXPECT_EQ(answers(options, {{"", "", "7"}, {"", "", "300"}, {"", "", "1e9"}, {"", "", "x"}}),
            (std::vector<double>{300}));
  options.quantile = 0.9;
  EXPECT_EQ(answers(options, {{"", "", "7"}, {"", "", "300"}, {"", "", "1e9"}}),
            (std::vector<double>{1000}));
  options.quantile = 0.5;
  options.by = "city";
  options.parts = Categories({"a", "b"});
  EXPECT_EQ(answers(options, {{"", "a", "7"}, {"", "b", "9"}}), (std::vector<double>{7, 9}));
  options.noise = NoiseKind::kGaussian;
  EXPECT_THROW(TableQuery(options, kColumns), InvalidArgument);
  options.noise = NoiseKind::kLaplace;
  options.bounds.reset();
  EXPECT_THROW(TableQuery(options, kColumns), NoValidAnalysis);
}

TEST(TableQuery, RefusesWhatDeclaredColumnsCannotAnswer) {
  QueryOptions options = about_numbers();
  options.budget = {1, 0};
  options.types = {{"age", NumberType{}}, {"city", CategoryType{{"Lyon"}}}, {"pay", DateType{}}};
  const auto refused = [&](QueryOptions asked) {
    EXPECT_THROW(TableQuery(asked, kColumns), InvalidArgument);
  };
  QueryOptions mean = options;
  mean.statistic = Statistic::kMean;
  mean.bounds = ValueBounds(0, 1);
  for (const char* column : {"city", "pay"}) {
    mean.column = column;
    refused(mean);
  }
  mean.column = "age";
  EXPECT_NO_THROW(TableQuery(mean, kColumns));
  const auto parted = [&](const char* column, Parts parts) {
    QueryOptions asked = options;
    asked.by = column;
    asked.parts = std::move(parts);
    return asked;
  };
  refused(parted("city", Categories({"Paris"})));
  refused(parted("city", Bins({0, 1})));
  refused(parted("age", Categories({"young"})));
  refused(parted("pay", Categories({"2024"})));
  EXPECT_NO_THROW(TableQuery(parted("city", Categories({"Lyon"})), kColumns));
  EXPECT_NO_THROW(TableQuery(parted("pay", Categories({"2024-01-31"})), kColumns));
  EXPECT_NO_THROW(TableQuery(parted("age", Bins({0, 1})), kColumns));
}

// Of a count in these parts of `column`.
QueryOptions in_parts(const char* column, Parts parts, const ColumnTypes& types) {
  QueryOptions options;
  options.budget = {1, 0};
  options.types = types;
  options.by = column;
  options.parts = std::move(parts);
  return options;
}

// Of a mean of `column`.
QueryOptions mean_of(const char* column, const ValueBounds& bounds, const ColumnTypes& types) {
  QueryOptions options;
  options.budget = {1, 0};
  options.types = types;
  options.statistic = Statistic::kMean;
  options.column = column;
  options.bounds = bounds;
  return options;
}

TEST(TableQuery, RefusesNumbersOfUndeclaredColumns) {
  EXPECT_THROW(TableQuery(mean_of("pay", {0, 1}, {}), kColumns), UndeclaredColumn);
  EXPECT_THROW(TableQuery(in_parts("age", Bins({0, 1}), {}), kColumns), UndeclaredColumn);
  auto table = in_parts("city", Categories({"Lyon"}), {{"age", NumberType{}}});
  table.across = "age";
  table.across_parts = Bins({0, 1});
  EXPECT_NO_THROW(TableQuery(table, kColumns));
  table.types.clear();
  EXPECT_THROW(TableQuery(table, kColumns), UndeclaredColumn);
  EXPECT_NO_THROW(TableQuery(in_parts("age", Categories({"1", "old"}), {}), kColumns));
  auto unbounded = mean_of("pay", {0, 1}, {});
  unbounded.bounds.reset();
  EXPECT_THROW(TableQuery(unbounded, kColumns), NoValidAnalysis);
}

// A bin may reach beyond the range, and bounds be wider or narrower: it is enough that they tell
// some of its values apart.
TEST(TableQuery, RefusesWhatADeclaredRangeAnswers) {
  const ColumnTypes types = {{"age", NumberType{.range = {{0, 120}}}}};
  for (const auto& edges : {std::vector<double>{130, 140}, {-9, 0, 9}, {0, 121, 130}, {-2, -1}}) {
    EXPECT_THROW(TableQuery(in_parts("age", Bins(edges), types), kColumns), InvalidArgument)
        << edges.front();
  }
  for (const auto& edges : {std::vector<double>{-9, 1, 140}, {-9, 0}, {0, 120, 130}, {40, 41}}) {
    EXPECT_NO_THROW(TableQuery(in_parts("age", Bins(edges), types), kColumns)) << edges.front();
  }
  for (const auto& bounds : {ValueBounds(120, 200), ValueBounds(-5, 0), ValueBounds(200, 300)}) {
    EXPECT_THROW(TableQuery(mean_of("age", bounds, types), kColumns), InvalidArgument);
  }
  for (const auto& bounds : {ValueBounds(119, 200), ValueBounds(-5, 1), ValueBounds(-5, 500)}) {
    EXPECT_NO_THROW(TableQuery(mean_of("age", bounds, types), kColumns));
  }
  EXPECT_THROW(TableQuery(in_parts("age", Categories({"121"}), types), kColumns), InvalidArgument);
  EXPECT_NO_THROW(TableQuery(in_parts("age", Categories({"120"}), types), kColumns));
}

TEST(TableQuery, SaysWhatItCosts) {
  QueryOptions options = about_numbers();
  options.budget = {0.3, 0};
  options.by = "city";
  options.parts = Categories({"Lyon", "Paris"});
  const TableQuery count(options, kColumns);
  EXPECT_EQ(count.charge().cost.epsilon, 0.3);  // not twice: the groups are disjoint
  EXPECT_EQ(count.sensitivity(), 1);
  options.statistic = Statistic::kMean;
  options.column = "pay";
  options.bounds = ValueBounds(0, 1000);
  options.noise = NoiseKind::kGaussian;
  options.budget = {0.3, 1e-6};
  const TableQuery mean(options, kColumns);
  EXPECT_EQ(mean.charge().cost.delta, 1e-6);
  ASSERT_TRUE(mean.charge().gaussian_multiplier);
  // Two Gaussians of half the budget each cost no more than the budget.
  options.statistic = Statistic::kSum;
  const TableQuery sum(options, kColumns);
  EXPECT_GT(*mean.charge().gaussian_multiplier, *sum.charge().gaussian_multiplier);
}

TEST(TableQuery, RefusesUnboundedSensitivity) {
  QueryOptions options = about_numbers();
  options.budget = {1, 0};
  options.statistic = Statistic::kSum;
  options.column = "pay";
  EXPECT_THROW(TableQuery(options, kColumns), NoValidAnalysis);
  options.bounds = ValueBounds(0, 10);
  EXPECT_NO_THROW(TableQuery(options, kColumns));
  options.column = "wage";
  EXPECT_THROW(TableQuery(options, kColumns), InvalidArgument);
  options.column = "pay";
  options.where = "wage>1";
  EXPECT_THROW(TableQuery(options, kColumns), InvalidArgument);
  options.where = "";
  options.budget = {0, 0};
  EXPECT_THROW(TableQuery(options, kColumns), InvalidArgument);
}

TEST(TableQuery, AnswersOnce) {
  QueryOptions options = about_numbers();
  options.budget = {1, 0};
  TableQuery query(options, kColumns);
  SeededRandomNotPrivate random(1);
  query.release(random);
  EXPECT_THROW(query.release(random), std::logic_error);
}

// Whatever the records: with the same noise, one more moves one answer only, by the sensitivity at
// most.
RC_GTEST_PROP(TableQueryProperties, OneRecordMovesOnePartByTheSensitivity,
              (std::vector<std::string> pays, std::string extra)) {
  QueryOptions options = about_numbers();
  options.statistic = Statistic::kSum;
  options.column = "pay";
  options.bounds = ValueBounds(-5, 10);
  options.grid = 0.5;
  options.where = "not pay=0";
  options.by = "city";
  options.parts = Categories({"a", "b", "c"});
  options.budget = {1, 0};
  const auto city = [] {
    return *rc::gen::elementOf(std::vector<std::string>{"a", "b", "c", "d"});
  };
  const auto number = *rc::gen::arbitrary<bool>();
  std::vector<Record> records;
  for (const auto& pay : pays) {
    records.push_back({"1", city(), number ? std::to_string(pay.size()) : pay});
  }
  const auto before = answers(options, records);
  records.push_back({"1", city(), number ? std::to_string(extra.size()) : extra});
  const auto after = answers(options, records);
  int moved = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    moved += before[i] != after[i] ? 1 : 0;
    RC_ASSERT(std::abs(before[i] - after[i]) <= 10);
  }
  RC_ASSERT(moved <= 1);
}

}  // namespace
}  // namespace sotto::mechanisms
