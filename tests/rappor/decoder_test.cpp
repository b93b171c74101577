#include "rappor/decoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "rappor/significance.h"
#include "sotto/core/error.h"

namespace sotto::rappor {
namespace {

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back("v" + std::to_string(i));
  return result;
}

// `people[i]` clients report string i once.
Counts collected(const Params& params, const std::vector<std::uint64_t>& people,
                 std::uint64_t seed) {
  SeededRandomNotPrivate random(seed);
  Summation summation(params);
  for (std::size_t string = 0; string < people.size(); ++string) {
    for (std::uint64_t i = 0; i < people[string]; ++i) {
      const Client client(params, {.secret = std::to_string(random()), .metric = "m"});
      summation.add(client.encode("v" + std::to_string(string), random));
    }
  }
  return summation.counts();
}

const Estimate* estimate_of(const Decoding& decoding, std::size_t candidate) {
  for (const auto& estimate : decoding.estimates) {
    if (estimate.candidate == candidate) return &estimate;
  }
  return nullptr;
}

TEST(Decoder, WithoutNoiseTheCountsAreExactUpToTheCohorts) {
  const Params params({.bits = 32, .hashes = 2, .cohorts = 8, .f = 0, .p = 0, .q = 1});
  const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(6));
  const auto decoding = decode(collected(params, {400, 300, 200, 100}, 1), params, map);
  EXPECT_EQ(decoding.found, 4U);
  for (const auto& [candidate, frequency] :
       {std::pair{0U, 0.4}, std::pair{1U, 0.3}, std::pair{2U, 0.2}, std::pair{3U, 0.1}}) {
    const auto* estimate = estimate_of(decoding, candidate);
    ASSERT_NE(estimate, nullptr);
    EXPECT_NEAR(estimate->frequency, frequency, 0.02);
  }
  EXPECT_NEAR(decoding.unknown_mass, 0, 4 * decoding.unknown_mass_error + 1e-9);
  EXPECT_LT(decoding.unknown_mass_error, 0.02);
}

TEST(Decoder, BasicRapporIsADivision) {
  const Params params({.bits = 3, .hashes = 1, .cohorts = 1, .f = 0, .p = .25, .q = .75});
  Counts counts(params);
  counts.add(0, 1000, std::vector<std::uint64_t>{500, 375, 250});
  const auto decoding =
      decode(counts, params, CandidateMap::of_categories(params, {"a", "b", "c"}));
  EXPECT_NEAR(estimate_of(decoding, 0)->frequency, 0.5, 1e-12);
  EXPECT_NEAR(estimate_of(decoding, 1)->frequency, 0.25, 1e-12);
  EXPECT_NEAR(estimate_of(decoding, 2)->frequency, 0, 1e-12);
  // p(1-p)/(N (q-p)²), the same for both rates here; a single cohort adds nothing.
  EXPECT_NEAR(estimate_of(decoding, 0)->standard_error, std::sqrt(0.1875 / (1000 * 0.25)), 1e-9);
  EXPECT_NEAR(decoding.unknown_mass, 0.25, 1e-9);
}

// Intervals are about those who reported. Small noise, so that the cohorts' composition matters.
TEST(Decoder, IntervalsCoverAsPromised) {
  for (const auto& params :
       {Params({.bits = 32, .hashes = 2, .cohorts = 8, .f = 0, .p = .1, .q = .9}),
        Params({.bits = 64, .hashes = 2, .cohorts = 4, .f = .5, .p = .5, .q = .75}),
        Params({.bits = 16, .hashes = 1, .cohorts = 8, .f = .25, .p = .3, .q = .6})}) {
    const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(12));
    const std::vector<std::uint64_t> people = {1200, 600, 300, 200, 100, 50, 30, 20};
    const double total = std::accumulate(people.begin(), people.end(), 0.0);
    double covering = 0;
    double intervals = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const auto decoding = decode(collected(params, people, seed), params, map);
      for (const auto& estimate : decoding.estimates) {
        const double truth = estimate.candidate < people.size()
                                 ? static_cast<double>(people[estimate.candidate]) / total
                                 : 0;
        covering += estimate.low <= truth && truth <= estimate.high;
        ++intervals;
      }
    }
    EXPECT_GT(covering / intervals, 0.92) << params.bits();
    EXPECT_LT(covering / intervals, 0.98) << params.bits();
  }
}

// A third of the reports are of strings that nobody listed: they do not disturb the others.
TEST(Decoder, UnlistedStringsAreUnknownMass) {
  const Params params({.bits = 64, .hashes = 2, .cohorts = 16, .f = 0, .p = .25, .q = .75});
  std::vector<std::uint64_t> people(60, 250);
  people[0] = 20000;
  people[1] = 10000;
  const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(2));
  const auto decoding = decode(collected(params, people, 3), params, map);
  EXPECT_EQ(decoding.found, 2U);
  EXPECT_NEAR(decoding.estimates[0].frequency, 20000.0 / 44500, 0.02);
  EXPECT_NEAR(decoding.unknown_mass, 14500.0 / 44500, 4 * decoding.unknown_mass_error);
}

TEST(Decoder, MoreCandidatesThanCellsAreSelectedFirst) {
  const Params params({.bits = 32, .hashes = 2, .cohorts = 16, .f = 0, .p = .25, .q = .75});
  const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(2000));
  std::vector<std::uint64_t> people = {9000, 6000, 4000, 3000, 2000, 1500, 1000};
  const auto decoding = decode(collected(params, people, 4), params, map);
  EXPECT_EQ(decoding.candidates, 2000U);
  EXPECT_LE(decoding.estimates.size(), 128U);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto* estimate = estimate_of(decoding, i);
    ASSERT_NE(estimate, nullptr) << i;
    EXPECT_TRUE(estimate->found) << i;
    EXPECT_NEAR(estimate->frequency, static_cast<double>(people[i]) / 26500,
                4 * estimate->standard_error);
  }
  std::size_t wrong = 0;
  for (const auto& estimate : decoding.estimates) wrong += estimate.found && estimate.candidate > 6;
  EXPECT_LE(wrong, 1U);
}

TEST(Decoder, FalseDiscoveriesAreAsRareAsPromised) {
  const Params params({.bits = 64, .hashes = 2, .cohorts = 4, .f = 0, .p = .25, .q = .75});
  const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(40));
  int runs_with_false = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto decoding = decode(collected(params, {300, 200}, seed), params, map);
    bool any = false;
    for (const auto& estimate : decoding.estimates) any |= estimate.found && estimate.candidate > 1;
    runs_with_false += any;
  }
  EXPECT_LE(runs_with_false, 22);  // 5 % of 200, and four standard deviations
}

TEST(Decoder, IndistinguishableCandidatesAreNamed) {
  const Params params({.bits = 16, .hashes = 1, .cohorts = 1, .f = 0, .p = .25, .q = .75});
  const auto map = parse_map("a,1\nb,2\nc,1\n", params, "map");
  Counts counts(params);
  std::vector<std::uint64_t> ones(16, 250);
  ones[0] = 500;
  ones[1] = 375;
  counts.add(0, 1000, ones);
  const auto decoding = decode(counts, params, map);
  EXPECT_EQ(decoding.estimates.size() + decoding.indistinguishable.size(), 3U);
  EXPECT_EQ(decoding.indistinguishable.size(), 1U);
}

TEST(Decoder, EmptyCohortsAreLeftOut) {
  const Params params({.bits = 8, .hashes = 1, .cohorts = 4, .f = 0, .p = 0, .q = 1});
  const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(1));
  Counts counts(params);
  std::vector<std::uint64_t> ones(8);
  ones[map.cells(0)[2] - 16] = 10;
  counts.add(2, 10, ones);
  const auto decoding = decode(counts, params, map);
  EXPECT_NEAR(decoding.estimates[0].frequency, 1, 1e-9);
}

TEST(Decoder, WrongParametersShowInTheDispersion) {
  const Params params({.bits = 64, .hashes = 2, .cohorts = 8, .f = 0, .p = .25, .q = .75});
  const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(5));
  const auto counts = collected(params, {10000, 10000, 10000}, 5);
  EXPECT_LT(decode(counts, params, map).dispersion, 1.3);
  const auto wrong_map =
      CandidateMap::of_strings(params, Profile::kSotto, {"x1", "x2", "x3", "x4", "x5"});
  EXPECT_GT(decode(counts, params, wrong_map).dispersion, 10);
}

TEST(Decoder, RefusesWhatDoesNotFit) {
  const Params params({.bits = 8, .hashes = 1, .cohorts = 2, .f = 0, .p = .25, .q = .75});
  const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(2));
  EXPECT_THROW(decode(Counts(params), params, map), InvalidArgument);
  EXPECT_THROW(decode(Counts(8, 3), params, map), InvalidArgument);
  const Params blind({.bits = 8, .hashes = 1, .cohorts = 2, .f = 1, .p = .25, .q = .75});
  Counts counts(params);
  counts.add(0, 10, std::vector<std::uint64_t>(8, 5));
  EXPECT_THROW(decode(counts, blind, map), InvalidArgument);
  EXPECT_THROW(decode(counts, params, map, {.alpha = 0}), InvalidArgument);
}

TEST(Significance, LevelsOfBothCorrections) {
  const std::vector<double> p = {0.001, 0.012, 0.2, 0.014, 0.9};
  EXPECT_DOUBLE_EQ(significance_level(p, 5, 0.05, Correction::kBonferroni), 0.01);
  EXPECT_DOUBLE_EQ(significance_level(p, 5, 0.05, Correction::kBenjaminiHochberg), 0.03);
  EXPECT_DOUBLE_EQ(significance_level(p, 50, 0.05, Correction::kBenjaminiHochberg), 0.001);
  EXPECT_DOUBLE_EQ(significance_level({}, 50, 0.05, Correction::kBenjaminiHochberg), 0.001);
}

// google/rappor's decode_test.R: L1 < tolerance √N, L∞ < tolerance √(largest count).
TEST(Decoder, MeetsTheUpstreamTolerances) {
  struct Case {
    ParamsFields fields;
    std::size_t strings;
    std::uint64_t reports;
    double l1, linfinity;
  };
  for (const auto& known :
       {Case{{.bits = 4, .hashes = 2, .cohorts = 2, .f = 0, .p = 0, .q = 1}, 2, 100, 5, 3},
        Case{{.bits = 4, .hashes = 2, .cohorts = 2, .f = .5, .p = .4, .q = .6}, 2, 100, 20, 20},
        Case{{.bits = 4, .hashes = 2, .cohorts = 2, .f = .5, .p = .4, .q = .6},
             2,
             100000,
             50,
             40}}) {
    const Params params(known.fields);
    const auto map = CandidateMap::of_strings(params, Profile::kSotto, names(known.strings));
    const std::vector<std::uint64_t> people(known.strings, known.reports / known.strings);
    const auto decoding = decode(collected(params, people, 6), params, map);
    double l1 = 0;
    double linfinity = 0;
    for (const auto& estimate : decoding.estimates) {
      const double error = std::abs(estimate.frequency * static_cast<double>(known.reports) -
                                    static_cast<double>(people[estimate.candidate]));
      l1 += error;
      linfinity = std::max(linfinity, error);
    }
    EXPECT_LT(l1, known.l1 * std::sqrt(known.reports));
    EXPECT_LT(linfinity, known.linfinity * std::sqrt(people[0]));
  }
}

}  // namespace
}  // namespace sotto::rappor
