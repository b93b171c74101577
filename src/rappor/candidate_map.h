// The strings that might have been reported, and the bits each would set in every cohort.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/rappor/params.h"

namespace sotto::rappor {

class CandidateMap {
 public:
  // Hashes every candidate for every cohort. Throws InvalidArgument if there is none, if one occurs
  // twice or holds a line break, or if there are more than 2^28 bits to list.
  static CandidateMap of_strings(const Params& params, Profile profile,
                                 std::vector<std::string> candidates);
  // Basic RAPPOR: candidate i is bit i. Throws InvalidArgument unless h = 1 and there are at most
  // k.
  static CandidateMap of_categories(const Params& params, std::vector<std::string> categories);

  std::size_t size() const { return names_.size(); }
  std::uint32_t bits() const { return bits_; }
  std::uint32_t cohorts() const { return cohorts_; }
  const std::string& name(std::size_t candidate) const { return names_[candidate]; }
  const std::vector<std::string>& names() const { return names_; }
  // cohort · k + bit of each hash in each cohort, cohort by cohort: h · m of them.
  std::span<const std::uint32_t> cells(std::size_t candidate) const {
    return std::span(cells_).subspan(candidate * width_, width_);
  }

  bool operator==(const CandidateMap&) const = default;

 private:
  friend CandidateMap parse_map(std::string_view, const Params&, const std::string&);
  CandidateMap(const Params& params, std::vector<std::string> names,
               std::vector<std::uint32_t> cells);

  std::uint32_t bits_;
  std::uint32_t cohorts_;
  std::size_t width_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> cells_;
};

// google/rappor's map: one row per candidate, the string and then cohort · k + bit + 1 of each
// hash. Throws InvalidArgument with the line at fault; a last line without an end is one.
CandidateMap parse_map(std::string_view text, const Params& params, const std::string& name);
std::string format_map(const CandidateMap& map);

// One string per line, unaltered. An empty line is refused, a missing last line break is not.
std::vector<std::string> parse_candidates(std::string_view text, const std::string& name);

}  // namespace sotto::rappor
