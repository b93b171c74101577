// Counts that know where they come from, so that no report is added twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rappor/counts.h"

namespace sotto::rappor {

// One file of reports: a binary file's identity, or the fingerprint of a CSV file's rows.
struct Source {
  std::string id{};  // 32 hexadecimal digits
  std::uint64_t reports = 0;

  bool operator==(const Source&) const = default;
};

class PartialSum {
 public:
  // Of nothing.
  PartialSum(const Params& params, Profile profile);
  // Throws InvalidArgument unless the counts fit the parameters and all sources differ.
  PartialSum(const Params& params, Profile profile, Counts counts, std::vector<Source> sources,
             std::uint64_t malformed);

  const Params& params() const { return params_; }
  Profile profile() const { return profile_; }
  const Counts& counts() const { return counts_; }
  const std::vector<Source>& sources() const { return sources_; }  // sorted
  // Rows of the sources that were not reports.
  std::uint64_t malformed() const { return malformed_; }

  // Adds the counts of a source; one without reports leaves no trace. Throws InvalidArgument if it
  // was added before, or if its number of reports is not that of the counts.
  void add(const Source& source, const Counts& counts, std::uint64_t malformed);

  // Adds all that `other` holds. Throws InvalidArgument, and changes nothing, if parameters or
  // profile differ, or if a source is in both.
  void merge(const PartialSum& other);

  bool operator==(const PartialSum&) const = default;

 private:
  void add_source(const Source& source);

  Params params_;
  Profile profile_;
  Counts counts_;
  std::vector<Source> sources_;
  std::uint64_t malformed_ = 0;
};

// As one JSON object. Reads back equal.
std::string format_partial_sum(const PartialSum& sum);
// Throws InvalidArgument unless it is whole, and its numbers agree with each other.
PartialSum parse_partial_sum(std::string_view text, const std::string& name);
// True if text that starts so is meant to be one.
bool is_partial_sum(std::string_view first_bytes);

}  // namespace sotto::rappor
