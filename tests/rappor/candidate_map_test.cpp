#include "rappor/candidate_map.h"

#include <gtest/gtest.h>

#include "sotto/core/error.h"

namespace sotto::rappor {
namespace {

const Params kParams({.bits = 16, .hashes = 2, .cohorts = 4, .f = .5, .p = .5, .q = .75});

TEST(CandidateMap, IsUpstreams) {
  for (const auto profile : {Profile::kSotto, Profile::kGoogleCpp, Profile::kGooglePython}) {
    EXPECT_EQ(format_map(CandidateMap::of_strings(kParams, profile, {"apple", "banana", "carrot"})),
              "apple,5,1,26,26,38,34,63,62\n"
              "banana,12,14,28,24,37,34,62,49\n"
              "carrot,4,12,25,21,48,38,61,54\n");
  }
}

TEST(CandidateMap, ReadsBack) {
  const auto map = CandidateMap::of_strings(kParams, Profile::kSotto,
                                            {"plain", "with, comma", "with \"quotes\"", "é", " "});
  EXPECT_EQ(parse_map(format_map(map), kParams, "map.csv"), map);
  EXPECT_EQ(parse_map("\xEF\xBB\xBF" + format_map(map), kParams, "map.csv"), map);
}

TEST(CandidateMap, CategoriesAreBits) {
  const Params params({.bits = 4, .hashes = 1, .cohorts = 2, .f = .5, .p = .5, .q = .75});
  EXPECT_EQ(format_map(CandidateMap::of_categories(params, {"a", "b"})), "a,1,5\nb,2,6\n");
  EXPECT_THROW(CandidateMap::of_categories(params, {"a", "b", "c", "d", "e"}), InvalidArgument);
  EXPECT_THROW(CandidateMap::of_categories(kParams, {"a"}), InvalidArgument);
}

TEST(CandidateMap, RefusesWhatIsAmbiguous) {
  EXPECT_THROW(CandidateMap::of_strings(kParams, Profile::kSotto, {}), InvalidArgument);
  EXPECT_THROW(CandidateMap::of_strings(kParams, Profile::kSotto, {"a", "a"}), InvalidArgument);
  EXPECT_THROW(CandidateMap::of_strings(kParams, Profile::kSotto, {"a\nb"}), InvalidArgument);
  for (const char* text :
       {"", "apple,5,1,26,26,38,34,63\n", "apple,5,1,26,26,38,34,63,6",  // cut off
        "apple,5,1,26,26,38,34,63,65\n", "apple,0,1,26,26,38,34,63,62\n",
        "apple,5,1,26,26,38,34,63,x\n", "apple,17,1,26,26,38,34,63,62\n",
        "a,5,1,26,26,38,34,63,62\na,5,1,26,26,38,34,63,62\n", "\"a,5,1,26,26,38,34,63,62\n"}) {
    EXPECT_THROW(parse_map(text, kParams, "map.csv"), InvalidArgument) << text;
  }
}

TEST(CandidateMap, CandidatesAreLines) {
  EXPECT_EQ(parse_candidates("a\nb c\r\nd", "c.txt"), (std::vector<std::string>{"a", "b c", "d"}));
  EXPECT_EQ(parse_candidates("\xEF\xBB\xBFja\nnein\n", "c.txt"),
            (std::vector<std::string>{"ja", "nein"}));
  EXPECT_THROW(parse_candidates("a\n\nb\n", "c.txt"), InvalidArgument);
  EXPECT_THROW(parse_candidates("\xEF\xBB\xBF", "c.txt"), InvalidArgument);
  EXPECT_THROW(parse_candidates("", "c.txt"), InvalidArgument);
}

}  // namespace
}  // namespace sotto::rappor
