#include "rappor/counts.h"

#include <algorithm>

#include "core/counted.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

Counts::Counts(std::uint32_t bits, std::uint32_t cohorts)
    : bits_(bits), reports_(cohorts), ones_(std::size_t{cohorts} * bits) {}

void Counts::add(std::uint32_t cohort, std::uint64_t reports, std::span<const std::uint64_t> ones) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53U;
  check_argument(cohort < cohorts(), "cohort must be below m = ", cohorts(), ", got ", cohort);
  check_argument(ones.size() == bits_, "expected counts of k = ", bits_, " bits, got ",
                 ones.size());
  check_argument(reports <= kMost && total_ + reports <= kMost, "more than 2^53 reports");
  for (const auto count : ones) {
    check_argument(count <= reports, "a bit was 1 in ", count, " of only ",
                   counted(reports, "report"));
  }
  total_ += reports;
  reports_[cohort] += reports;
  const std::size_t first = std::size_t{cohort} * bits_;
  for (std::size_t bit = 0; bit < bits_; ++bit) ones_[first + bit] += ones[bit];
}

void Counts::merge(const Counts& other) {
  check_argument(other.bits_ == bits_ && other.cohorts() == cohorts(),
                 "counts of k = ", other.bits_, ", m = ", other.cohorts(),
                 " cannot be added to counts of k = ", bits_, ", m = ", cohorts());
  for (std::uint32_t cohort = 0; cohort < cohorts(); ++cohort) {
    add(cohort, other.reports_[cohort],
        std::span(other.ones_).subspan(std::size_t{cohort} * bits_, bits_));
  }
}

Summation::Summation(std::uint32_t bits, std::uint32_t cohorts)
    : counts_(bits, cohorts),
      words_((bits + 63) / 64),
      planes_(std::size_t{cohorts} * words_ * kPlanes),
      pending_(cohorts),
      ones_(bits) {}

void Summation::add(const Report& report) {
  check_argument(report.cohort < counts_.cohorts(), "cohort must be below m = ", counts_.cohorts(),
                 ", got ", report.cohort);
  check_argument(report.bits.size() == counts_.bits(), "expected k = ", counts_.bits(),
                 " bits, got ", report.bits.size());
  add(report.cohort, report.bits.words().data());
}

const Counts& Summation::counts() {
  for (std::uint32_t cohort = 0; cohort < counts_.cohorts(); ++cohort) flush(cohort);
  return counts_;
}

void Summation::flush(std::uint32_t cohort) {
  if (pending_[cohort] == 0) return;
  const auto planes = std::span(planes_).subspan(cohort * words_ * kPlanes, words_ * kPlanes);
  for (std::uint32_t bit = 0; bit < counts_.bits(); ++bit) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < kPlanes; ++i) {
      count |= (planes[(bit / 64) * kPlanes + i] >> (bit % 64) & 1U) << i;
    }
    ones_[bit] = count;
  }
  counts_.add(cohort, pending_[cohort], ones_);
  std::fill(planes.begin(), planes.end(), 0);
  pending_[cohort] = 0;
}

}  // namespace sotto::rappor
