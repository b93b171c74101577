#include "sotto/core/error.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/weights/pickle_bytes.h"
#include "weights/weight_file.h"

using namespace sotto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    weights::read_weight_bytes(std::string(reinterpret_cast<const char*>(bytes), size), "input");
  } catch (const InvalidArgument& refusal) {
    expect_one_line(refusal);
  }
  return 0;
}

std::vector<std::string> seed_inputs() {
  const auto tensor = weights::pickled_tensor("0", {2, 2}, {2, 1});
  return {weights::archive_of(weights::pickled_dictionary(weights::pickled_text("a") + tensor))};
}
