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
  const std::string header =
      R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"I64","shape":[],"data_offsets":[8,16]}})";
  return {weights::little_endian(header.size(), 8) + header + "01234567abcdefgh",
          weights::little_endian(2, 8) + "{}"};
}
