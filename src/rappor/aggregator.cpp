#include "rappor/aggregator.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <iterator>

#include "rappor/report_csv.h"
#include "rappor/report_file.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

// Fewer than this expected: equal rows are copies.
constexpr double kImplausiblePairs = 0.01;

void refuse_repeats(const ReportCsvSummary& summary, const Params& params,
                    const std::string& name) {
  if (expected_equal_pairs(params, summary.reports) > kImplausiblePairs) return;
  check_setting(summary.repeated == 0, name, ": ", summary.repeated, " of ", summary.sampled,
                " rows looked at occur more than once, word for word: a part of the file is there "
                "twice (",
                the_setting("allow_repeats"), " sums it nevertheless)");
}

}  // namespace

double expected_equal_pairs(const Params& params, std::uint64_t reports) {
  const auto [p_star, q_star] = reported_rates(params);
  const auto log_agreement = [](double rate) {
    return std::log(rate * rate + (1 - rate) * (1 - rate));
  };
  const double a_bit = std::max(log_agreement(p_star), log_agreement(q_star));
  const auto count = static_cast<double>(reports);
  return count * count / 2 * std::exp(params.bits() * a_bit);
}

Aggregator::Aggregator(const AggregatorOptions& options)
    : options_(options), problems_(options.strictness) {}

const PartialSum& Aggregator::sum() const {
  check_argument(sum_.has_value(), "no reports were given");
  return *sum_;
}

void Aggregator::add(std::istream& in, const std::string& name) {
  const int first = in.peek();
  if (first == 'S') {
    add_report_file(in, name);
  } else if (first == '{') {
    add_partial_sum(in, name);
  } else {
    add_csv(in, name);
  }
}

void Aggregator::check_fit(const Params& params, Profile profile, const std::string& name) const {
  const Params expected = sum_ ? sum_->params() : options_.params.value_or(params);
  const Profile expected_profile = sum_ ? sum_->profile() : options_.profile.value_or(profile);
  check_argument(params == expected && profile == expected_profile, name,
                 ": has other parameters or another profile than the flags or the files before it");
}

void Aggregator::merge(const PartialSum& part, const std::string& name) {
  PartialSum sum = sum_ ? *sum_ : PartialSum(part.params(), part.profile());
  try {
    sum.merge(part);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(name + ": " + error.what());
  }
  sum_ = std::move(sum);
}

void Aggregator::add_report_file(std::istream& in, const std::string& name) {
  ReportFileReader reader(in, name);
  check_fit(reader.params(), reader.profile(), name);
  Summation summation(reader.params());
  RowProblems problems = problems_;
  reader.read(
      [&](std::uint32_t cohort, const std::uint64_t* words) { summation.add(cohort, words); },
      problems);
  const Counts& counts = summation.counts();
  PartialSum part(reader.params(), reader.profile());
  part.add({identity_text(reader.identity()), counts.total()}, counts,
           problems.count() - problems_.count());
  merge(part, name);
  problems_ = std::move(problems);
}

void Aggregator::add_partial_sum(std::istream& in, const std::string& name) {
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const PartialSum part = parse_partial_sum(text, name);
  check_fit(part.params(), part.profile(), name);
  merge(part, name);
}

void Aggregator::add_csv(std::istream& in, const std::string& name) {
  check_setting(sum_ || options_.params, name,
                ": CSV reports do not hold their parameters: give them (", the_setting("params"),
                ")");
  const Params params = options_.params ? *options_.params : sum_->params();
  const Profile profile = options_.profile.value_or(sum_ ? sum_->profile() : Profile::kSotto);
  check_fit(params, profile, name);
  Summation summation(params);
  RowProblems problems = problems_;
  const auto summary = read_report_csv(
      in, name, params,
      [&](std::uint32_t cohort, const std::uint64_t* words) { summation.add(cohort, words); },
      problems);
  if (!options_.allow_repeats) refuse_repeats(summary, params, name);
  PartialSum part(params, profile);
  part.add({summary.fingerprint, summary.reports}, summation.counts(),
           problems.count() - problems_.count());
  merge(part, name);
  problems_ = std::move(problems);
}

}  // namespace sotto::rappor
