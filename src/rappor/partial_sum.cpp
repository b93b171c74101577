#include "rappor/partial_sum.h"

#include <algorithm>

#include "core/counted.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

bool by_id(const Source& left, const Source& right) { return left.id < right.id; }

}  // namespace

PartialSum::PartialSum(const Params& params, Profile profile)
    : params_(params), profile_(profile), counts_(params) {}

PartialSum::PartialSum(const Params& params, Profile profile, Counts counts,
                       std::vector<Source> sources, std::uint64_t malformed)
    : params_(params),
      profile_(profile),
      counts_(std::move(counts)),
      sources_(std::move(sources)),
      malformed_(malformed) {
  check_argument(counts_.bits() == params.bits() && counts_.cohorts() == params.cohorts(),
                 "the counts do not fit the parameters");
  std::sort(sources_.begin(), sources_.end(), by_id);
  const auto same = std::adjacent_find(
      sources_.begin(), sources_.end(),
      [](const Source& left, const Source& right) { return left.id == right.id; });
  check_argument(same == sources_.end(), "a source is listed twice");
}

void PartialSum::add_source(const Source& source) {
  const auto place = std::lower_bound(sources_.begin(), sources_.end(), source, by_id);
  check_argument(place == sources_.end() || place->id != source.id, "the reports of source ",
                 source.id,
                 " are in the sum already: the same file, or a copy of it, was given twice");
  sources_.insert(place, source);
}

void PartialSum::add(const Source& source, const Counts& counts, std::uint64_t malformed) {
  check_argument(source.reports == counts.total(), "source ", source.id, " has ",
                 counted(source.reports, "report"), ", its counts have ", counts.total());
  Counts sum = counts_;
  sum.merge(counts);
  if (source.reports > 0) add_source(source);  // empty parts may be alike
  counts_ = std::move(sum);
  malformed_ += malformed;
}

void PartialSum::merge(const PartialSum& other) {
  check_argument(params_ == other.params_ && profile_ == other.profile_,
                 "sums of different parameters or profiles cannot be added");
  PartialSum sum = *this;
  sum.counts_.merge(other.counts_);
  for (const auto& source : other.sources_) sum.add_source(source);
  sum.malformed_ += other.malformed_;
  *this = std::move(sum);
}

}  // namespace sotto::rappor
