#include <sstream>

#include "rappor/report_file.h"
#include "sotto/core/error.h"
#include "tests/fuzz/fuzz_target.h"

using namespace sotto;
using namespace sotto::rappor;

namespace {

const Params kParams({.bits = 19, .hashes = 2, .cohorts = 3, .f = .5, .p = .5, .q = .75});

// Binary reports. A file that differs from a seed is refused: nothing is silently lost or gained.
void parse(const std::string& input) {
  std::istringstream in(input);
  ReportFileReader reader(in, "fuzz");
  RowProblems problems;
  reader.read([](std::uint32_t, const std::uint64_t*) {}, problems);
  for (const auto& seed : seed_inputs()) {
    if (input == seed) return;
  }
  __builtin_trap();  // a forged CRC-32: chances are 2^-32 an input
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
  std::vector<std::string> seeds;
  for (const int count : {0, 1, 40}) {
    std::ostringstream out;
    ReportFileWriter writer(out, kParams, Profile::kSotto, FileIdentity{1, 2, 3});
    for (int i = 0; i < count; ++i) {
      writer.add(
          {static_cast<std::uint32_t>(i % 3), BitString(19, {static_cast<std::uint64_t>(i)})});
    }
    writer.finish();
    seeds.push_back(out.str());
  }
  return seeds;
}
