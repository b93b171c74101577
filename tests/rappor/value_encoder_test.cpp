#include "rappor/value_encoder.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "rappor/master_secret.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"

namespace sotto::rappor {
namespace {

// Reports as they are: nothing is randomised.
Params exact_params(std::int64_t bits) {
  return Params({.bits = bits, .hashes = 1, .cohorts = 1, .f = 0, .p = 0, .q = 1});
}

TEST(ValueEncoder, GivesEachAnswerItsBit) {
  ValueEncoder encoder(exact_params(2), {.metric = "m"}, {"yes", "no"});
  const ClientSecrets secrets(std::string(32, 's'));
  EXPECT_TRUE(encoder.encode(secrets, "a", "yes").bits[0]);
  EXPECT_TRUE(encoder.encode(secrets, "a", "no").bits[1]);
}

TEST(ValueEncoder, RefusesOtherAnswersWithoutNamingThem) {
  ValueEncoder encoder(exact_params(2), {.metric = "m"}, {"yes", "no"});
  const ClientSecrets secrets(std::string(32, 's'));
  try {
    encoder.encode(secrets, "a", "perhaps");
    FAIL() << "expected a refusal";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(std::string(error.what()).find("perhaps"), std::string::npos);
  }
  EXPECT_THROW(ValueEncoder(exact_params(2), {.metric = "m"}, {"yes", "yes"}), InvalidArgument);
}

TEST(MasterSecret, IsGoneAgainUnlessItIsKept) {
  const TemporaryFolder folder;
  const auto file = (folder / "secret.txt").string();
  { const MasterSecret unused(file); }
  EXPECT_FALSE(std::filesystem::exists(file));
  std::string bytes;
  {
    MasterSecret kept(file);
    bytes = kept.read();
    EXPECT_TRUE(kept.keep());
  }
  MasterSecret again(file);
  EXPECT_EQ(again.read(), bytes);
  EXPECT_FALSE(again.keep());
}

}  // namespace
}  // namespace sotto::rappor
