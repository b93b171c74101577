#include "sotto/rappor/rappor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "rappor/bit_coins.h"
#include "rappor/bloom.h"
#include "sotto/core/error.h"
#include "tests/rappor/scripted_random.h"

namespace sotto::rappor {
namespace {

// Within five standard deviations: a true rate fails once in a million.
void expect_rate(double ones, double trials, double rate) {
  EXPECT_NEAR(ones / trials, rate, 5 * std::sqrt(rate * (1 - rate) / trials) + 1e-12);
}

std::string secret_of(std::uint64_t client) { return "secret " + std::to_string(client); }

TEST(BitCoins, CertaintiesAreCertain) {
  SeededRandomNotPrivate random(1);
  const std::uint64_t bits = 0x123456789abcdef0U;
  const std::uint64_t all = ~std::uint64_t{0};
  EXPECT_EQ(BitCoins(0, 1)(bits, all, random), bits);
  EXPECT_EQ(BitCoins(1, 0)(bits, all, random), ~bits);
  EXPECT_EQ(BitCoins(1, 1)(bits, all, random), all);
  EXPECT_EQ(BitCoins(0, 0)(bits, all, random), 0U);
  // A certain 1 beside a coin.
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(BitCoins(0.3, 1)(bits, all, random) & bits, bits);
}

TEST(BitCoins, RatesAreRight) {
  SeededRandomNotPrivate random(2);
  for (const double p : {0.5, 0.25, 0.1, 1.0 / 3, 0.999}) {
    const double q = 1 - p / 2;
    const BitCoins coins(p, q);
    const std::uint64_t bits = 0xFFFFFFFF00000000U;
    double zeros = 0;
    double ones = 0;
    constexpr int kTrials = 20000;
    for (int i = 0; i < kTrials; ++i) {
      const std::uint64_t drawn = coins(bits, ~std::uint64_t{0}, random);
      zeros += std::popcount(drawn & ~bits);
      ones += std::popcount(drawn & bits);
    }
    expect_rate(zeros, 32.0 * kTrials, p);
    expect_rate(ones, 32.0 * kTrials, q);
  }
}

TEST(BitCoins, MaskedBitsStayZero) {
  SeededRandomNotPrivate random(3);
  EXPECT_EQ(BitCoins(1, 1)(0, 0xFF, random), 0xFFU);
}

class ResponseRates : public testing::TestWithParam<Params> {};

// Over many clients, each bit of the permanent response and of the report has the rate of the
// formulas, whatever the Bloom filter's bit is.
TEST_P(ResponseRates, AreThoseOfTheFormulas) {
  const Params params = GetParam();
  SeededRandomNotPrivate random(4);
  constexpr int kClients = 20000;
  double set = 0;
  double permanent[2] = {};
  double reported[2] = {};
  for (int i = 0; i < kClients; ++i) {
    const Client client(params, {.secret = secret_of(i), .metric = "m", .cohort = 0});
    const BitString bloom = client.bloom("value");
    const BitString prr = client.permanent(bloom);
    const BitString irr = client.instantaneous(prr, random);
    for (std::uint32_t bit = 0; bit < params.bits(); ++bit) {
      set += bloom[bit];
      permanent[bloom[bit]] += prr[bit];
      reported[bloom[bit]] += irr[bit];
    }
  }
  const double unset = static_cast<double>(kClients) * params.bits() - set;
  const auto [p_star, q_star] = reported_rates(params);
  expect_rate(permanent[0], unset, params.f() / 2);
  expect_rate(permanent[1], set, 1 - params.f() / 2);
  expect_rate(reported[0], unset, p_star);
  expect_rate(reported[1], set, q_star);
}

INSTANTIATE_TEST_SUITE_P(
    Parameters, ResponseRates,
    testing::Values(Params({.bits = 16, .hashes = 2, .cohorts = 4, .f = .5, .p = .5, .q = .75}),
                    Params({.bits = 10, .hashes = 1, .cohorts = 4, .f = .45, .p = .39, .q = .61}),
                    Params({.bits = 70, .hashes = 3, .cohorts = 1, .f = 1.0 / 3, .p = .1, .q = 1}),
                    Params({.bits = 8, .hashes = 1, .cohorts = 1, .f = 0, .p = 0, .q = 1})));

TEST(Client, PairsOfBitsAreIndependent) {
  const Params params({.bits = 8, .hashes = 1, .cohorts = 1, .f = .5, .p = .5, .q = .75});
  constexpr int kClients = 20000;
  double both[8][8] = {};
  double one[8] = {};
  for (int i = 0; i < kClients; ++i) {
    const Client client(params, {.secret = secret_of(i), .metric = "m"});
    const BitString prr = client.permanent(BitString(8));
    for (std::uint32_t a = 0; a < 8; ++a) {
      one[a] += prr[a];
      for (std::uint32_t b = 0; b < a; ++b) both[a][b] += prr[a] && prr[b];
    }
  }
  for (int a = 0; a < 8; ++a) {
    expect_rate(one[a], kClients, 0.25);
    for (int b = 0; b < a; ++b) expect_rate(both[a][b], kClients, 0.0625);
  }
}

// The longitudinal promise: a thousand reports are a function of the permanent response and of
// coins that know nothing of the value. Two clients with other values but the same permanent
// response therefore send the same reports, given the same coins.
TEST(Client, ThousandReportsRevealNoMoreThanThePermanentResponse) {
  const Params params({.bits = 16, .hashes = 2, .cohorts = 1, .f = .5, .p = .5, .q = .75});
  const Client one(params, {.secret = "one", .metric = "m"});
  const BitString permanent = one.permanent(one.bloom("value"));
  const Client other(params, {.secret = "two", .metric = "another"});
  SeededRandomNotPrivate coins(5);
  SeededRandomNotPrivate same_coins(5);
  std::vector<double> ones(params.bits());
  constexpr int kReports = 1000;
  for (int i = 0; i < kReports; ++i) {
    const Report report = one.encode("value", coins);
    EXPECT_EQ(report.bits, other.instantaneous(permanent, same_coins));
    for (std::uint32_t bit = 0; bit < params.bits(); ++bit) ones[bit] += report.bits[bit];
  }
  // What averaging recovers is the permanent response, bit by bit, and not the Bloom filter.
  BitString recovered(params.bits());
  for (std::uint32_t bit = 0; bit < params.bits(); ++bit) {
    if (ones[bit] / kReports > 0.625) recovered.set(bit);
  }
  EXPECT_EQ(recovered, permanent);
  EXPECT_NE(recovered, one.bloom("value"));
}

TEST(Client, PermanentResponseIsRememberedWithoutBeingStored) {
  const Params params({.bits = 128, .hashes = 2, .cohorts = 16, .f = .5, .p = .5, .q = .75});
  const auto permanent = [&](const std::string& secret, const std::string& metric,
                             const Params& with) {
    const Client client(with, {.secret = secret, .metric = metric, .cohort = 1});
    return client.permanent(client.bloom("value"));
  };
  const auto first = permanent("s", "m", params);
  EXPECT_EQ(permanent("s", "m", params), first);
  EXPECT_NE(permanent("t", "m", params), first);
  EXPECT_NE(permanent("s", "n", params), first);
  // Other parameters draw other coins: equal ones would reveal the value where responses differ.
  const Params other({.bits = 128, .hashes = 2, .cohorts = 16, .f = .75, .p = .5, .q = .75});
  const auto second = permanent("s", "m", other);
  const auto filter = bloom_filter(params, Profile::kSotto, 1, "value");
  int differ_and_true = 0;
  int differ = 0;
  for (std::uint32_t bit = 0; bit < 128; ++bit) {
    if (first[bit] == second[bit]) continue;
    ++differ;
    differ_and_true += first[bit] == filter[bit];
  }
  EXPECT_GT(differ, differ_and_true);
}

TEST(Client, CohortUsesARealPrefix) {
  const Params params({.bits = 32, .hashes = 2, .cohorts = 128, .f = .25, .p = .75, .q = .5});
  EXPECT_EQ(Client(params, {.secret = "client-secret", .metric = "m"}).cohort(), 121U);
}

TEST(Client, CohortsAreEven) {
  const Params params({.bits = 8, .hashes = 1, .cohorts = 5, .f = 0, .p = .5, .q = .75});
  double counts[5] = {};
  for (int i = 0; i < 50000; ++i) ++counts[Client(params, {.secret = secret_of(i)}).cohort()];
  for (const double count : counts) expect_rate(count, 50000, 0.2);
}

TEST(Client, OneTimeCollectionSkipsThePermanentResponse) {
  const Params params({.bits = 32, .hashes = 2, .cohorts = 4, .f = 0, .p = .5, .q = .75});
  const Client client(params, {.secret = "s", .metric = "m"});
  EXPECT_EQ(client.permanent(client.bloom("x")), client.bloom("x"));
}

TEST(Client, CategoriesAreSingleBits) {
  const Params params({.bits = 5, .hashes = 1, .cohorts = 1, .f = 0, .p = 0, .q = 1});
  SecureRandom random;
  const Client client(params, {.secret = "s", .metric = "m"});
  EXPECT_EQ(client.encode_category(3, random).bits.text(), "01000");
  EXPECT_THROW(client.encode_category(5, random), InvalidArgument);
  EXPECT_THROW(client.encode_bits(BitString(4), random), InvalidArgument);
}

TEST(Client, RefusesAnEmptySecretAndAForeignCohort) {
  const Params params({.bits = 8, .hashes = 1, .cohorts = 4, .f = 0, .p = .5, .q = .75});
  EXPECT_THROW(Client(params, {.secret = "", .metric = "m"}), InvalidArgument);
  EXPECT_THROW(Client(params, {.secret = "s", .metric = "m", .cohort = 4}), InvalidArgument);
}

TEST(Bloom, ProfilesAgreeOnPowersOfTwo) {
  for (const std::int64_t bits : {8, 16, 32, 128, 256, 1024, 65536}) {
    const Params params({.bits = bits, .hashes = 2, .cohorts = 4, .f = 0, .p = .5, .q = .75});
    for (int i = 0; i < 50; ++i) {
      const std::string value = std::to_string(i);
      EXPECT_EQ(bloom_positions(params, Profile::kSotto, 1, value),
                bloom_positions(params, Profile::kGoogleCpp, 1, value));
    }
  }
}

// 256 = 2 × 100 + 56: upstream sets the first 56 bits half again as often as the others.
TEST(Bloom, IsUnbiasedForEveryLength) {
  const Params params({.bits = 100, .hashes = 16, .cohorts = 1, .f = 0, .p = .5, .q = .75});
  double low[2] = {};
  constexpr int kValues = 5000;
  for (int i = 0; i < kValues; ++i) {
    for (const auto profile : {Profile::kSotto, Profile::kGoogleCpp}) {
      for (const auto bit : bloom_positions(params, profile, 0, std::to_string(i))) {
        low[profile == Profile::kSotto ? 0 : 1] += bit < 56;
      }
    }
  }
  expect_rate(low[0], 16.0 * kValues, 0.56);
  expect_rate(low[1], 16.0 * kValues, 168.0 / 256);
}

TEST(Bloom, RehashesWhenTheDigestIsUsedUp) {
  const Params params({.bits = 60000, .hashes = 16, .cohorts = 1, .f = 0, .p = .5, .q = .75});
  const auto positions = bloom_positions(params, Profile::kSotto, 0, "x");
  EXPECT_EQ(positions.size(), 16U);
  EXPECT_EQ(std::set(positions.begin(), positions.end()).size(), 16U);
  EXPECT_THROW(bloom_positions(params, Profile::kGoogleCpp, 0, "x"), InvalidArgument);
}

TEST(BitString, TextHasTheHighestBitFirst) {
  const auto bits = BitString::from_text("0000111100001111");
  EXPECT_TRUE(bits[0]);
  EXPECT_FALSE(bits[15]);
  EXPECT_EQ(bits.text(), "0000111100001111");
  EXPECT_THROW(BitString::from_text("01x"), InvalidArgument);
  EXPECT_THROW(BitString(4, {0x10}), InvalidArgument);
  EXPECT_THROW(BitString(4, {1, 2}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::rappor
