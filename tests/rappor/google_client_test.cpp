// google/rappor's clients, bit for bit. Expected values: its own unit tests (commit a13fa96), and
// for other names than those its tests end up with (a dangling pointer there) an independent
// computation in Python's hashlib and hmac.
#include <gtest/gtest.h>

#include "rappor/keyed_hash.h"
#include "sotto/core/error.h"
#include "sotto/rappor/rappor.h"
#include "tests/rappor/scripted_random.h"

namespace sotto::rappor {
namespace {

template <typename Bytes>
std::string hex(const Bytes& bytes) {
  std::string text;
  for (const auto byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += "0123456789abcdef"[value >> 4U];
    text += "0123456789abcdef"[value & 15U];
  }
  return text;
}

BitString word(std::uint32_t size, std::uint64_t value) { return BitString(size, {value}); }

const Params kCppParams({.bits = 32, .hashes = 2, .cohorts = 128, .f = .25, .p = .75, .q = .5});

Client cpp_client(const std::string& metric, std::optional<std::uint32_t> cohort = {},
                  const Params& params = kCppParams) {
  return Client(params, {.secret = "client-secret",
                         .metric = metric,
                         .profile = Profile::kGoogleCpp,
                         .cohort = cohort});
}

TEST(KeyedHash, KnownAnswers) {
  EXPECT_EQ(hex(md5("test")), "098f6bcd4621d373cade4e832627b4f6");
  EXPECT_EQ(hex(HmacSha256("key")("value")),
            "90fbfcf15e74a36b89dbdb2a721d9aecffdfdddc5c83e27f7592594f71932481");
  EXPECT_EQ(hex(hmac_drbg("key", "value", 30)),
            "89d71bb8a37d80c26e639cbd68f3607aa94deef425a7afbbf8d00992af92");
}

TEST(KeyedHash, NistVectorOfHmacDrbg) {
  std::string seed;
  for (int byte = 0x00; byte <= 0x36; ++byte) seed += static_cast<char>(byte);
  for (int byte = 0x20; byte <= 0x27; ++byte) seed += static_cast<char>(byte);
  EXPECT_EQ(hex(hmac_drbg(seed, "", 64)),
            "d67b8c1734f46fa3f763cf57c6f9f4f2dc1089bd8bc1f6f023950bfc56176352"
            "08c8501238ad7a4400defee46c640b61af77c2d1a3bfaa90ede5d207406e5403");
}

TEST(KeyedHash, LongKeysAreHashedFirst) {  // RFC 4231, test case 6
  EXPECT_EQ(hex(HmacSha256(std::string(131, '\xaa'))(
                "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(GoogleCpp, CohortComesFromAnEmptyPrefix) { EXPECT_EQ(cpp_client("any").cohort(), 3U); }

TEST(GoogleCpp, StringsOfTheUpstreamTests) {
  struct Case {
    const char* metric;
    std::uint32_t cohort;
    std::uint64_t bloom, prr, irr;
  };
  for (const auto& known : {Case{"client-secret", 3, 0x00001010, 0x00061314, 2281639167},
                            Case{"client-secret", 4, 0x00100080, 0x00100a80, 2281637247}}) {
    const Client client = cpp_client(known.metric, known.cohort);
    auto random = seventeens();
    EXPECT_EQ(client.bloom("foo"), word(32, known.bloom));
    EXPECT_EQ(client.permanent(client.bloom("foo")), word(32, known.prr));
    EXPECT_EQ(client.encode("foo", random).bits, word(32, known.irr));
  }
  for (const auto& [cohort, irr] : {std::pair{3U, 3892252415U}, std::pair{4U, 2751400319U}}) {
    auto random = seventeens();
    EXPECT_EQ(cpp_client("metric-name", cohort).encode("foo", random).bits, word(32, irr));
  }
}

TEST(GoogleCpp, BitsOfTheUpstreamTests) {
  auto random = seventeens();
  const Client client = cpp_client("client-secret");
  EXPECT_EQ(client.permanent(word(32, 0x123)), word(32, 0x2200016b));
  EXPECT_EQ(client.encode_bits(word(32, 0x123), random).bits, word(32, 2784956095));
  auto again = seventeens();
  EXPECT_EQ(cpp_client("metric-name").encode_bits(word(32, 0x123), again).bits,
            word(32, 2279542015));
}

TEST(GoogleCpp, SixtyFourBitsByHmacDrbg) {
  const Params params({.bits = 64, .hashes = 2, .cohorts = 128, .f = .25, .p = .75, .q = .5});
  const Client client = cpp_client("client-secret", {}, params);
  EXPECT_EQ(client.cohort(), 93U);
  auto random = seventeens();
  const std::string bytes = client.encode("foo", random).bits.big_endian_bytes();
  EXPECT_EQ(hex(bytes), "86ff0bfffc77f0df");
  auto again = seventeens();
  EXPECT_EQ(hex(cpp_client("metric-name", {}, params).encode("foo", again).bits.big_endian_bytes()),
            "a7ff0efff87ff0ff");
}

// Upstream's threshold of 8 bits overflows to 0, and all bits with it.
TEST(GoogleCpp, CertainBitsAreOnes) {
  const Params params({.bits = 8, .hashes = 1, .cohorts = 1, .f = 0, .p = 0, .q = 1});
  auto random = seventeens();
  const Client client = cpp_client("m", 0, params);
  EXPECT_EQ(client.encode_bits(word(8, 0xA5), random).bits, word(8, 0xA5));
}

TEST(GoogleCpp, RefusesWhatUpstreamAborts) {
  const auto with = [](std::int64_t bits, std::int64_t cohorts) {
    return Params({.bits = bits, .hashes = 2, .cohorts = cohorts, .f = .25, .p = .75, .q = .5});
  };
  EXPECT_THROW(cpp_client("m", {}, with(63, 128)), InvalidArgument);
  EXPECT_THROW(cpp_client("m", {}, with(32, 100)), InvalidArgument);
  EXPECT_THROW(cpp_client("m", 128), InvalidArgument);
}

TEST(GooglePython, ReportOfTheUpstreamTest) {
  const Params params({.bits = 16, .hashes = 2, .cohorts = 64, .f = .5, .p = .5, .q = .75});
  const Client client(params, {.secret = "secret", .profile = Profile::kGooglePython, .cohort = 0});
  // 0, 0.6, 0, 0, 0.6, 0, ...
  ScriptedRandom random([](std::uint64_t i) {
    return i % 3 == 1 ? static_cast<std::uint64_t>(0.6 * 0x1p53) << 11U : 0;
  });
  EXPECT_EQ(client.bloom("abc"), word(16, 0x2040));
  EXPECT_EQ(client.permanent(client.bloom("abc")), word(16, 0xe0e8));
  EXPECT_EQ(client.encode("abc", random).bits, word(16, 64493));
}

TEST(GooglePython, RefusesMoreThan32Bits) {
  const Params params({.bits = 64, .hashes = 2, .cohorts = 64, .f = .5, .p = .5, .q = .75});
  EXPECT_THROW(Client(params, {.secret = "s", .profile = Profile::kGooglePython}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::rappor
