// The server's first step: files of reports, or sums of them, in; one sum out.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "rappor/partial_sum.h"
#include "rappor/row_problems.h"

namespace sotto::rappor {

struct AggregatorOptions {
  // Needed for CSV reports, which do not say; files that do must agree with it.
  std::optional<Params> params{};
  std::optional<Profile> profile{};  // kSotto if nothing says otherwise
  Strictness strictness = Strictness::kCount;
  // CSV: take rows that occur word for word more than once, where chance would not repeat any.
  bool allow_repeats = false;
};

class Aggregator {
 public:
  explicit Aggregator(const AggregatorOptions& options);

  // A binary report file, a CSV of reports or a partial sum, told apart by the first byte. Nothing
  // of it is added if it throws: InvalidArgument for a file that is damaged, repeated or of other
  // parameters.
  void add(std::istream& in, const std::string& name);

  // Throws InvalidArgument if nothing was added.
  const PartialSum& sum() const;
  const RowProblems& problems() const { return problems_; }

 private:
  void check_fit(const Params& params, Profile profile, const std::string& name) const;
  void merge(const PartialSum& part, const std::string& name);
  void add_report_file(std::istream& in, const std::string& name);
  void add_partial_sum(std::istream& in, const std::string& name);
  void add_csv(std::istream& in, const std::string& name);

  AggregatorOptions options_;
  std::optional<PartialSum> sum_;
  RowProblems problems_;
};

// Pairs of equal reports that chance would give among `reports` independent ones, at most.
double expected_equal_pairs(const Params& params, std::uint64_t reports);

}  // namespace sotto::rappor
