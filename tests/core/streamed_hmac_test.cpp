#include "core/streamed_hmac.h"

#include <gtest/gtest.h>

namespace sotto {
namespace {

// RFC 4231, test cases 1 and 2.
TEST(StreamedHmac, KnownAnswers) {
  StreamedHmac first(std::string(20, '\x0b'));
  first.add("Hi There");
  EXPECT_EQ(first.finish(), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  StreamedHmac second("Jefe");
  for (const char* part : {"what do ya ", "", "want for nothing?"}) second.add(part);
  EXPECT_EQ(second.finish(), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace
}  // namespace sotto
