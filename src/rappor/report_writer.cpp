#include <zlib.h>

#include <algorithm>
#include <ostream>

#include "rappor/report_layout.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

std::string header_bytes(const Params& params, Profile profile, const FileIdentity& identity) {
  std::string bytes(kReportMagic);
  append_number(bytes, params.bits(), 4);
  append_number(bytes, params.hashes(), 4);
  append_number(bytes, params.cohorts(), 4);
  append_number(bytes, static_cast<std::uint64_t>(profile), 4);
  for (const double rate : {params.f(), params.p(), params.q()}) {
    append_number(bytes, std::bit_cast<std::uint64_t>(rate), 8);
  }
  bytes.append(identity.begin(), identity.end());
  return bytes;
}

}  // namespace

std::uint32_t checksum(const FileIdentity& identity, std::string_view part) {
  const uLong start = crc32_z(0, identity.data(), identity.size());
  return static_cast<std::uint32_t>(
      crc32_z(start, reinterpret_cast<const Bytef*>(part.data()), part.size()));
}

FileIdentity fresh_identity() {
  SecureRandom random;
  FileIdentity identity{};
  for (auto& byte : identity) byte = static_cast<std::uint8_t>(random() & 0xFFU);
  return identity;
}

std::string identity_text(const FileIdentity& identity) {
  std::string text;
  for (const auto byte : identity) {
    text += "0123456789abcdef"[byte >> 4U];
    text += "0123456789abcdef"[byte & 15U];
  }
  return text;
}

ReportFileWriter::ReportFileWriter(std::ostream& out, const Params& params, Profile profile,
                                   const FileIdentity& identity)
    : out_(out), params_(params), identity_(identity) {
  write_sealed(header_bytes(params, profile, identity));
}

void ReportFileWriter::add(const Report& report) {
  check_argument(report.cohort < params_.cohorts() && report.bits.size() == params_.bits(),
                 "a report of cohort ", report.cohort, " and ", report.bits.size(),
                 " bits does not fit m = ", params_.cohorts(), ", k = ", params_.bits());
  append_number(records_, report.cohort, cohort_width(params_));
  std::size_t left = bits_width(params_);
  for (const auto word : report.bits.words()) {
    append_number(records_, word, std::min<std::size_t>(left, 8));
    left -= std::min<std::size_t>(left, 8);
  }
  ++reports_;
  if (++in_block_ == most_records_in_block(params_)) write_block();
}

void ReportFileWriter::finish() {
  if (in_block_ > 0) write_block();
  std::string trailer;
  append_number(trailer, 0, 4);
  append_number(trailer, blocks_, 4);
  append_number(trailer, reports_, 8);
  write_sealed(std::move(trailer));
}

void ReportFileWriter::write_block() {
  std::string block;
  append_number(block, in_block_, 4);
  append_number(block, blocks_++, 4);
  block += records_;
  records_.clear();
  in_block_ = 0;
  write_sealed(std::move(block));
}

void ReportFileWriter::write_sealed(std::string part) {
  append_number(part, checksum(identity_, part), kChecksumSize);
  out_.write(part.data(), static_cast<std::streamsize>(part.size()));
}

}  // namespace sotto::rappor
