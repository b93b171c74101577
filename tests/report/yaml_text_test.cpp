#include "report/yaml_text.h"

#include <gtest/gtest.h>

namespace sotto::report {
namespace {

TEST(YamlText, NestsInBlocks) {
  EXPECT_EQ(yaml_text({{"a", {{"b", "c"}, {"d", {"e", "f"}}}}, {"g", 3}}),
            "a:\n  b: \"c\"\n  d:\n    - \"e\"\n    - \"f\"\ng: 3\n");
}

// Readers of YAML 1.1 take 1e-05 for a text, and 2026-11-18 for a date.
TEST(YamlText, NumbersAreNumbersAndTextsAreTexts) {
  EXPECT_EQ(yaml_text({{"delta", 1e-5}, {"epsilon", 3.0}, {"half", 2.5e-7}}),
            "delta: 1.0e-05\nepsilon: 3.0\nhalf: 2.5e-07\n");
  EXPECT_EQ(yaml_text({{"day", "2026-11-18"}, {"no", "no"}, {"n", "3"}}),
            "day: \"2026-11-18\"\nno: \"no\"\nn: \"3\"\n");
}

TEST(YamlText, EscapesWhatYamlCannotHold) {
  EXPECT_EQ(yaml_text({{"t", "a\"b\\c\nd\te # f: g"}}), "t: \"a\\\"b\\\\c\\nd\\te # f: g\"\n");
  EXPECT_EQ(yaml_text({{"t", "ε\x7F\xC2\x85\xC2\x9F\xC2\xA0"}}),
            "t: \"ε\\x7F\\x85\\x9F\xC2\xA0\"\n");
  EXPECT_EQ(yaml_text({{"t", "\xFF"}}), "t: \"\xEF\xBF\xBD\"\n");
}

}  // namespace
}  // namespace sotto::report
