#include <algorithm>
#include <cstring>
#include <istream>
#include <vector>

#include "rappor/report_layout.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

std::string read_bytes(std::istream& in, std::size_t size) {
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

void require(bool condition, const std::string& name, const std::string& what) {
  if (!condition) throw InvalidArgument(name + ": " + what);
}

// Header and checksum.
std::string read_header(std::istream& in, const std::string& name) {
  std::string header = read_bytes(in, kHeaderSize + kChecksumSize);
  require(is_report_file(header), name, "is not a report file of sotto, version 1");
  require(header.size() == kHeaderSize + kChecksumSize, name, "cut off within the header");
  return header;
}

FileIdentity identity_in(std::string_view header) {
  FileIdentity identity{};
  std::copy_n(header.begin() + kHeaderSize - identity.size(), identity.size(), identity.begin());
  return identity;
}

Params params_in(std::string_view header, const std::string& name) {
  require(checksum(identity_in(header), header.substr(0, kHeaderSize)) ==
              number_at(header, kHeaderSize, kChecksumSize),
          name, "the header is damaged: its checksum does not fit");
  const auto rate = [&](std::size_t at) { return std::bit_cast<double>(number_at(header, at, 8)); };
  try {
    return Params({.bits = static_cast<std::int64_t>(number_at(header, 8, 4)),
                   .hashes = static_cast<std::int64_t>(number_at(header, 12, 4)),
                   .cohorts = static_cast<std::int64_t>(number_at(header, 16, 4)),
                   .f = rate(24),
                   .p = rate(32),
                   .q = rate(40)});
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(name + ": header: " + error.what());
  }
}

Profile profile_in(std::string_view header, const std::string& name) {
  const std::uint64_t number = number_at(header, 20, 4);
  require(number <= static_cast<std::uint64_t>(Profile::kGooglePython), name,
          "header: profile " + std::to_string(number) + " is not known");
  return static_cast<Profile>(number);
}

}  // namespace

bool is_report_file(std::string_view first_bytes) { return first_bytes.starts_with(kReportMagic); }

ReportFileReader::ReportFileReader(std::istream& in, std::string name)
    : in_(in), name_(std::move(name)), params_({.bits = 1, .hashes = 1}) {
  const std::string header = read_header(in_, name_);
  params_ = params_in(header, name_);
  profile_ = profile_in(header, name_);
  identity_ = identity_in(header);
}

std::string ReportFileReader::read_block(std::uint32_t block) {
  const std::string where = "block " + std::to_string(block);
  std::string part = read_bytes(in_, kBlockStart);
  require(part.size() == kBlockStart, name_, "cut off before " + where + ": the end is missing");
  const std::uint64_t count = number_at(part, 0, 4);
  require(count <= most_records_in_block(params_), name_, where + " is damaged: too many reports");
  const std::size_t size = count == 0 ? kTrailerSize : kBlockStart + count * record_size(params_);
  part += read_bytes(in_, size - kBlockStart + kChecksumSize);
  require(part.size() == size + kChecksumSize, name_, "cut off within " + where);
  require(checksum(identity_, std::string_view(part).substr(0, size)) ==
              number_at(part, size, kChecksumSize),
          name_, where + " is damaged or of another file: its checksum does not fit");
  const std::uint64_t sequence = number_at(part, 4, 4);
  require(sequence == block, name_,
          "block " + std::to_string(sequence) + " stands where block " + std::to_string(block) +
              " should: blocks are missing, repeated or out of order");
  return part;
}

void ReportFileReader::read(const ReportVisitor& visit, RowProblems& problems) {
  for (std::uint32_t block = 0;; ++block) {
    const std::string part = read_block(block);
    const auto count = static_cast<std::uint32_t>(number_at(part, 0, 4));
    if (count == 0) {
      require(number_at(part, kBlockStart, 8) == reports_, name_,
              "the end gives a number of reports other than that in the file");
      require(in_.peek() == std::istream::traits_type::eof(), name_, "continues after its end");
      return;
    }
    read_records(std::string_view(part).substr(kBlockStart), count, visit, problems);
  }
}

void ReportFileReader::read_records(std::string_view records, std::uint32_t count,
                                    const ReportVisitor& visit, RowProblems& problems) {
  const std::size_t before = cohort_width(params_);
  const std::size_t width = bits_width(params_);
  const BitString shape(params_.bits());
  const std::size_t last = shape.words().size() - 1;
  std::vector<std::uint64_t> words(last + 1);
  for (std::uint32_t i = 0; i < count; ++i, ++reports_) {
    const std::string_view record = records.substr(i * record_size(params_));
    const auto cohort = static_cast<std::uint32_t>(number_at(record, 0, before));
    for (std::size_t word = 0; word <= last; ++word) {
      words[word] =
          number_at(record, before + 8 * word, std::min<std::size_t>(8, width - 8 * word));
    }
    if (cohort >= params_.cohorts() || (words[last] & ~shape.mask(last)) != 0) {
      problems.add(name_ + ", report " + std::to_string(reports_ + 1) +
                   ": cohort or bits out of range");
      continue;
    }
    visit(cohort, words.data());
  }
}

}  // namespace sotto::rappor
