// Sums of reports: all that the decoder needs, in memory that does not grow with their number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/rappor/rappor.h"

namespace sotto::rappor {

// For every cohort the number of reports, and for each of its bits how often it was 1. Sums of
// parts, in any order and on any machine, are the sum of the whole.
class Counts {
 public:
  Counts(std::uint32_t bits, std::uint32_t cohorts);
  explicit Counts(const Params& params) : Counts(params.bits(), params.cohorts()) {}

  std::uint32_t bits() const { return bits_; }
  std::uint32_t cohorts() const { return static_cast<std::uint32_t>(reports_.size()); }

  std::uint64_t total() const { return total_; }
  std::uint64_t reports(std::uint32_t cohort) const { return reports_[cohort]; }
  std::uint64_t ones(std::uint32_t cohort, std::uint32_t bit) const {
    return ones_[std::size_t{cohort} * bits_ + bit];
  }

  // `ones` has k entries. Throws InvalidArgument if a bit was 1 in more reports than there were, or
  // if the sum exceeds 2^53.
  void add(std::uint32_t cohort, std::uint64_t reports, std::span<const std::uint64_t> ones);
  // Throws InvalidArgument unless the sizes agree.
  void merge(const Counts& other);

  bool operator==(const Counts&) const = default;

 private:
  std::uint32_t bits_;
  std::uint64_t total_ = 0;
  std::vector<std::uint64_t> reports_;
  std::vector<std::uint64_t> ones_;
};

// Adds reports at memory speed: 64 bits at a time in counters that lie across words, emptied into
// Counts when they are full.
class Summation {
 public:
  Summation(std::uint32_t bits, std::uint32_t cohorts);
  explicit Summation(const Params& params) : Summation(params.bits(), params.cohorts()) {}

  // REQUIRES: cohort < m; ⌈k/64⌉ words, no bit set beyond k.
  void add(std::uint32_t cohort, const std::uint64_t* words) {
    std::uint64_t* plane = planes_.data() + std::size_t{cohort} * words_ * kPlanes;
    for (std::size_t word = 0; word < words_; ++word, plane += kPlanes) {
      std::uint64_t carry = words[word];
      for (std::size_t i = 0; carry != 0; ++i) {
        const std::uint64_t both = plane[i] & carry;
        plane[i] ^= carry;
        carry = both;
      }
    }
    if (++pending_[cohort] == kFull) flush(cohort);
  }

  // Throws InvalidArgument unless the report fits.
  void add(const Report& report);

  // Everything added so far.
  const Counts& counts();

 private:
  static constexpr std::size_t kPlanes = 12;
  static constexpr std::uint32_t kFull = (1U << kPlanes) - 1;

  void flush(std::uint32_t cohort);

  Counts counts_;
  std::size_t words_;
  std::vector<std::uint64_t> planes_;  // [cohort][word][plane]
  std::vector<std::uint32_t> pending_;
  std::vector<std::uint64_t> ones_;  // of the cohort being emptied
};

}  // namespace sotto::rappor
