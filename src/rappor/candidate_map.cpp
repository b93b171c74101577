#include "rappor/candidate_map.h"

#include <unordered_set>

#include "rappor/bloom.h"
#include "rappor/csv_fields.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

constexpr std::uint64_t kMostCells = std::uint64_t{1} << 28U;

void check_names(const std::vector<std::string>& names) {
  check_argument(!names.empty(), "there is no candidate");
  std::unordered_set<std::string_view> seen;
  for (const auto& name : names) {
    check_argument(name.find_first_of("\r\n") == std::string::npos, "candidate ", shown(name),
                   " holds a line break");
    check_argument(seen.insert(name).second, "candidate ", shown(name), " occurs twice");
  }
}

}  // namespace

CandidateMap::CandidateMap(const Params& params, std::vector<std::string> names,
                           std::vector<std::uint32_t> cells)
    : bits_(params.bits()),
      cohorts_(params.cohorts()),
      width_(std::size_t{params.hashes()} * params.cohorts()),
      names_(std::move(names)),
      cells_(std::move(cells)) {
  check_names(names_);
}

CandidateMap CandidateMap::of_strings(const Params& params, Profile profile,
                                      std::vector<std::string> candidates) {
  check_argument(candidates.size() <= kMostCells / params.hashes() / params.cohorts(),
                 candidates.size(), " candidates are too many for h = ", params.hashes(),
                 ", m = ", params.cohorts());
  std::vector<std::uint32_t> cells;
  cells.reserve(candidates.size() * params.hashes() * params.cohorts());
  for (const auto& candidate : candidates) {
    for (std::uint32_t cohort = 0; cohort < params.cohorts(); ++cohort) {
      for (const auto bit : bloom_positions(params, profile, cohort, candidate)) {
        cells.push_back(cohort * params.bits() + bit);
      }
    }
  }
  return {params, std::move(candidates), std::move(cells)};
}

CandidateMap CandidateMap::of_categories(const Params& params,
                                         std::vector<std::string> categories) {
  check_argument(params.hashes() == 1, "categories need h = 1, got ", params.hashes());
  check_argument(categories.size() <= params.bits(), categories.size(),
                 " categories do not fit k = ", params.bits(), " bits");
  std::vector<std::uint32_t> cells;
  for (std::uint32_t category = 0; category < categories.size(); ++category) {
    for (std::uint32_t cohort = 0; cohort < params.cohorts(); ++cohort) {
      cells.push_back(cohort * params.bits() + category);
    }
  }
  return {params, std::move(categories), std::move(cells)};
}

}  // namespace sotto::rappor
