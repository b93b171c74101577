#include "core/base64.h"

#include <gtest/gtest.h>

namespace sotto {
namespace {

// RFC 4648, Section 10.
TEST(Base64, KnownTexts) {
  const std::pair<const char*, const char*> known[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : known) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, EveryByteComesBack) {
  std::string bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(length * 37);
  }
}

TEST(Base64, RefusesWhatItWouldNotWrite) {
  for (const char* text : {"Zg", "Zg=", "Zm9v\n", " Zm9v", "Zm9v    ",
                           "Zh==", "Z===", "====", "Zm=v", "Zm-_", "Zg==Zg=="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace sotto
