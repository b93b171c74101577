#include "rappor/collection_file.h"

#include <gtest/gtest.h>

#include "rappor/params_file.h"
#include "sotto/core/error.h"

namespace sotto::rappor {
namespace {

const Params kBasic({.bits = 3, .hashes = 1, .cohorts = 1, .f = 0.45, .p = 0.1, .q = 1.0 / 3});

TEST(CollectionFile, ReadsBackExactly) {
  const Collection known{kBasic, {"yes", "no", "\"neither\", nor"}};
  EXPECT_EQ(parse_collection(format_collection(known), "params.json"), known);
  EXPECT_EQ(parse_collection("\xEF\xBB\xBF" + format_collection(known), "params.json"), known);
  const Collection unknown{Params({.bits = 16, .hashes = 2, .cohorts = 8, .f = 0.5, .q = 0.75})};
  EXPECT_EQ(parse_collection(format_collection(unknown), "params.json"), unknown);
}

TEST(CollectionFile, ReadsGooglesParameters) {
  const Collection read = parse_collection(format_params(kBasic), "params.csv");
  EXPECT_EQ(read.params, kBasic);
  EXPECT_EQ(parse_collection("\xEF\xBB\xBF" + format_params(kBasic), "p").params, kBasic);
  EXPECT_TRUE(read.answers.empty());
}

std::string json_with(const std::string& sizes, const std::string& answers) {
  return R"({"format": "sotto-rappor-collection-1", )" + sizes +
         R"(, "f": 0.5, "p": 0.25, "q": 0.75, "answers": )" + answers + "}";
}

TEST(CollectionFile, RefusesWhatContradictsItself) {
  const std::string basic = R"("k": 2, "h": 1, "m": 1)";
  EXPECT_NO_THROW(parse_collection(json_with(basic, R"(["a", "b"])"), "p"));
  for (const auto& text :
       {std::string("{}"), std::string("{"), std::string("[]"), std::string(200, '['),
        json_with(basic, R"(["a", "b", "c"])"), json_with(basic, R"(["a", "a"])"),
        json_with(basic, "[]"), json_with(basic, R"(["a", 1])"), json_with(basic, R"("ab")"),
        json_with(R"("k": 2, "h": 2, "m": 1)", R"(["a", "b"])"),
        json_with(R"("k": 2, "h": 1, "m": 2)", R"(["a", "b"])"),
        json_with(R"("k": 2.5, "h": 1, "m": 1)", R"(["a", "b"])"),
        json_with(R"("k": 2, "h": 1)", R"(["a", "b"])"),
        json_with(R"("k": -2, "h": 1, "m": 1)", "null"), format_collection({kBasic}) + "x"}) {
    EXPECT_THROW(parse_collection(text, "p"), InvalidArgument) << text;
  }
}

TEST(CollectionFile, RefusesAnswersThatJsonCannotHold) {
  EXPECT_THROW(format_collection({kBasic, {"a", "b", "\xff"}}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::rappor
