// Pickles in archives that are whole: the checksums would hide them from mutations otherwise.
#include "sotto/core/error.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/weights/pickle_bytes.h"
#include "weights/weight_file.h"

using namespace sotto;
using namespace sotto::weights;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string pickle(reinterpret_cast<const char*>(bytes), size);
  try {
    read_weight_bytes(archive_of(pickle), "input");
  } catch (const InvalidArgument& refusal) {
    expect_one_line(refusal);
  }
  return 0;
}

std::vector<std::string> seed_inputs() {
  const auto tensor = pickled_tensor("0", {2, 2}, {2, 1});
  const std::string start = "\x80\x02";
  return {pickled_dictionary(pickled_text("a") + tensor + pickled_text("b") +
                             pickled_tensor("1", {1}, {1}, 3)),
          start + "c__torch__\nM\n)\x81q\x01}(" + pickled_text("weight") + tensor +
              pickled_text("child") + "c__torch__\nN\n)\x81}(" + pickled_text("x") + "h\x01ubub.",
          start +
              "](K\x01M\x01\x02G01234567\x8a\x02\xff\x80"
              "ea."};
}
