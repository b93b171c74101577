// The layout of a binary report file, shared by its writer and its reader. Numbers are
// little-endian.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "rappor/report_file.h"

namespace sotto::rappor {

inline constexpr std::string_view kReportMagic("SOTTORR\1", 8);
inline constexpr std::size_t kHeaderSize = 64;   // without its checksum
inline constexpr std::size_t kBlockStart = 8;    // number of reports, number of the block
inline constexpr std::size_t kTrailerSize = 16;  // without its checksum
inline constexpr std::size_t kChecksumSize = 4;

// Bytes that hold a cohort number.
inline std::size_t cohort_width(const Params& params) {
  if (params.cohorts() == 1) return 0;
  return params.cohorts() <= 256 ? 1 : 2;
}

inline std::size_t bits_width(const Params& params) { return (params.bits() + 7) / 8; }

inline std::size_t record_size(const Params& params) {
  return cohort_width(params) + bits_width(params);
}

// Blocks of about 64 KiB.
inline std::uint32_t most_records_in_block(const Params& params) {
  constexpr std::size_t kBlockSize = 65536;
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, kBlockSize / record_size(params)));
}

inline void append_number(std::string& bytes, std::uint64_t value, std::size_t width) {
  std::array<char, 8> digits{};
  for (std::size_t i = 0; i < width; ++i) digits[i] = static_cast<char>(value >> (8 * i) & 0xFFU);
  bytes.append(digits.data(), width);
}

inline std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return value;
}

// CRC-32 of the file's identity followed by the part: a part of another file does not fit.
std::uint32_t checksum(const FileIdentity& identity, std::string_view part);

}  // namespace sotto::rappor
