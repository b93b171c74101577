#include "core/json_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "core/shallow_json.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"

namespace sotto {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& text) {
  try {
    parse_shallow_json(text, "s.json", 4);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(JsonFault, NamesLineAndColumn) {
  EXPECT_THAT(refusal("{\n  \"a\": 1,\n  \"b\": ]\n}"),
              StartsWith("s.json:3:8: not valid JSON: unexpected ']'"));
  EXPECT_THAT(refusal("{\"a\": 1,}"), StartsWith("s.json:1:9: not valid JSON: unexpected '}'"));
}

TEST(JsonFault, ColumnsCountCharacters) {
  EXPECT_THAT(refusal("{\"größe\": x}"), StartsWith("s.json:1:11: "));
}

TEST(JsonFault, TheEndOfTheTextIsAPlaceToo) {
  EXPECT_THAT(refusal(""), StartsWith("s.json:1:1: not valid JSON: unexpected end of input"));
  EXPECT_THAT(refusal("{\n"), StartsWith("s.json:2:1: not valid JSON: unexpected end of input"));
}

TEST(JsonFault, NumbersThatAreTooLargeHaveAPlace) {
  EXPECT_THAT(refusal("[1,\n 1e999]"), StartsWith("s.json:2:"));
  EXPECT_THAT(refusal("[1,\n 1e999]"), HasSubstr("number overflow"));
}

TEST(JsonFault, SaysNoMoreThanALineHolds) {
  const auto text = refusal("{\"a\": \"" + std::string(10'000, 'x'));
  EXPECT_LT(text.size(), 200U);
}

TEST(JsonFault, LinesOfAFileAreCounted) {
  try {
    refuse_json("{\"a\": ", "m.jsonl", 7);
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), StartsWith("m.jsonl:7:7: "));
  }
}

TEST(JsonFault, FilesAreNamedByTheirPath) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "s.json", "{\n\"a\": tru\n}");
  try {
    read_shallow_json(folder / "s.json", 4);
    ADD_FAILURE() << "it was read";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), StartsWith((folder / "s.json").string() + ":2:"));
  }
}

}  // namespace
}  // namespace sotto
