#include "explore/request_guard.h"

#include <gtest/gtest.h>

namespace sotto::explore {
namespace {

TEST(RequestGuardTest, AdmitsItsOwnNames) {
  const RequestGuard guard(8791);
  for (const char* host : {"127.0.0.1:8791", "localhost:8791", "LocalHost:8791", "[::1]:8791"}) {
    EXPECT_TRUE(guard.admits({{host}, {}})) << host;
    EXPECT_TRUE(guard.admits({{host}, {"http://127.0.0.1:8791"}})) << host;
  }
}

TEST(RequestGuardTest, RefusesOtherHosts) {
  const RequestGuard guard(8791);
  for (const char* host :
       {"evil.example", "evil.example:8791", "127.0.0.1", "127.0.0.1:8792", "127.0.0.1:87910",
        "127.0.0.1:8791.evil.example", "localhost.evil.example:8791", "127.0.0.2:8791", "", ":8791",
        "evil.example@127.0.0.1:8791", "127.0.0.1:8791 ", "0.0.0.0:8791"}) {
    EXPECT_FALSE(guard.admits({{host}, {}})) << host;
  }
}

TEST(RequestGuardTest, NeedsExactlyOneHost) {
  const RequestGuard guard(8791);
  EXPECT_FALSE(guard.admits({{}, {}}));
  EXPECT_FALSE(guard.admits({{"127.0.0.1:8791", "evil.example"}, {}}));
}

TEST(RequestGuardTest, RefusesOtherOrigins) {
  const RequestGuard guard(8791);
  for (const char* origin :
       {"http://evil.example", "null", "", "https://127.0.0.1:8791", "http://127.0.0.1:9999",
        "http://127.0.0.1", "http://127.0.0.1:8791.evil.example", "127.0.0.1:8791"}) {
    EXPECT_FALSE(guard.admits({{"127.0.0.1:8791"}, {origin}})) << origin;
  }
  EXPECT_FALSE(
      guard.admits({{"127.0.0.1:8791"}, {"http://127.0.0.1:8791", "http://evil.example"}}));
}

// An image of another page asks without Origin; the browser says whose it is.
TEST(RequestGuardTest, RefusesWhatOtherPagesAskFor) {
  const RequestGuard guard(8791);
  for (const auto* site : {"cross-site", "same-site"}) {
    EXPECT_FALSE(guard.admits({{"127.0.0.1:8791"}, {}, {site}})) << site;
  }
  for (const auto* site : {"same-origin", "none"}) {
    EXPECT_TRUE(guard.admits({{"127.0.0.1:8791"}, {}, {site}})) << site;
  }
}

TEST(RequestGuardTest, PortOfHttpMayBeLeftOut) {
  EXPECT_TRUE(RequestGuard(80).admits({{"localhost"}, {"http://localhost"}}));
  EXPECT_FALSE(RequestGuard(8080).admits({{"localhost"}, {}}));
}

}  // namespace
}  // namespace sotto::explore
