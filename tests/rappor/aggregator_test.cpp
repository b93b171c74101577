#include "rappor/aggregator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "rappor/report_csv.h"
#include "rappor/report_file.h"
#include "sotto/core/error.h"

namespace sotto::rappor {
namespace {

const Params kParams({.bits = 128, .hashes = 2, .cohorts = 16, .f = .5, .p = .5, .q = .75});

std::vector<Report> drawn_reports(std::uint64_t seed) {
  SeededRandomNotPrivate random(seed);
  std::vector<Report> reports;
  for (int i = 0; i < 300; ++i) {
    const Client client(kParams, {.secret = std::to_string(random()), .metric = "m"});
    reports.push_back(client.encode("value", random));
  }
  return reports;
}

std::string binary(const std::vector<Report>& reports) {
  std::ostringstream out;
  ReportFileWriter writer(out, kParams, Profile::kSotto);
  for (const auto& report : reports) writer.add(report);
  writer.finish();
  return out.str();
}

std::string csv(const std::vector<Report>& reports) {
  std::string text = report_csv_header();
  for (const auto& report : reports) text += report_csv_row("", report);
  return text;
}

void add(Aggregator& aggregator, const std::string& bytes) {
  std::istringstream in(bytes);
  aggregator.add(in, "input");
}

PartialSum sum_of(const std::vector<std::string>& inputs, bool allow_repeats = false) {
  Aggregator aggregator({.params = kParams, .allow_repeats = allow_repeats});
  for (const auto& input : inputs) add(aggregator, input);
  return aggregator.sum();
}

TEST(Aggregator, AllFormatsGiveTheSameCounts) {
  const auto reports = drawn_reports(1);
  const auto from_binary = sum_of({binary(reports)});
  EXPECT_EQ(from_binary.counts(), sum_of({csv(reports)}).counts());
  EXPECT_EQ(sum_of({format_partial_sum(from_binary)}), from_binary);
  EXPECT_EQ(from_binary.counts().total(), 300U);
}

TEST(Aggregator, PartsMergeToTheWhole) {
  const std::string a = binary(drawn_reports(1));
  const std::string b = csv(drawn_reports(2));
  const std::string c = binary(drawn_reports(3));
  const auto whole = sum_of({a, b, c});
  EXPECT_EQ(sum_of({format_partial_sum(sum_of({b})), format_partial_sum(sum_of({c, a}))}), whole);
  EXPECT_EQ(whole.sources().size(), 3U);
}

TEST(Aggregator, TheSameReportsTwiceAreRefused) {
  const auto reports = drawn_reports(1);
  const std::string file = binary(reports);
  EXPECT_THROW(sum_of({file, file}), InvalidArgument);
  EXPECT_THROW(sum_of({csv(reports), csv(reports)}), InvalidArgument);
  auto shuffled = reports;
  std::swap(shuffled[0], shuffled[100]);
  EXPECT_THROW(sum_of({csv(reports), csv(shuffled)}), InvalidArgument);
  const std::string part = format_partial_sum(sum_of({file}));
  EXPECT_THROW(sum_of({part, part}), InvalidArgument);
  EXPECT_THROW(sum_of({part, file}), InvalidArgument);
  const std::string larger = format_partial_sum(sum_of({file, binary(drawn_reports(2))}));
  EXPECT_THROW(sum_of({larger, part}), InvalidArgument);
}

TEST(Aggregator, RepeatedRowsAreRefusedWhereChanceMakesNone) {
  auto reports = drawn_reports(1);
  const std::vector<Report> some(reports.begin(), reports.begin() + 20);
  reports.insert(reports.end(), some.begin(), some.end());
  EXPECT_THROW(sum_of({csv(reports)}), InvalidArgument);
  EXPECT_EQ(sum_of({csv(reports)}, /*allow_repeats=*/true).counts().total(), 320U);
}

TEST(Aggregator, FewBitsMayRepeat) {
  const Params params({.bits = 2, .hashes = 1, .cohorts = 1, .f = .5, .p = .5, .q = .75});
  EXPECT_GT(expected_equal_pairs(params, 10), 1);
  Aggregator aggregator({.params = params});
  add(aggregator, "client,cohort,bloom,prr,irr\n,0,,,01\n,0,,,01\n");
  EXPECT_EQ(aggregator.sum().counts().total(), 2U);
}

TEST(Aggregator, AFailedFileLeavesNothingBehind) {
  Aggregator aggregator({.params = kParams});
  const std::string first = binary(drawn_reports(1));
  add(aggregator, first);
  const std::string second = binary(drawn_reports(2));
  EXPECT_THROW(add(aggregator, second.substr(0, second.size() - 1)), InvalidArgument);
  EXPECT_EQ(aggregator.sum(), sum_of({first}));
  Aggregator empty({.params = kParams});
  EXPECT_THROW(add(empty, second.substr(0, second.size() - 1)), InvalidArgument);
  EXPECT_THROW(empty.sum(), InvalidArgument);
}

TEST(Aggregator, EmptyPartsMayBeAlike) {
  const auto sum = sum_of({report_csv_header(), report_csv_header(), csv(drawn_reports(1))});
  EXPECT_EQ(sum.counts().total(), 300U);
  EXPECT_EQ(sum.sources().size(), 1U);
}

TEST(Aggregator, OtherParametersAreRefused) {
  const Params other({.bits = 128, .hashes = 2, .cohorts = 16, .f = .25, .p = .5, .q = .75});
  Aggregator aggregator({.params = other});
  EXPECT_THROW(add(aggregator, binary(drawn_reports(1))), InvalidArgument);
  Aggregator without({});
  EXPECT_THROW(add(without, csv(drawn_reports(1))), InvalidArgument);
  EXPECT_THROW(without.sum(), InvalidArgument);
}

TEST(PartialSum, DamageIsRefused) {
  const auto sum = sum_of({binary(drawn_reports(1))});
  const std::string text = format_partial_sum(sum);
  EXPECT_EQ(parse_partial_sum(text, "sum"), sum);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const auto at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    EXPECT_THROW(parse_partial_sum(changed, "sum"), InvalidArgument) << to;
  };
  refused("sotto-rappor-sum-1", "sotto-rappor-sum-2");
  refused("\"k\":128", "\"k\":64");
  refused("\"k\":128", "\"k\":-1");
  refused("\"m\":16", "\"m\":17");
  refused("\"sources\":[{",
          "\"sources\":[{\"id\":\"00000000000000000000000000000000\",\"reports\":1},{");
  refused("\"reports\":300", "\"reports\":301");
  refused("\"malformed\":0", "\"malformed\":-1");
  refused("\"profile\":\"sotto\"", "\"profile\":\"other\"");
  for (std::size_t size = 0; size < text.size() - 1; size += 97) {
    EXPECT_THROW(parse_partial_sum(text.substr(0, size), "sum"), InvalidArgument);
  }
}

}  // namespace
}  // namespace sotto::rappor
