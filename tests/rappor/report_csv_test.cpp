#include "rappor/report_csv.h"

#include <gtest/gtest.h>

#include <sstream>

#include "rappor/line_reader.h"
#include "sotto/core/error.h"

namespace sotto::rappor {
namespace {

const Params kParams({.bits = 10, .hashes = 2, .cohorts = 4, .f = .5, .p = .5, .q = .75});
const std::string kHead = "client,cohort,bloom,prr,irr\n";

struct Outcome {
  std::vector<Report> reports;
  RowProblems problems;
  ReportCsvSummary summary;
};

Outcome read(const std::string& text) {
  std::istringstream in(text);
  Outcome outcome;
  outcome.summary = read_report_csv(
      in, "r.csv", kParams,
      [&](std::uint32_t cohort, const std::uint64_t* words) {
        outcome.reports.push_back({cohort, BitString(kParams.bits(), {words[0]})});
      },
      outcome.problems);
  return outcome;
}

TEST(ReportCsv, ReadsBack) {
  const Report report{3, BitString::from_text("1000000011")};
  const std::string row = report_csv_row("a,b", report);
  EXPECT_EQ(row, "\"a,b\",3,,,1000000011\n");
  const auto outcome = read(report_csv_header() + row);
  ASSERT_EQ(outcome.reports.size(), 1U);
  EXPECT_EQ(outcome.reports[0], report);
  EXPECT_EQ(outcome.problems.count(), 0U);
}

TEST(ReportCsv, ColumnsAreFoundByName) {
  EXPECT_EQ(read("irr,cohort\n0000000001,2\r\n").reports[0],
            (Report{2, BitString::from_text("0000000001")}));
  EXPECT_EQ(read(kHead + "7,1,0000000000,1111111111,0101010101\n").reports[0].bits.text(),
            "0101010101");
}

TEST(ReportCsv, SkipsAByteOrderMark) {
  const std::string text = "\xEF\xBB\xBF" + kHead + "7,1,,,0101010101\n";
  EXPECT_EQ(read(text).reports.size(), 1U);
  EXPECT_THROW(read(text + text), InvalidArgument);  // the header again
}

TEST(ReportCsv, MalformedRowsAreCountedWithTheirLines) {
  const auto outcome = read(kHead +
                            "1,0,,,0101010101\n"
                            "2,4,,,0101010101\n"   // no such cohort
                            "3,0,,,010101010\n"    // too short
                            "4,0,,,01010101012\n"  // too long
                            "5,0,,,0101010x01\n"   // no bit
                            "6,0,,,x101010101\n"   // no bit, beyond the groups of eight
                            "7,0,,0101010101\n"    // a field is missing
                            "8,-1,,,0101010101\n"  // no number
                            "\n"
                            "\"9,0,,,0101010101\n"  // an open quote
                            "10,0,,,11111111");     // cut off
  EXPECT_EQ(outcome.reports.size(), 1U);
  EXPECT_EQ(outcome.summary.reports, 1U);
  EXPECT_EQ(outcome.problems.count(), 10U);
  EXPECT_EQ(outcome.problems.first_messages()[0], "r.csv, line 3: cohort is not a number below m");
  EXPECT_EQ(outcome.problems.first_messages()[8].substr(0, 14), "r.csv, line 11");
}

TEST(ReportCsv, StrictReadingEndsAtTheFirst) {
  std::istringstream in(kHead + "1,0,,,01\n");
  RowProblems problems(Strictness::kRefuse);
  EXPECT_THROW(read_report_csv(
                   in, "r.csv", kParams, [](auto, auto) {}, problems),
               InvalidArgument);
}

TEST(ReportCsv, RefusesAMissingOrSecondHeader) {
  EXPECT_THROW(read(""), InvalidArgument);
  EXPECT_THROW(read("1,0,,,0101010101\n"), InvalidArgument);
  const std::string file = kHead + "1,0,,,0101010101\n";
  EXPECT_THROW(read(file + file), InvalidArgument);
}

TEST(ReportCsv, FingerprintIgnoresTheOrder) {
  const std::string a = "1,0,,,0101010101\n";
  const std::string b = "2,1,,,0101010111\n";
  EXPECT_EQ(read(kHead + a + b).summary.fingerprint, read(kHead + b + a).summary.fingerprint);
  EXPECT_NE(read(kHead + a + b).summary.fingerprint, read(kHead + a).summary.fingerprint);
  EXPECT_NE(read(kHead + a + b).summary.fingerprint, read(kHead + a + b + b).summary.fingerprint);
}

TEST(ReportCsv, RepeatedRowsAreSeen) {
  std::string rows;
  for (int i = 0; i < 200000; ++i) {
    rows += std::to_string(i) + ",0,,,0101010101\n";
  }
  EXPECT_EQ(read(kHead + rows).summary.repeated, 0U);
  const auto half = read(kHead + rows + rows.substr(0, rows.find("\n100000,") + 1)).summary;
  EXPECT_NEAR(static_cast<double>(half.repeated) / static_cast<double>(half.sampled), 0.5, 0.02);
}

TEST(LineReader, LinesOfAnyLength) {
  const std::string huge(3'000'000, 'x');
  std::istringstream in("a\r\n\nb\n" + huge + "\nend");
  LineReader lines(in);
  EXPECT_EQ(*lines.next(), "a");
  EXPECT_EQ(*lines.next(), "");
  EXPECT_EQ(*lines.next(), "b");
  std::string last;
  std::size_t length = 0;
  while (const auto line = lines.next()) {
    length += line->size();
    last = *line;
  }
  EXPECT_EQ(last, "end");
  EXPECT_EQ(length, huge.size() + 3);
}

TEST(LineReader, LinesAcrossTheBuffer) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "line " + std::to_string(i) + "\n";
  std::istringstream in(text);
  LineReader lines(in);
  for (int i = 0; i < 300000; ++i) ASSERT_EQ(*lines.next(), "line " + std::to_string(i));
  EXPECT_FALSE(lines.next());
  EXPECT_EQ(lines.number(), 300000U);
}

}  // namespace
}  // namespace sotto::rappor
