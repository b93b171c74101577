// The small files: parameters, collections, counts, maps, candidates, partial sums, values and
// secrets. The first byte chooses.
#include <sstream>

#include "rappor/candidate_map.h"
#include "rappor/collection_file.h"
#include "rappor/counts_file.h"
#include "rappor/params_file.h"
#include "rappor/partial_sum.h"
#include "rappor/value_csv.h"
#include "sotto/core/error.h"
#include "sotto/rappor/rappor.h"
#include "tests/fuzz/fuzz_target.h"

using namespace sotto;
using namespace sotto::rappor;

namespace {

const Params kParams({.bits = 4, .hashes = 2, .cohorts = 2, .f = .5, .p = .5, .q = .75});

// What was accepted reads back the same.
void parse(char kind, const std::string& text) {
  bool same = true;
  if (kind == 'p') {
    const Params params = parse_params(text, "fuzz");
    same = parse_params(format_params(params), "fuzz") == params;
  } else if (kind == 'j') {
    const Collection collection = parse_collection(text, "fuzz");
    same = parse_collection(format_collection(collection), "fuzz") == collection;
  } else if (kind == 'c') {
    const Counts counts = parse_counts(text, kParams, "fuzz");
    same = parse_counts(format_counts(counts), kParams, "fuzz") == counts;
  } else if (kind == 'm') {
    const CandidateMap map = parse_map(text, kParams, "fuzz");
    same = parse_map(format_map(map), kParams, "fuzz") == map;
  } else if (kind == 's') {
    const PartialSum sum = parse_partial_sum(text, "fuzz");
    same = parse_partial_sum(format_partial_sum(sum), "fuzz") == sum;
  } else if (kind == 'v') {
    std::istringstream in(text);
    read_value_csv(in, "fuzz", [](const std::string&, const std::string&) {});
  } else if (kind == 'k') {
    same = parse_secret_text(text, "fuzz").size() == 32;
  } else {
    parse_candidates(text, "fuzz");
  }
  if (!same) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  try {
    parse(static_cast<char>(bytes[0]),
          std::string(reinterpret_cast<const char*>(bytes) + 1, size - 1));
  } catch (const InvalidArgument& refusal) {
    expect_one_line(refusal);
  }
  return 0;
}

std::vector<std::string> seed_inputs() {
  PartialSum sum(kParams, Profile::kSotto);
  Counts counts(kParams);
  counts.add(1, 3, std::vector<std::uint64_t>{0, 1, 2, 3});
  sum.add({std::string(32, 'a'), 3}, counts, 1);
  return {"p" + format_params(kParams),
          "c" + format_counts(counts),
          "m" + format_map(CandidateMap::of_strings(kParams, Profile::kSotto, {"a", "b,c", "d"})),
          "s" + format_partial_sum(sum),
          "xapple\nbanana\n",
          "vclient,value\n1,\"a,b\"\n2,c\r\n",
          "k" + std::string(64, 'a') + "\n"};
}
