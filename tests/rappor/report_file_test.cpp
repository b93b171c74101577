#include "rappor/report_file.h"

#include <gtest/gtest.h>

#include <sstream>

#include "rappor/report_layout.h"
#include "sotto/core/error.h"

namespace sotto::rappor {
namespace {

const Params kParams({.bits = 20, .hashes = 2, .cohorts = 300, .f = .5, .p = .5, .q = .75});

std::vector<Report> drawn_reports(std::size_t count, std::uint64_t seed) {
  SeededRandomNotPrivate random(seed);
  std::vector<Report> reports;
  for (std::size_t i = 0; i < count; ++i) {
    reports.push_back({static_cast<std::uint32_t>(random() % kParams.cohorts()),
                       BitString(kParams.bits(), {random() & 0xFFFFFU})});
  }
  return reports;
}

std::string written(const std::vector<Report>& reports) {
  std::ostringstream out;
  ReportFileWriter writer(out, kParams, Profile::kSotto);
  for (const auto& report : reports) writer.add(report);
  writer.finish();
  return out.str();
}

std::vector<Report> read_back(const std::string& bytes) {
  std::istringstream in(bytes);
  ReportFileReader reader(in, "reports");
  std::vector<Report> reports;
  RowProblems problems(Strictness::kRefuse);
  reader.read(
      [&](std::uint32_t cohort, const std::uint64_t* words) {
        reports.push_back({cohort, BitString(kParams.bits(), {words[0]})});
      },
      problems);
  return reports;
}

constexpr std::size_t kHeader = kHeaderSize + kChecksumSize;
// Enough for two full blocks and a part of a third.
constexpr std::size_t kMany = 30000;

TEST(ReportFile, ReadsBack) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, kMany}) {
    const auto reports = drawn_reports(count, 1);
    EXPECT_EQ(read_back(written(reports)), reports);
  }
}

TEST(ReportFile, CarriesParametersAndIdentity) {
  std::istringstream in(written({}));
  const ReportFileReader reader(in, "reports");
  EXPECT_EQ(reader.params(), kParams);
  EXPECT_EQ(reader.profile(), Profile::kSotto);
  EXPECT_EQ(identity_text(reader.identity()).size(), 32U);
  EXPECT_NE(written({}), written({}));
}

// Wherever it is cut, also between blocks.
TEST(ReportFile, EveryTruncationIsNoticed) {
  const std::string bytes = written(drawn_reports(50, 2));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(read_back(bytes.substr(0, size)), InvalidArgument) << size;
  }
  const std::string large = written(drawn_reports(kMany, 2));
  const std::size_t block =
      kBlockStart + most_records_in_block(kParams) * record_size(kParams) + kChecksumSize;
  for (const std::size_t blocks : {0U, 1U, 2U}) {
    EXPECT_THROW(read_back(large.substr(0, kHeader + blocks * block)), InvalidArgument);
  }
}

TEST(ReportFile, EveryChangedByteIsNoticed) {
  const std::string bytes = written(drawn_reports(50, 3));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      EXPECT_THROW(read_back(damaged), InvalidArgument) << at;
    }
  }
}

TEST(ReportFile, BlocksInAnotherOrderAreNoticed) {
  const std::string bytes = written(drawn_reports(kMany, 4));
  const std::size_t block =
      kBlockStart + most_records_in_block(kParams) * record_size(kParams) + kChecksumSize;
  const std::string head = bytes.substr(0, kHeader);
  const std::string first = bytes.substr(kHeader, block);
  const std::string second = bytes.substr(kHeader + block, block);
  const std::string rest = bytes.substr(kHeader + 2 * block);
  EXPECT_NO_THROW(read_back(head + first + second + rest));
  EXPECT_THROW(read_back(head + second + first + rest), InvalidArgument);
  EXPECT_THROW(read_back(head + first + first + rest), InvalidArgument);
  EXPECT_THROW(read_back(head + first + first + second + rest), InvalidArgument);
  EXPECT_THROW(read_back(head + second + rest), InvalidArgument);
  EXPECT_THROW(read_back(head + rest), InvalidArgument);
  EXPECT_THROW(read_back(bytes + bytes), InvalidArgument);
  EXPECT_THROW(read_back(bytes + "x"), InvalidArgument);
}

TEST(ReportFile, BlocksOfAnotherFileAreNoticed) {
  const std::string one = written(drawn_reports(100, 5));
  const std::string other = written(drawn_reports(100, 6));
  EXPECT_THROW(read_back(one.substr(0, kHeader) + other.substr(kHeader)), InvalidArgument);
}

TEST(ReportFile, ReportsOutOfRangeAreCounted) {
  std::ostringstream out;
  const Params wide({.bits = 24, .hashes = 2, .cohorts = 65000, .f = .5, .p = .5, .q = .75});
  ReportFileWriter writer(out, wide, Profile::kSotto, FileIdentity{});
  writer.add({400, BitString(24)});            // no such cohort below
  writer.add({2, BitString(24, {0x800000})});  // no such bit
  writer.add({299, BitString(24, {0x0FFFFF})});
  writer.finish();
  std::ostringstream header;
  const ReportFileWriter narrow(header, kParams, Profile::kSotto, FileIdentity{});
  std::istringstream in(header.str() + out.str().substr(kHeader));
  ReportFileReader reader(in, "reports");
  RowProblems problems;
  int visited = 0;
  reader.read([&](std::uint32_t, const std::uint64_t*) { ++visited; }, problems);
  EXPECT_EQ(visited, 1);
  EXPECT_EQ(problems.count(), 2U);
  EXPECT_EQ(problems.first_messages()[0], "reports, report 1: cohort or bits out of range");
}

TEST(ReportFile, WriterRefusesWhatDoesNotFit) {
  std::ostringstream out;
  ReportFileWriter writer(out, kParams, Profile::kSotto);
  EXPECT_THROW(writer.add({300, BitString(20)}), InvalidArgument);
  EXPECT_THROW(writer.add({0, BitString(21)}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::rappor
