#include <sstream>

#include "rappor/counts.h"
#include "rappor/report_csv.h"
#include "sotto/core/error.h"
#include "tests/fuzz/fuzz_target.h"

using namespace sotto;
using namespace sotto::rappor;

namespace {

// CSV reports: whatever is counted was a report.
void parse(const std::string& input) {
  const Params params({.bits = 19, .hashes = 2, .cohorts = 3, .f = .5, .p = .5, .q = .75});
  std::istringstream in(input);
  Summation summation(params);
  RowProblems problems;
  const auto summary = read_report_csv(
      in, "fuzz", params,
      [&](std::uint32_t cohort, const std::uint64_t* words) {
        if (cohort >= 3 || words[0] >> 19U != 0) __builtin_trap();
        summation.add(cohort, words);
      },
      problems);
  if (summary.reports != summation.counts().total()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    parse(std::string(reinterpret_cast<const char*>(bytes), size));
  } catch (const InvalidArgument& refusal) {
    expect_one_line(refusal);
  }
  return 0;
}

std::vector<std::string> seed_inputs() {
  const std::string header = "client,cohort,bloom,prr,irr\n";
  return {header + "1,0,,,0101010101010101010\n\"2,3\",2,,,1111111111111111111\r\n",
          "irr,cohort\n0000000000000000000,1\n0000000000000000001,0", header};
}
